/* SPDX-License-Identifier: MIT */
#include "harmless.h"

#include <string.h>

bool is_harmless(gunichar c)
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

static bool is_one_of(char c, const char *set)
{
    while (*set && *set != c)
        set++;
    return *set;
}

size_t plain_ascii(const char *text, const char *end, const char *but)
{
    const char *at = text;

    while (at < end && *at >= ' ' && *at <= '~' && !is_one_of(*at, but))
        at++;
    return (size_t)(at - text);
}

void append_harmless(GString *to, const char *text, gssize len, bool lines)
{
    const char *end = text + (len < 0 ? (gssize)strlen(text) : len);

    for (;;) {
        size_t plain = plain_ascii(text, end, "");
        gunichar c;

        g_string_append_len(to, text, (gssize)plain);
        text += plain;
        if (text == end)
            break;
        c = g_utf8_get_char_validated(text, end - text);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_printf(to, "\\x%02x", (guchar)*text++);
            continue;
        }
        if (is_harmless(c) || (lines && c == '\n'))
            g_string_append_unichar(to, c);
        else
            g_string_append_printf(to, c < 0x80 ? "\\x%02x" : "\\u%04x", c);
        text += g_utf8_skip[(guchar)*text];
    }
}
