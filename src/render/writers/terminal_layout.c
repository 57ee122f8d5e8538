/* SPDX-License-Identifier: MIT */
/*
 * Where on the line we are, in which colour, and when to wrap.
 */
#include "render/writers/terminal_layout.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "render/writers/text.h"

static const char *const tone_codes[TW_N_TONES] = {
    [TW_TONE_PLAIN] = "",          [TW_TONE_STRONG] = "\033[1m", [TW_TONE_QUIET] = "\033[2m",
    [TW_TONE_BAD] = "\033[1;31m",  [TW_TONE_WARN] = "\033[33m",  [TW_TONE_GOOD] = "\033[1;32m",
    [TW_TONE_NOTE] = "\033[1;36m",
};

void tw_layout_init(struct tw_layout *page, struct tw_writer *out,
                    const struct tcpwhy_render_options *options)
{
    unsigned columns = options->columns ? options->columns : 80;

    page->out = out;
    page->columns = CLAMP(columns, TW_LAYOUT_MIN_COLUMNS, TW_LAYOUT_MAX_COLUMNS);
    page->at = 0;
    page->wants = 0;
    page->color = options->color;
    page->ascii = options->ascii;
    page->links = NULL;
}

static void put_token(struct tw_layout *page, const char *token, unsigned width)
{
    if (page->at + width > page->columns)
        return;
    tw_writer_text(page->out, token);
    page->at += width;
}

/* @return what comes after them. */
static const char *put_plain(struct tw_layout *page, const char *text)
{
    size_t plain = tw_text_plain(text), fit = MIN(plain, page->columns - page->at);

    tw_writer_bytes(page->out, text, fit);
    page->at += (unsigned)fit;
    return text + plain;
}

void tw_layout_put(struct tw_layout *page, enum tw_tone tone, const char *text)
{
    bool colored = page->color && tone != TW_TONE_PLAIN && *text;
    char token[TW_TEXT_TOKEN];

    if (*text) {
        tw_writer_repeat(page->out, " ", page->wants);
        page->wants = 0;
    }
    if (colored)
        tw_writer_text(page->out, tone_codes[tone]);
    while (*(text = put_plain(page, text))) {
        unsigned width = tw_text_next(&text, page->ascii, token);

        put_token(page, token, width);
    }
    if (colored)
        tw_writer_text(page->out, "\033[0m");
}

void tw_layout_putf(struct tw_layout *page, enum tw_tone tone, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = tw_strdup_vprintf(format, arguments);
    va_end(arguments);
    tw_layout_put(page, tone, text);
    tw_free(text);
}

void tw_layout_tab(struct tw_layout *page, unsigned column)
{
    if (column <= page->at || column > page->columns)
        return;
    page->wants += column - page->at;
    page->at = column;
}

void tw_layout_end_line(struct tw_layout *page)
{
    tw_writer_text(page->out, "\n");
    page->at = 0;
    page->wants = 0;
}

void tw_layout_line(struct tw_layout *page, enum tw_tone tone, const char *text)
{
    tw_layout_put(page, tone, text);
    tw_layout_end_line(page);
}

void tw_layout_heading(struct tw_layout *page, const char *text)
{
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, text);
}

/* Is this a unit, which no line should begin with? */
static bool is_unit(const char *text)
{
    static const char *const units[] = { "ns",  "ms",  "s",  "min", "h",  "d",    "%",   "B",
                                         "KiB", "MiB", "kB", "MB",  "GB", "kB/s", "MB/s" };
    size_t len = strcspn(text, " \n.,;:)");

    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (len == strlen(units[i]) && strncmp(text, units[i], len) == 0)
            return true;
    return false;
}

/* Length of the word that begins here; a number keeps its unit. */
static size_t word_length(const char *text)
{
    size_t len = strcspn(text, " \n");

    if (len > 0 && text[len] == ' ' && g_ascii_isdigit(text[len - 1]) && is_unit(text + len + 1))
        len += 1 + strcspn(text + len + 1, " \n");
    return len;
}

/* Put the words gathered for a line, and begin the next one at indent. */
static void put_words(struct tw_layout *page, unsigned indent, enum tw_tone tone, tw_string *words)
{
    tw_layout_put(page, tone, words->str);
    tw_layout_end_line(page);
    tw_layout_tab(page, indent);
    tw_string_truncate(words, 0);
}

void tw_layout_paragraph(struct tw_layout *page, unsigned indent, enum tw_tone tone,
                         const char *text)
{
    g_autoptr(tw_string) words = tw_string_new(NULL), word = tw_string_new(NULL);
    unsigned columns =
        page->at < TW_LAYOUT_TEXT_COLUMNS ? tw_layout_text_columns(page) : page->columns;

    for (const char *p = text; *p;) {
        size_t len = word_length(p);
        unsigned width;

        tw_string_truncate(word, 0);
        tw_string_append_len(word, p, (gssize)len);
        p += len + (p[len] != '\0');
        if (len == 0)
            continue;
        width = tw_text_width(words->str, page->ascii) + (words->len > 0);
        if (words->len > 0 && page->at + width + tw_text_width(word->str, page->ascii) > columns)
            put_words(page, indent, tone, words);
        if (words->len > 0)
            tw_string_append_c(words, ' ');
        tw_text_fit(words, word->str, columns - page->at, page->ascii);
    }
    tw_layout_put(page, tone, words->str);
    tw_layout_end_line(page);
}

void tw_layout_entry(struct tw_layout *page, unsigned indent, const char *label, enum tw_tone tone,
                     const char *text)
{
    tw_layout_put(page, TW_TONE_QUIET, label);
    tw_layout_tab(page, indent);
    tw_layout_paragraph(page, indent, tone, text);
}

void tw_layout_bar(const struct tw_layout *page, tw_string *to, double share, unsigned width)
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
        tw_string_append(to, page->ascii ? "#" : "\u2588");
    tw_string_append(to, eighths[parts % 8]);
}
