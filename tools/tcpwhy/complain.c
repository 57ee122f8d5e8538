/* SPDX-License-Identifier: MIT */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "harmless.h"

void complain(const char *format, ...)
{
    GString *line = g_string_new("tcpwhy: ");
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    append_harmless(line, text, -1, false);
    g_string_append_c(line, '\n');
    fputs(line->str, stderr);
    g_free(text);
    g_string_free(line, TRUE);
}
