/* SPDX-License-Identifier: MIT */
/*
 * One character at a time: what a terminal could not show is not shown by a browser either.
 */
#include "render/writers/markup.h"

#include "render/writers/text.h"

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void tw_markup_escaped(struct tw_writer *out, const char *text)
{
    char token[TW_TEXT_TOKEN];

    while (*text && !out->stopped) {
        const char *escaped;

        tw_text_next(&text, false, token);
        escaped = entity(token[0]);
        tw_writer_text(out, escaped ? escaped : token);
    }
}
