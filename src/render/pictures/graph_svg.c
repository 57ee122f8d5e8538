/* SPDX-License-Identifier: MIT */
/*
 *   title
 *   unit |  bands in the causes' colours, curves before them
 *        |____________________________________________________
 *        [ the causes again, undiluted                       ]
 *          time
 *   what each curve is, and its extremes
 *   what each cause took
 */
#include <string.h>

#include "base/array.h"
#include "base/counts.h"
#include "render/pictures/cause_strip.h"
#include "render/pictures/graph.h"
#include "render/view/view.h"
#include "render/writers/text.h"

#define WIDTH       TW_PX(1000)
#define MARGIN      TW_PX(20)
#define LEFT        TW_PX(84)
#define RIGHT       TW_PX(976)
#define TOP         TW_PX(76)
#define BOTTOM      TW_PX(416)
#define BAR_HEIGHT  TW_PX(8)
#define LEGEND      TW_PX(470)
#define LINE_HEIGHT TW_PX(19)

#define X_TICKS 10
#define Y_TICKS 7

/* A window far above the data in flight would flatten it: the scale ends at a multiple of the
 * rest, and the legend shows the extremes. */
#define MAX_ABOVE 2.0
#define HEADROOM  1.3

struct picture {
    struct tw_plot plot;
    struct tw_cause_strip strip;
    enum tw_unit unit;
};

static bool may_be_cut(enum tw_role role)
{
    return role == TW_ROLE_WINDOW || role == TW_ROLE_EDGE || role == TW_ROLE_RTO ||
           role == TW_ROLE_SSTHRESH_LOW || role == TW_ROLE_SSTHRESH_HIGH;
}

static void widen(const struct tw_curve *curve, int64_t *low, int64_t *high)
{
    for (guint i = 0; i < curve->points->len; i++) {
        const struct tw_point *p = &tw_array_index(curve->points, struct tw_point, i);

        *low = MIN(*low, p->low);
        *high = MAX(*high, p->high);
    }
}

/* From which value to which the picture reaches. */
static void choose_range(const struct tw_series *s, int64_t *low, int64_t *high)
{
    int64_t most = INT64_MIN;
    int64_t size;

    *low = s->graph == TCPWHY_GRAPH_SEQUENCE ? INT64_MAX : 0;
    *high = s->ceiling.value > 0 ? s->ceiling.value : INT64_MIN;
    for (unsigned i = 0; i < s->n_curves; i++) {
        int64_t unused = 0;

        if (may_be_cut(s->curve[i].role) && s->graph != TCPWHY_GRAPH_WINDOW)
            widen(&s->curve[i], &unused, &most);
        else
            widen(&s->curve[i], low, high);
    }
    if (*high < *low)
        *low = 0, *high = MAX(most, 1);
    size = MAX(*high - *low, 1);
    if (most > *high)
        *high = (double)(most - *low) <= MAX_ABOVE * (double)size
                    ? most
                    : *low + (int64_t)(HEADROOM * (double)size);
    /* The highest point does not touch the frame. */
    *high += (*high - *low) / 25 + 1;
}

static struct picture lay_out(struct tw_writer *svg, const struct tw_series *s)
{
    struct picture p = { .unit = tw_graph_unit(s->graph) };
    int64_t low, high;

    choose_range(s, &low, &high);
    p.plot = (struct tw_plot) { .svg = svg,
                                .series = s,
                                .x = tw_axis_of_time(s->from_ns, s->to_ns, X_TICKS),
                                .y = tw_axis_of_values(p.unit, low, high, Y_TICKS) };
    p.plot.x.at_low = LEFT;
    p.plot.x.at_high = RIGHT;
    p.plot.y.at_low = BOTTOM;
    p.plot.y.at_high = TOP;
    p.strip = (struct tw_cause_strip) { .stream = s->stream,
                                        .from_ns = s->from_ns,
                                        .to_ns = s->to_ns,
                                        .x = LEFT,
                                        .width = RIGHT - LEFT };
    return p;
}

