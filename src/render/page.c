/* SPDX-License-Identifier: MIT */
/*
 * Where on the line we are, in which colour, and when to wrap.
 */
#include "render/page.h"

#include <stdarg.h>
#include <string.h>

#include "render/text.h"

static const char *const tone_codes[TW_N_TONES] = {
    [TW_TONE_PLAIN] = "",          [TW_TONE_STRONG] = "\033[1m", [TW_TONE_QUIET] = "\033[2m",
    [TW_TONE_BAD] = "\033[1;31m",  [TW_TONE_WARN] = "\033[33m",  [TW_TONE_GOOD] = "\033[1;32m",
    [TW_TONE_NOTE] = "\033[1;36m",
};

void tw_page_init(struct tw_page *page, struct tw_out *out, const struct tcpwhy_style *style)
{
    unsigned columns = style && style->columns ? style->columns : 80;

    page->out = out;
    page->columns = CLAMP(columns, TW_PAGE_MIN_COLUMNS, TW_PAGE_MAX_COLUMNS);
    page->at = 0;
    page->wants = 0;
    page->color = style && style->color;
    page->ascii = style && style->ascii;
}

static void put_token(struct tw_page *page, const char *token, unsigned width)
{
    if (page->at + width > page->columns)
        return;
    tw_out_text(page->out, token);
    page->at += width;
}

void tw_page_put(struct tw_page *page, enum tw_tone tone, const char *text)
{
    bool colored = page->color && tone != TW_TONE_PLAIN && *text;
    char token[TW_TEXT_TOKEN];

    if (*text) {
        tw_out_repeat(page->out, " ", page->wants);
        page->wants = 0;
    }
    if (colored)
        tw_out_text(page->out, tone_codes[tone]);
    while (*text) {
        unsigned width = tw_text_next(&text, page->ascii, token);

        put_token(page, token, width);
    }
    if (colored)
        tw_out_text(page->out, "\033[0m");
}

void tw_page_putf(struct tw_page *page, enum tw_tone tone, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    tw_page_put(page, tone, text);
    g_free(text);
}

void tw_page_tab(struct tw_page *page, unsigned column)
{
    if (column <= page->at || column > page->columns)
        return;
    page->wants += column - page->at;
    page->at = column;
}

void tw_page_end_line(struct tw_page *page)
{
    tw_out_text(page->out, "\n");
    page->at = 0;
    page->wants = 0;
}

void tw_page_line(struct tw_page *page, enum tw_tone tone, const char *text)
{
    tw_page_put(page, tone, text);
    tw_page_end_line(page);
}

/* Put one word, breaking the line before it when it does not fit. */
static void put_word(struct tw_page *page, unsigned indent, bool first, enum tw_tone tone,
                     const char *word)
{
    unsigned width = tw_text_width(word, page->ascii);

    if (!first && page->at + 1 + width > page->columns) {
        tw_page_end_line(page);
        tw_page_tab(page, indent);
    } else if (!first) {
        tw_page_tab(page, page->at + 1);
    }
    tw_page_put(page, tone, word);
}

void tw_page_paragraph(struct tw_page *page, unsigned indent, enum tw_tone tone, const char *text)
{
    GString *word = g_string_new(NULL);
    bool first = true;

    for (const char *p = text; *p;) {
        size_t len = strcspn(p, " \n");

        if (len > 0) {
            g_string_truncate(word, 0);
            g_string_append_len(word, p, (gssize)len);
            put_word(page, indent, first, tone, word->str);
            first = false;
        }
        p += len + (p[len] != '\0');
    }
    g_string_free(word, TRUE);
    tw_page_end_line(page);
}

void tw_page_entry(struct tw_page *page, unsigned indent, const char *label, enum tw_tone tone,
                   const char *text)
{
    tw_page_put(page, TW_TONE_QUIET, label);
    tw_page_tab(page, indent);
    tw_page_paragraph(page, indent, tone, text);
}

void tw_page_bar(const struct tw_page *page, GString *to, double share, unsigned width)
{
    static const char *const eighths[] = { "",       "\u258F", "\u258E", "\u258D",
                                           "\u258C", "\u258B", "\u258A", "\u2589" };
    double clamped = share < 0 ? 0 : share > 1 ? 1 : share;
    unsigned parts = (unsigned)(clamped * width * 8 + 0.5);

    if (page->ascii)
        parts = (parts + 4) / 8 * 8;
    if (parts == 0 && share > 0)
        parts = page->ascii ? 0 : 1;
    for (unsigned i = 0; i < parts / 8; i++)
        g_string_append(to, page->ascii ? "#" : "\u2588");
    g_string_append(to, eighths[parts % 8]);
}
