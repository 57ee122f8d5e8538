/* SPDX-License-Identifier: MIT */
/*
 * A page of text as wide as a terminal: tones, columns, wrapped paragraphs and bars. Whatever is
 * put on it is made safe first, and no line grows beyond the width.
 */
#ifndef TW_RENDER_WRITERS_TERMINAL_LAYOUT_H
#define TW_RENDER_WRITERS_TERMINAL_LAYOUT_H

#include <glib.h>

#include <tcpwhy/render.h>

#include "base/text.h"
#include "render/writers/writer.h"

enum tw_tone {
    TW_TONE_PLAIN,
    TW_TONE_STRONG,
    TW_TONE_QUIET,
    TW_TONE_BAD,  /* lost time */
    TW_TONE_WARN, /* doubts, and facts about the capture */
    TW_TONE_GOOD,
    TW_TONE_NOTE, /* what to do */
    TW_N_TONES,
};

struct tw_layout {
    struct tw_writer *out;
    unsigned columns;
    unsigned at;    /* columns used on this line */
    unsigned wants; /* spaces that wait for text after them, so that no line ends in blanks */
    bool color, ascii;
    /* Of a page of HTML the prefix of its ids, where frames can be looked up; on a terminal not
     * NULL where a command shows them. */
    const char *links;
};

/* Narrower than this nothing can be laid out; wider lines are hard to read. */
#define TW_LAYOUT_MIN_COLUMNS 60
#define TW_LAYOUT_MAX_COLUMNS 400

/* Sentences end here: 80 characters at most are good to read (WCAG 2.2, 1.4.8), beside labels and
 * indents of up to 20. */
#define TW_LAYOUT_TEXT_COLUMNS 100

/* The column at which lines of text end. */
static inline unsigned tw_layout_text_columns(const struct tw_layout *page)
{
    return MIN(page->columns, TW_LAYOUT_TEXT_COLUMNS);
}

void tw_layout_init(struct tw_layout *page, struct tw_writer *out,
                    const struct tcpwhy_render_options *options);

void tw_layout_put(struct tw_layout *page, enum tw_tone tone, const char *text);
void tw_layout_putf(struct tw_layout *page, enum tw_tone tone, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* Blanks up to a column; nothing if it is already passed. */
void tw_layout_tab(struct tw_layout *page, unsigned column);
void tw_layout_end_line(struct tw_layout *page);
/* Put text and end the line. */
void tw_layout_line(struct tw_layout *page, enum tw_tone tone, const char *text);
/* An empty line, then a title. */
void tw_layout_heading(struct tw_layout *page, const char *text);

/* Words from where we are, wrapped; further lines begin at indent. Ends the line. */
void tw_layout_paragraph(struct tw_layout *page, unsigned indent, enum tw_tone tone,
                         const char *text);
/* A quiet label in the margin with a paragraph next to it. */
void tw_layout_entry(struct tw_layout *page, unsigned indent, const char *label, enum tw_tone tone,
                     const char *text);

/* A bar of up to width columns for a share of 1, into a string. */
void tw_layout_bar(const struct tw_layout *page, tw_string *to, double share, unsigned width);

#endif