/* All bands of a cause are one path. */
static void bands_of(struct tw_writer *svg, const tw_array *pieces, enum tcpwhy_cause cause)
{
    bool any = false;

    for (guint i = 0; i < pieces->len; i++) {
        const struct tw_cause_piece *p = &tw_array_index(pieces, struct tw_cause_piece, i);
        int width = (int)(p->to - p->from);

        if (p->cause != cause)
            continue;
        if (!any)
            tw_writer_printf(svg, "<path class=\"%s\" d=\"", tw_cause_class("band", cause).text);
        any = true;
        tw_writer_printf(svg, "M%d %dh%dV%dh-%dz", LEFT / 10 + (int)p->from, TOP / 10, width,
                         BOTTOM / 10, width);
    }
    if (any)
        tw_writer_text(svg, "\"/>\n");
}

static void bands(const struct picture *p)
{
    const struct tw_cause_strip *strip = &p->strip;
    tw_array *pieces = tw_cause_columns(strip->stream, strip->from_ns, strip->to_ns,
                                        (uint32_t)(strip->width / TW_PX(1)));

    for (unsigned c = 0; c < TW_N_CAUSES; c++)
        bands_of(p->plot.svg, pieces, (enum tcpwhy_cause)c);
    tw_array_free(pieces, TRUE);
    tw_cause_strip_bar(p->plot.svg, strip, BOTTOM + TW_PX(3), BAR_HEIGHT);
}

static void curves(const struct tw_plot *p)
{
    tw_writer_printf(p->svg, "<clipPath id=\"plot\"><path d=\"M%d %dH%dV%dH%dz\"/></clipPath>\n",
                     LEFT / 10, TOP / 10, RIGHT / 10 + 4, BOTTOM / 10, LEFT / 10);
    tw_writer_text(p->svg, "<g clip-path=\"url(#plot)\">\n");
    for (unsigned i = 0; i < p->series->n_curves; i++)
        tw_plot_curve(p, &p->series->curve[i]);
    tw_svg_close(p->svg);
}

/* A window that cannot grow need not have been waited for. */
static const char *ceiling_title(const struct tw_inflight_limit *c)
{
    return c->cause == TCPWHY_RECEIVE_WINDOW_LIMITED ? "no window scaling"
                                                     : tcpwhy_cause_info(c->cause)->title;
}

static void ceiling(const struct picture *p)
{
    const struct tw_inflight_limit *c = &p->plot.series->ceiling;
    int y = tw_axis_at(&p->plot.y, c->value);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (c->value > 0) {
        tw_string_append_printf(text, "limit %s: %s", tw_graph_value(p->unit, c->value).text,
                                ceiling_title(c));
        tw_svg_line(p->plot.svg, "ceiling", LEFT, y, RIGHT, y);
        tw_svg_text(p->plot.svg, "b e halo", RIGHT - TW_PX(6), y - TW_PX(6), text->str);
    }
}

/* "in flight, up to 19.2 kB", "receive window, 64.2 kB to 3.36 MB", "retransmissions, 55" */
static void curve_text(const struct picture *p, const struct tw_curve *curve, tw_string *to)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    struct tw_short_text lowest, highest;

    tw_string_assign(to, tw_role_title(curve->role));
    widen(curve, &low, &high);
    if (curve->mark == TW_MARK_BAR || curve->role >= TW_ROLE_OUT_OF_ORDER) {
        tw_string_append_printf(to, " (%s)", tw_count(curve->points->len).text);
        return;
    }
    if (low > p->plot.y.high)
        tw_string_append(to, " (above the plot)");
    if (p->plot.series->graph == TCPWHY_GRAPH_SEQUENCE)
        return;
    lowest = tw_graph_value(p->unit, low);
    highest = tw_graph_value(p->unit, high);
    tw_string_append_printf(to, ", %s", lowest.text);
    if (strcmp(lowest.text, highest.text) != 0)
        tw_string_append_printf(to, " to %s", highest.text);
}

