/* SPDX-License-Identifier: MIT */
/*
 * Complaints, made safe for a terminal as the library makes what it renders.
 */
#include "complain.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

static bool is_shown(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return false;
    default:
        return true;
    }
}

static void append_safely(GString *to, const char *text)
{
    while (*text) {
        gunichar c = g_utf8_get_char_validated(text, -1);

        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_printf(to, "\\x%02x", (guchar)*text++);
            continue;
        }
        if (is_shown(c))
            g_string_append_unichar(to, c);
        else
            g_string_append_printf(to, c < 0x80 ? "\\x%02x" : "\\u%04x", c);
        text += g_utf8_skip[(guchar)*text];
    }
}

void complain(const char *format, ...)
{
    GString *line = g_string_new("tcpwhy: ");
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    append_safely(line, text);
    g_string_append_c(line, '\n');
    fputs(line->str, stderr);
    g_free(text);
    g_string_free(line, TRUE);
}
