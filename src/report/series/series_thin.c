/* SPDX-License-Identifier: MIT */
/*
 * Each column of a picture keeps, of a line, its first and last point, its lowest and its highest;
 * of bars their union, as far as it can be seen; of dots one in each cell.
 */
#include "report/series/series_thin.h"

#include <string.h>

#include "base/array.h"

static const struct tw_point *point_at(const tw_array *points, guint i)
{
    return &tw_array_index(points, struct tw_point, i);
}

static uint32_t column_of(const struct tw_series *s, const struct tw_point *p, uint32_t columns)
{
    double part = (double)(p->time_ns - s->from_ns) / (double)MAX(s->to_ns - s->from_ns, 1);

    return MIN((uint32_t)(CLAMP(part, 0, 1) * columns), columns - 1);
}

/* Points [from, to) are in one column. */
static void thin_steps(const tw_array *points, guint from, guint to, tw_array *out)
{
    guint low = from, high = from, keep[4];

    for (guint i = from; i < to; i++) {
        if (point_at(points, i)->low < point_at(points, low)->low)
            low = i;
        if (point_at(points, i)->high > point_at(points, high)->high)
            high = i;
    }
    keep[0] = from;
    keep[1] = MIN(low, high);
    keep[2] = MAX(low, high);
    keep[3] = to - 1;
    for (int i = 0; i < 4; i++)
        if (i == 0 || keep[i] != keep[i - 1])
            tw_array_append_val(out, *point_at(points, keep[i]));
}

static gint by_low(gconstpointer a, gconstpointer b)
{
    const struct tw_point *x = a, *y = b;

    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

/* Bars that touch become one; dots are bars without length, and those of one cell touch. */
static void thin_bars(const tw_array *points, guint from, guint to, int64_t grain, tw_array *out)
{
    tw_array *sorted = tw_array_new(FALSE, FALSE, sizeof(struct tw_point));
    struct tw_point joined;

    tw_array_append_vals(sorted, point_at(points, from), to - from);
    tw_array_sort(sorted, by_low);
    joined = *point_at(sorted, 0);
    for (guint i = 1; i < sorted->len; i++) {
        const struct tw_point *p = point_at(sorted, i);

        if (p->low - joined.high < grain) {
            joined.high = MAX(joined.high, p->high);
            continue;
        }
        tw_array_append_val(out, joined);
        joined = *p;
    }
    tw_array_append_val(out, joined);
    tw_array_free(sorted, TRUE);
}

static void thin_dots(const tw_array *points, guint from, guint to, int64_t grain, tw_array *out)
{
    tw_array *sorted = tw_array_new(FALSE, FALSE, sizeof(struct tw_point));
    const struct tw_point *top = NULL;

    tw_array_append_vals(sorted, point_at(points, from), to - from);
    tw_array_sort(sorted, by_low);
    for (guint i = 0; i < sorted->len; i++) {
        const struct tw_point *p = point_at(sorted, i);

        /* The last of a column is its highest: that stays too. */
        if (top && p->low - top->low < grain && i + 1 < sorted->len)
            continue;
        top = p;
        tw_array_append_val(out, *p);
    }
    tw_array_free(sorted, TRUE);
}

tw_array *tw_curve_thin(const struct tw_series *series, const struct tw_curve *curve,
                        const struct tw_thinning *thinning)
{
    const tw_array *points = curve->points;
    tw_array *out = tw_array_new(FALSE, FALSE, sizeof(struct tw_point));
    int64_t grain = MAX(thinning->grain, 1);

    for (guint from = 0, to; from < points->len; from = to) {
        uint32_t column = column_of(series, point_at(points, from), thinning->columns);

        for (to = from + 1; to < points->len; to++)
            if (column_of(series, point_at(points, to), thinning->columns) != column)
                break;
        if (curve->mark == TW_MARK_STEP)
            thin_steps(points, from, to, out);
        else if (curve->mark == TW_MARK_BAR)
            thin_bars(points, from, to, grain, out);
        else
            thin_dots(points, from, to, grain, out);
    }
    return out;
}
