/* SPDX-License-Identifier: MIT */
/*
 * The columns of a flow graph, its rails and what is drawn between them.
 */
#include "render/flow_ladder.h"

#include <stdio.h>

#include "render/number.h"
#include "render/text.h"

#define TIME_WIDTH     10
#define GAP            2
#define MAX_NOTE_WIDTH 26
#define MIN_NOTE_WIDTH 17

struct tw_glyphs {
    const char *rail, *broken, *line, *left, *right, *fold;
};

static const struct tw_glyphs unicode_glyphs = { "\u2502", "\u250A", "\u2500",
                                                 "\u25C0", "\u25B6", "\u2550" };
static const struct tw_glyphs ascii_glyphs = { "|", ":", "-", "<", ">", "=" };

static unsigned digits(uint32_t n)
{
    char text[TW_NUMBER_TEXT];

    return (unsigned)snprintf(text, sizeof(text), "%u", n);
}

void tw_ladder_lay_out(struct tw_ladder *l, const struct tw_flow *flow)
{
    unsigned note = CLAMP(l->page->columns / 5, MIN_NOTE_WIDTH, MAX_NOTE_WIDTH);

    l->glyphs = l->page->ascii ? &ascii_glyphs : &unicode_glyphs;
    l->frame_width = MAX(digits(l->log->record[flow->end - 1].frame), 5);
    l->left = l->frame_width + GAP + TIME_WIDTH + GAP;
    l->right = l->page->columns - note - GAP;
}

static void right_aligned(struct tw_ladder *l, unsigned end, const char *text)
{
    unsigned width = tw_text_width(text, l->page->ascii);

    if (width < end)
        tw_page_tab(l->page, end - width);
    tw_page_put(l->page, TW_TONE_PLAIN, text);
}

void tw_ladder_frame(struct tw_ladder *l, const struct tw_record *r)
{
    char text[TW_NUMBER_TEXT];

    snprintf(text, sizeof(text), "%u", r->frame);
    right_aligned(l, l->frame_width, text);
    right_aligned(l, l->left - GAP, tw_number_ms(r->time_ns - l->zero_ns, 3, text));
    tw_page_tab(l->page, l->left);
}

void tw_ladder_note(struct tw_ladder *l, enum tw_tone tone, const char *text)
{
    GString *fitted = g_string_new(NULL);

    tw_text_fit(fitted, text, l->page->columns - l->right - 1 - GAP, l->page->ascii);
    tw_page_tab(l->page, l->right + 1 + GAP);
    tw_page_put(l->page, tone, fitted->str);
    tw_page_end_line(l->page);
    g_string_free(fitted, TRUE);
}

/* An arrow from rail to rail with its label near the sender. */
void tw_ladder_arrow(struct tw_ladder *l, enum tcpwhy_side from, const char *label, bool folded,
                     enum tw_tone tone)
{
    const struct tw_glyphs *g = l->glyphs;
    const char *line = folded ? g->fold : g->line;
    unsigned inside = l->right - l->left - 1, used = tw_text_width(label, l->page->ascii) + 2;
    unsigned rest = inside > used ? inside - used : 0;
    GString *text = g_string_new(g->rail);

    if (from == TCPWHY_CLIENT) {
        g_string_append_printf(text, "%s%s", line, label);
        for (unsigned i = 0; i < rest; i++)
            g_string_append(text, line);
        g_string_append(text, g->right);
    } else {
        g_string_append(text, g->left);
        for (unsigned i = 0; i < rest; i++)
            g_string_append(text, line);
        g_string_append_printf(text, "%s%s", label, line);
    }
    g_string_append(text, g->rail);
    tw_page_put(l->page, tone, text->str);
    g_string_free(text, TRUE);
}

void tw_ladder_gap(struct tw_ladder *l, const char *text, enum tw_tone tone, const char *beside)
{
    unsigned inside = l->right - l->left - 1, width = tw_text_width(text, l->page->ascii);

    tw_page_tab(l->page, l->left);
    tw_page_put(l->page, TW_TONE_QUIET, l->glyphs->broken);
    tw_page_tab(l->page, l->left + 1 + (inside > width ? (inside - width) / 2 : 0));
    tw_page_put(l->page, tone, text);
    tw_page_tab(l->page, l->right);
    tw_page_put(l->page, TW_TONE_QUIET, l->glyphs->broken);
    tw_ladder_note(l, tone, beside);
}

void tw_ladder_hosts(struct tw_ladder *l)
{
    char client[TCPWHY_ENDPOINT_TEXT], server[TCPWHY_ENDPOINT_TEXT];
    unsigned half = (l->right - l->left) / 2 - 1;
    GString *fitted = g_string_new(NULL);

    right_aligned(l, l->frame_width, "frame");
    right_aligned(l, l->left - GAP, "ms");
    tw_page_tab(l->page, l->left);
    tw_text_fit(fitted, tcpwhy_endpoint_format(&l->stream->client, client), half, l->page->ascii);
    tw_page_put(l->page, TW_TONE_STRONG, fitted->str);
    g_string_truncate(fitted, 0);
    tw_text_fit(fitted, tcpwhy_endpoint_format(&l->stream->server, server), half, l->page->ascii);
    tw_page_tab(l->page, l->right + 1 - tw_text_width(fitted->str, l->page->ascii));
    tw_page_put(l->page, TW_TONE_STRONG, fitted->str);
    tw_page_end_line(l->page);
    g_string_free(fitted, TRUE);
}
