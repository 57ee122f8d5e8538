/* SPDX-License-Identifier: MIT */
/*
 * Lines, bars and dots, thinned to the visible resolution. Rare important points (a
 * retransmission, a zero window) are drawn enlarged, with their frame as a tooltip.
 */
#include <stdio.h>

#include "base/array.h"
#include "base/number.h"
#include "render/pictures/graph.h"
#include "report/series/series_thin.h"

/* Two columns a pixel, one grain a pixel: finer is not seen. */
#define COLUMNS_A_PIXEL 2

/* A bar of less is stretched, so that it shows. */
#define MIN_BAR    TW_PX(2)
#define MIN_NOTICE TW_PX(7)

static bool is_notice(enum tw_role role)
{
    return role >= TW_ROLE_OUT_OF_ORDER;
}

static bool is_area(enum tw_role role)
{
    return role == TW_ROLE_FLIGHT || role == TW_ROLE_SENT || role == TW_ROLE_USABLE;
}

static const struct tw_point *point_at(const tw_array *points, guint i)
{
    return &tw_array_index(points, struct tw_point, i);
}

static void steps(const struct tw_plot *p, const tw_array *points)
{
    int y = tw_axis_at(&p->y, point_at(points, 0)->low), x = 0;

    tw_svg_point(p->svg, "M", tw_axis_at(&p->x, point_at(points, 0)->time_ns), y);
    for (guint i = 1; i < points->len; i++) {
        int to = tw_axis_at(&p->y, point_at(points, i)->low);

        x = tw_axis_at(&p->x, point_at(points, i)->time_ns);
        if (to == y)
            continue;
        tw_svg_to(p->svg, "H", x);
        tw_svg_to(p->svg, "V", to);
        y = to;
    }
    /* The last value holds to the end of the shown time, or to the last frame. */
    if (points->len > 1)
        tw_svg_to(p->svg, "H", x);
}

static void bars(const struct tw_plot *p, const tw_array *points, int least)
{
    for (guint i = 0; i < points->len; i++) {
        int low = tw_axis_at(&p->y, point_at(points, i)->low);
        int high = tw_axis_at(&p->y, point_at(points, i)->high);
        int short_of = MAX(least - (low - high), 0);

        tw_svg_point(p->svg, "M", tw_axis_at(&p->x, point_at(points, i)->time_ns),
                     low + short_of / 2);
        tw_svg_to(p->svg, "V", high - (short_of + 1) / 2);
    }
}

static void dots(const struct tw_plot *p, const tw_array *points)
{
    for (guint i = 0; i < points->len; i++) {
        tw_svg_point(p->svg, "M", tw_axis_at(&p->x, point_at(points, i)->time_ns),
                     tw_axis_at(&p->y, point_at(points, i)->low));
        tw_writer_text(p->svg, "h0");
    }
}

/* Each by itself, with what it is. */
static void notices(const struct tw_plot *p, const struct tw_curve *curve, const tw_array *points)
{
    char text[2 * TW_SHORT_TEXT];

    for (guint i = 0; i < points->len && !p->svg->stopped; i++) {
        const struct tw_point *at = point_at(points, i);
        int x = tw_axis_at(&p->x, at->time_ns), low = tw_axis_at(&p->y, at->low);
        int high = tw_axis_at(&p->y, at->high), short_of = MAX(MIN_NOTICE - (low - high), 0);
        int bottom = MIN(low + short_of / 2, p->y.at_low);

        snprintf(text, sizeof(text), "%s, frame %u, %s s", tw_roles[curve->role].title, at->frame,
                 tw_fixed(at->time_ns, 9, 6, true).text);
        tw_svg_group(p->svg, "", text);
        tw_svg_line(p->svg, "", x, bottom, x, MIN(high, bottom - MIN_NOTICE));
        tw_svg_close(p->svg);
    }
}

static void path(const struct tw_plot *p, const struct tw_curve *curve, const tw_array *points)
{
    int ground = tw_axis_at(&p->y, p->y.low);

    tw_writer_text(p->svg, "<path d=\"");
    if (curve->mark == TW_MARK_STEP)
        steps(p, points);
    else if (curve->mark == TW_MARK_BAR)
        bars(p, points, MIN_BAR);
    else
        dots(p, points);
    tw_writer_text(p->svg, "\"/>\n");
    if (curve->mark != TW_MARK_STEP || !is_area(curve->role))
        return;
    tw_writer_text(p->svg, "<path class=\"area\" d=\"");
    steps(p, points);
    tw_svg_to(p->svg, "V", ground);
    tw_svg_to(p->svg, "H", tw_axis_at(&p->x, point_at(points, 0)->time_ns));
    tw_writer_text(p->svg, "z\"/>\n");
}

void tw_plot_curve(const struct tw_plot *p, const struct tw_curve *curve)
{
    const struct tw_thinning thinning = {
        .columns = (uint32_t)(ABS(p->x.at_high - p->x.at_low) / TW_PX(1)) * COLUMNS_A_PIXEL,
        .grain = (p->y.high - p->y.low) / (ABS(p->y.at_high - p->y.at_low) / TW_PX(1)),
    };
    tw_array *points;

    if (curve->points->len == 0)
        return;
    points = tw_curve_thin(p->series, curve, &thinning);
    tw_writer_printf(p->svg, "<g class=\"curve r-%s\">\n", tw_roles[curve->role].name);
    if (is_notice(curve->role))
        notices(p, curve, points);
    else
        path(p, curve, points);
    tw_svg_close(p->svg);
    tw_array_free(points, TRUE);
}

void tw_plot_sample(struct tw_writer *svg, const struct tw_curve *curve, int x, int y)
{
    tw_writer_printf(svg, "<g class=\"curve r-%s\"><path d=\"", tw_roles[curve->role].name);
    if (curve->mark == TW_MARK_STEP) {
        tw_svg_point(svg, "M", x, y);
        tw_svg_to(svg, "H", x + TW_PX(20));
    } else if (is_notice(curve->role) || curve->mark == TW_MARK_BAR) {
        tw_svg_point(svg, "M", x + TW_PX(10), y + TW_PX(5));
        tw_svg_to(svg, "V", y - TW_PX(5));
    } else {
        tw_svg_point(svg, "M", x + TW_PX(6), y + TW_PX(2));
        tw_writer_text(svg, "h0");
        tw_svg_point(svg, "M", x + TW_PX(12), y - TW_PX(2));
        tw_writer_text(svg, "h0");
    }
    tw_writer_text(svg, "\"/></g>\n");
}
