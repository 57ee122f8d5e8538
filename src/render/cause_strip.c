/* SPDX-License-Identifier: MIT */
/*
 *     [=======nagle=======][w][==think==]
 *     # Nagle waits for a delayed ACK 42.6 ms   # the server thinks 4.49 ms   # ...
 */
#include "render/cause_strip.h"

#include <stdlib.h>

#include "render/number.h"
#include "render/text.h"
#include "report/flow_part.h"

#define BAR_HEIGHT  TW_PX(16)
#define LINE_HEIGHT TW_PX(19)
#define SQUARE      TW_PX(10)

/* Narrower than this joins its neighbours: a long life has more intervals than pixels. */
#define MIN_PIECE 3

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
    const struct tcpwhy_stream *stream = strip->stream;
    unsigned n = 0;

    for (unsigned c = 0; c < TCPWHY_N_CAUSES; c++)
        sums[c] = (struct sum) { (enum tcpwhy_cause)c, 0 };
    for (size_t i = tw_flow_first_span(stream, strip->from_ns); i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];

        if (s->from_ns >= strip->to_ns)
            break;
        if ((unsigned)s->cause < TCPWHY_N_CAUSES)
            sums[s->cause].ns += overlap(strip, s);
    }
    qsort(sums, TCPWHY_N_CAUSES, sizeof(*sums), costliest_first);
    while (n < TCPWHY_N_CAUSES && sums[n].ns > 0)
        n++;
    return n;
}

tw_cause_set tw_cause_strip_causes(const struct tw_cause_strip *strip)
{
    struct sum sums[TCPWHY_N_CAUSES];
    tw_cause_set causes = 0;

    for (unsigned i = sum_up(strip, sums); i-- > 0;)
        causes |= tw_cause_bit(sums[i].cause);
    return causes;
}

static void entry_text(const struct sum *sum, GString *to)
{
    char number[TW_NUMBER_TEXT];

    g_string_printf(to, "%s  %s", tcpwhy_cause_info(sum->cause)->title,
                    tw_number_duration(sum->ns, number));
}

/* Lay the legend out, and draw it when svg is not NULL. @return the number of its lines. */
static int legend(struct tw_svg *svg, const struct tw_cause_strip *strip, int y)
{
    struct sum sums[TCPWHY_N_CAUSES];
    unsigned n = sum_up(strip, sums);
    GString *text = g_string_new(NULL);
    int x = strip->x, lines = n > 0;
    char classes[TW_SVG_CLASS];

    for (unsigned i = 0; i < n; i++) {
        int width;

        entry_text(&sums[i], text);
        width = SQUARE + TW_PX(24) + (int)tw_text_width(text->str, false) * TW_SVG_SANS;
        if (x > strip->x && x + width > strip->x + strip->width) {
            x = strip->x;
            lines++;
        }
        if (svg) {
            int top = y + (lines - 1) * LINE_HEIGHT;

            tw_svg_rect(svg, tw_svg_cause_class("edge", sums[i].cause, classes), x, top + TW_PX(4),
                        SQUARE, SQUARE, NULL);
            tw_svg_text(svg, "", x + SQUARE + TW_PX(6), top + TW_PX(13), text->str);
        }
        x += width;
    }
    g_string_free(text, TRUE);
    return lines;
}

int tw_cause_strip_height(const struct tw_cause_strip *strip)
{
    return BAR_HEIGHT + TW_PX(6) + legend(NULL, strip, 0) * LINE_HEIGHT;
}

static int x_of(const struct tw_cause_strip *strip, tcpwhy_ns ns)
{
    double part = (double)(ns - strip->from_ns) / (double)MAX(strip->to_ns - strip->from_ns, 1);

    return strip->x + (int)(CLAMP(part, 0, 1) * strip->width);
}

static void piece(struct tw_svg *svg, const struct tw_cause_strip *strip,
                  const struct tcpwhy_span *s, int from, int to, int y)
{
    GString *title = g_string_new(NULL);
    char classes[TW_SVG_CLASS], number[TW_NUMBER_TEXT];

    g_string_append_printf(title, "%s, %s", tcpwhy_cause_info(s->cause)->title,
                           tw_number_duration(overlap(strip, s), number));
    tw_svg_rect(svg, tw_svg_cause_class("edge", s->cause, classes), from, y, to - from, BAR_HEIGHT,
                title->str);
    g_string_free(title, TRUE);
}

void tw_cause_strip_draw(struct tw_svg *svg, const struct tw_cause_strip *strip, int y)
{
    const struct tcpwhy_stream *stream = strip->stream;
    int drawn = strip->x;

    for (size_t i = tw_flow_first_span(stream, strip->from_ns); i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];
        int to = x_of(strip, s->to_ns);

        if (s->from_ns >= strip->to_ns)
            break;
        if (to - drawn < MIN_PIECE)
            continue;
        piece(svg, strip, s, drawn, to, y);
        drawn = to;
    }
    legend(svg, strip, y + BAR_HEIGHT + TW_PX(6));
}
