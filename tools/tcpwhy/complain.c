/* SPDX-License-Identifier: MIT */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

#include <glib.h>

#include "command.h"
#include "harmless.h"

void complain_of_memory(void)
{
    complain_at_once("tcpwhy: ");
    complain_at_once(tcpwhy_strerror(TCPWHY_ERR_MEMORY));
    complain_at_once("\n");
    _exit(EXIT_CANNOT);
}

static void last_words(const char *domain, GLogLevelFlags level, const char *message, gpointer user)
{
    if (!(level & G_LOG_LEVEL_ERROR)) {
        g_log_default_handler(domain, level, message, user);
        return;
    }
    if (strstr(message, "failed to allocate"))
        complain_of_memory();
    complain_at_once("tcpwhy: ");
    complain_at_once(message);
    complain_at_once("\n");
    _exit(EXIT_CANNOT);
}

void complain_at_the_end(void)
{
    g_log_set_default_handler(last_words, NULL);
}

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