/* Why a picture is empty. */
static const char *nothing(const struct tw_series *s)
{
    return s->graph == TCPWHY_GRAPH_WINDOW
               ? "Receive window unknown: the SYNs with the window scale were not captured."
               : "No data in this time range.";
}

/* Lay out, and draw when svg is not NULL. @return the number of lines. */
static int curve_legend(struct tw_writer *svg, const struct picture *p, int y)
{
    const struct tw_series *s = p->plot.series;
    g_autoptr(tw_string) text = tw_string_new(NULL);
    int x = LEFT, lines = 1;
    bool any = false;

    for (unsigned i = 0; i < s->n_curves; i++) {
        int width;

        if (s->curve[i].points->len == 0)
            continue;
        any = true;
        curve_text(p, &s->curve[i], text);
        width = TW_PX(50) + (int)tw_text_width(text->str, false) * TW_SVG_SANS;
        if (x > LEFT && x + width > RIGHT) {
            x = LEFT;
            lines++;
        }
        if (svg) {
            tw_plot_sample(svg, &s->curve[i], x, y + (lines - 1) * LINE_HEIGHT - TW_PX(4));
            tw_svg_text(svg, "", x + TW_PX(26), y + (lines - 1) * LINE_HEIGHT, text->str);
        }
        x += width;
    }
    if (svg && !any)
        tw_svg_text(svg, "q", LEFT, y, nothing(s));
    return lines;
}

/* The stream, the point of capture, and settings of this graph. */
static void subtitle(const struct tw_series *s, tw_string *to)
{
    tcpwhy_ns way_ns = s->stream->way_ns[s->from];
    bool shifted = s->graph == TCPWHY_GRAPH_INFLIGHT || s->graph == TCPWHY_GRAPH_WINDOW ||
                   s->graph == TCPWHY_GRAPH_RTT || s->graph == TCPWHY_GRAPH_CWND;

    tw_string_append_printf(to, "Stream %u, data sent by the %s; captured: ", s->stream->stream,
                            s->from == TCPWHY_CLIENT ? "client" : "server");
    tw_stream_vantage(to, s->stream);
    if (shifted && way_ns > 0)
        tw_string_append_printf(to, ", shifted by %s to the sender", tw_duration(way_ns).text);
    if (s->interval_ns > 0)
        tw_string_append_printf(to, "; intervals of %s", tw_duration(s->interval_ns).text);
}

static void titles(const struct tw_plot *p)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(text, "%s, ", tw_graph_title(p->series->graph));
    tw_text_ends(text, p->series->stream, p->series->from);
    tw_svg_heading(p->svg, MARGIN, TW_PX(28), WIDTH, text->str);
    tw_string_truncate(text, 0);
    subtitle(p->series, text);
    tw_svg_text(p->svg, "q", MARGIN, TW_PX(48), text->str);
}

void tw_graph_svg(const struct tw_graph_job *job, struct tw_writer *out)
{
    struct picture p = lay_out(out, job->series);
    int legend = curve_legend(NULL, &p, 0) * LINE_HEIGHT;
    int height = LEGEND + legend + tw_cause_strip_legend_height(&p.strip) + TW_PX(12);

    tw_svg_begin(out, &(struct tw_svg_page) { .width = WIDTH,
                                              .height = height,
                                              .title = tw_graph_title(job->series->graph),
                                              .causes = tw_cause_strip_causes(&p.strip),
                                              .curves = true });
    titles(&p.plot);
    bands(&p);
    tw_axis_draw_time(out, &p.plot.x, TOP, BOTTOM, BOTTOM + TW_PX(26));
    tw_axis_draw_values(out, &p.plot.y, LEFT, RIGHT);
    curves(&p.plot);
    ceiling(&p);
    curve_legend(out, &p, LEGEND + TW_PX(8));
    tw_cause_strip_legend(out, &p.strip, LEGEND + legend);
    tw_svg_end(out);
}
