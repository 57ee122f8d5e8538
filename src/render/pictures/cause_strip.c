/* SPDX-License-Identifier: MIT */
/*
 *     [=======nagle=======][w][==think==]
 *     # Nagle + delayed ACK 42.6 ms   # the server thinks 4.49 ms   # ...
 */
#include "render/pictures/cause_strip.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/counts.h"
#include "base/number.h"
#include "base/text.h"
#include "render/writers/text.h"
#include "report/flow/flow_part.h"

#define BAR_HEIGHT  TW_PX(16)
#define LINE_HEIGHT TW_PX(19)
#define SQUARE      TW_PX(10)

/* Smaller parts share one entry of the legend. */
#define SMALL_PART 300

struct sum {
    enum tcpwhy_cause cause;
    tcpwhy_ns ns;
};

static int costliest_first(const void *a, const void *b)
{
    const struct sum *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (int)x->cause - (int)y->cause;
}

static tcpwhy_ns overlap(const struct tw_cause_strip *strip, const struct tcpwhy_span *s)
{
    return MIN(s->to_ns, strip->to_ns) - MAX(s->from_ns, strip->from_ns);
}

/* Costliest first. @return how many causes there are. */
static unsigned sum_up(const struct tw_cause_strip *strip, struct sum *sums)
{
    const struct tw_stream_row *stream = strip->stream;
    unsigned n = 0;

    for (unsigned c = 0; c < TW_N_CAUSES; c++)
        sums[c] = (struct sum) { (enum tcpwhy_cause)c, 0 };
    for (size_t i = tw_flow_first_span(stream, strip->from_ns); i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];

        if (s->from_ns >= strip->to_ns)
            break;
        if ((unsigned)s->cause < TW_N_CAUSES)
            sums[s->cause].ns += overlap(strip, s);
    }
    qsort(sums, TW_N_CAUSES, sizeof(*sums), costliest_first);
    while (n < TW_N_CAUSES && sums[n].ns > 0)
        n++;
    return n;
}

tw_cause_set tw_cause_strip_causes(const struct tw_cause_strip *strip)
{
    struct sum sums[TW_N_CAUSES];
    tw_cause_set causes = 0;

    for (unsigned i = sum_up(strip, sums); i-- > 0;)
        causes |= tw_cause_bit(sums[i].cause);
    return causes;
}

/* How many of the sums have an entry of their own: the others are crumbs, and more than one. */
static unsigned n_entries(const struct tw_cause_strip *strip, const struct sum *sums, unsigned n)
{
    unsigned large = 0;

    while (large < n && sums[large].ns >= (strip->to_ns - strip->from_ns) / SMALL_PART)
        large++;
    return n - large < 2 ? n : large;
}

static void entry_text(const struct sum *sum, tw_string *to)
{
    tw_string_printf(to, "%s %s", tcpwhy_cause_info(sum->cause)->title, tw_duration(sum->ns).text);
}

static void rest_text(const struct sum *sum, unsigned n, tw_string *to)
{
    tcpwhy_ns ns = 0;

    for (unsigned i = 0; i < n; i++)
        ns += sum[i].ns;
    tw_string_printf(to, "%u others %s", n, tw_duration(ns).text);
}

struct legend {
    struct tw_writer *svg; /* NULL: only lay it out */
    const struct tw_cause_strip *strip;
    int x, y, lines;
};

/* color NULL: without a square. */
static void add_entry(struct legend *l, const enum tcpwhy_cause *color, const char *text)
{
    int width = SQUARE + TW_PX(24) + (int)tw_text_width(text, false) * TW_SVG_SANS;
    int top = l->y + (l->lines - 1) * LINE_HEIGHT;

    if (l->x > l->strip->x && l->x + width > l->strip->x + l->strip->width) {
        l->x = l->strip->x;
        l->lines++;
        top += LINE_HEIGHT;
    }
    if (l->svg && color)
        tw_svg_rect(l->svg, tw_cause_class("edge", *color).text, l->x, top + TW_PX(4), SQUARE,
                    SQUARE, NULL);
    if (l->svg)
        tw_svg_text(l->svg, color ? "" : "q", l->x + (color ? SQUARE + TW_PX(6) : 0),
                    top + TW_PX(13), text);
    l->x += width;
}

/* Lay the legend out, and draw it when svg is not NULL. @return the number of its lines. */
static int legend(struct tw_writer *svg, const struct tw_cause_strip *strip, int y)
{
    struct sum sums[TW_N_CAUSES];
    unsigned n = sum_up(strip, sums), own = n_entries(strip, sums, n);
    struct legend l = { svg, strip, strip->x, y, n > 0 };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (unsigned i = 0; i < own; i++) {
        entry_text(&sums[i], text);
        add_entry(&l, &sums[i].cause, text->str);
    }
    if (own < n) {
        rest_text(&sums[own], n - own, text);
        add_entry(&l, NULL, text->str);
    }
    return l.lines;
}

void tw_cause_strip_bar(struct tw_writer *svg, const struct tw_cause_strip *strip, int y,
                        int height)
{
    uint32_t n = (uint32_t)(strip->width / TW_PX(1));
    tw_array *pieces = tw_cause_columns(strip->stream, strip->from_ns, strip->to_ns, n);
    g_autoptr(tw_string) title = tw_string_new(NULL);

    for (guint i = 0; i < pieces->len && !svg->stopped; i++) {
        const struct tw_cause_piece *p = &tw_array_index(pieces, struct tw_cause_piece, i);

        tw_string_printf(title, "%s, about %s", tcpwhy_cause_info(p->cause)->title,
                         tw_duration(p->to_ns - p->from_ns).text);
        tw_svg_rect(svg, tw_cause_class("edge", p->cause).text, strip->x + TW_PX(p->from), y,
                    TW_PX(p->to - p->from), height, title->str);
    }
    tw_array_free(pieces, TRUE);
}

void tw_cause_strip_legend(struct tw_writer *svg, const struct tw_cause_strip *strip, int y)
{
    legend(svg, strip, y);
}

int tw_cause_strip_legend_height(const struct tw_cause_strip *strip)
{
    return legend(NULL, strip, 0) * LINE_HEIGHT;
}

int tw_cause_strip_height(const struct tw_cause_strip *strip)
{
    return BAR_HEIGHT + TW_PX(6) + tw_cause_strip_legend_height(strip);
}

void tw_cause_strip_draw(struct tw_writer *svg, const struct tw_cause_strip *strip, int y)
{
    tw_cause_strip_bar(svg, strip, y, BAR_HEIGHT);
    tw_cause_strip_legend(svg, strip, y + BAR_HEIGHT + TW_PX(6));
}
