/* SPDX-License-Identifier: MIT */
/*
 * Hostile text, character by character, to text that is safe on a terminal.
 */
#include "render/writers/text.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* The few characters beyond ASCII that our own sentences use. */
static const struct {
    gunichar c;
    const char *ascii;
} plain[] = {
    { 0x00B5, "u" },  { 0x2013, "-" },  { 0x2014, "-" },   { 0x2018, "'" },  { 0x2019, "'" },
    { 0x201C, "\"" }, { 0x201D, "\"" }, { 0x2026, "..." }, { 0x2190, "<-" }, { 0x2192, "->" },
    { 0x2264, "<=" }, { 0x2265, ">=" }, { 0x00D7, "x" },
};

static bool is_shown(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return false;
    default:
        return true;
    }
}

static unsigned written_out(gunichar c, char *token)
{
    const char *form = c < 0x80 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%06x";

    switch (c) {
    case '\n':
        return (unsigned)snprintf(token, TW_TEXT_TOKEN, "\\n");
    case '\r':
        return (unsigned)snprintf(token, TW_TEXT_TOKEN, "\\r");
    case '\t':
        return (unsigned)snprintf(token, TW_TEXT_TOKEN, "\\t");
    default:
        return (unsigned)snprintf(token, TW_TEXT_TOKEN, form, (unsigned)c);
    }
}

static unsigned in_ascii(gunichar c, char *token)
{
    for (size_t i = 0; i < G_N_ELEMENTS(plain); i++)
        if (plain[i].c == c)
            return (unsigned)snprintf(token, TW_TEXT_TOKEN, "%s", plain[i].ascii);
    return written_out(c, token);
}

size_t tw_text_plain(const char *text)
{
    size_t n = 0;

    while (g_ascii_isprint(text[n]))
        n++;
    return n;
}

unsigned tw_text_next(const char **text, bool ascii, char *token)
{
    gunichar c = g_utf8_get_char_validated(*text, -1);
    int len;

    if (c == (gunichar)-1 || c == (gunichar)-2) {
        unsigned char byte = (unsigned char)*(*text)++;

        return (unsigned)snprintf(token, TW_TEXT_TOKEN, "\\x%02x", byte);
    }
    *text += g_utf8_skip[(guchar) * *text];
    if (!is_shown(c))
        return written_out(c, token);
    if (ascii && c >= 0x80)
        return in_ascii(c, token);
    len = g_unichar_to_utf8(c, token);
    token[len] = '\0';
    return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

unsigned tw_text_width(const char *text, bool ascii)
{
    char token[TW_TEXT_TOKEN];
    unsigned width = 0;

    for (;;) {
        size_t n = tw_text_plain(text);

        width += (unsigned)n;
        text += n;
        if (!*text)
            return width;
        width += tw_text_next(&text, ascii, token);
    }
}

/* Append characters while they fit. @return the columns used. */
static unsigned append_first(tw_string *to, const char *text, unsigned width, bool ascii)
{
    char token[TW_TEXT_TOKEN];
    unsigned used = 0;

    for (;;) {
        size_t n = MIN(tw_text_plain(text), width - used);
        unsigned w;

        tw_string_append_len(to, text, (gssize)n);
        used += (unsigned)n;
        text += n;
        if (!*text)
            return used;
        w = tw_text_next(&text, ascii, token);
        if (used + w > width)
            return used;
        tw_string_append(to, token);
        used += w;
    }
}

static const char *ellipsis_of(bool ascii, unsigned *width)
{
    *width = ascii ? 3 : 1;
    return ascii ? "..." : "\u2026";
}

void tw_text_begin(tw_string *to, const char *text, unsigned width, bool ascii)
{
    unsigned mark;
    const char *ellipsis = ellipsis_of(ascii, &mark);
    bool whole = tw_text_width(text, ascii) <= width || width <= mark;

    append_first(to, text, whole ? width : width - mark, ascii);
    if (!whole)
        tw_string_append(to, ellipsis);
}

void tw_text_fit(tw_string *to, const char *text, unsigned width, bool ascii)
{
    unsigned total = tw_text_width(text, ascii), mark, head, skip;
    const char *ellipsis = ellipsis_of(ascii, &mark);
    char token[TW_TEXT_TOKEN];

    if (total <= width || width <= mark) {
        append_first(to, text, width, ascii);
        return;
    }
    head = append_first(to, text, (width - mark + 1) / 2, ascii);
    tw_string_append(to, ellipsis);
    skip = total - (width - mark - head);
    for (unsigned at = 0; at < skip && *text;)
        at += tw_text_next(&text, ascii, token);
    append_first(to, text, width - mark - head, ascii);
}
