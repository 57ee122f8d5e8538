/* SPDX-License-Identifier: MIT */
/* A series for programs: public structs that stand on their own. */
#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/counts.h"
#include "base/options.h"
#include "report/series/graph_words.h"
#include "report/flow/flow.h"
#include "report/report_views.h"

/* Columns of the points, behind the curve that points to them, in one block. */
static struct tcpwhy_curve *copy_curve(const struct tw_curve *curve)
{
    static const enum tcpwhy_mark marks[] = {
        [TW_MARK_STEP] = TCPWHY_MARK_STEP,
        [TW_MARK_BAR] = TCPWHY_MARK_BAR,
        [TW_MARK_DOT] = TCPWHY_MARK_DOT,
    };
    size_t n = curve->points->len;
    struct tcpwhy_curve *copy =
        tw_malloc(sizeof *copy + n * (3 * sizeof(int64_t) + sizeof(uint32_t)));
    int64_t *time_ns = (int64_t *)(void *)(copy + 1), *low = time_ns + n, *high = low + n;
    uint32_t *frames = (uint32_t *)(void *)(high + n);

    for (size_t i = 0; i < n; i++) {
        const struct tw_point *p = &tw_array_index(curve->points, struct tw_point, i);

        time_ns[i] = p->time_ns;
        low[i] = p->low;
        high[i] = p->high;
        frames[i] = p->frame;
    }
    *copy = (struct tcpwhy_curve) {
        .name = tw_roles[curve->role].name,
        .mark = marks[curve->mark],
        .n_points = n,
        .time_ns = time_ns,
        .low = low,
        .high = high,
        .frames = frames,
    };
    return copy;
}

static struct tcpwhy_series *copy_series(const struct tw_series *series)
{
    const void **curves;
    struct tcpwhy_series *copy = tw_view_block(sizeof *copy, series->n_curves, &curves);

    *copy = (struct tcpwhy_series) {
        .graph = series->graph,
        .stream = series->stream->stream,
        .from = series->from,
        .from_ns = series->from_ns,
        .to_ns = series->to_ns,
        .interval_ns = series->interval_ns,
        .ceiling = series->ceiling.value,
        .ceiling_cause = series->ceiling.cause,
        .curves = (const void *)curves,
    };
    for (unsigned i = 0; i < series->n_curves; i++)
        if (series->curve[i].points->len > 0)
            curves[copy->n_curves++] = copy_curve(&series->curve[i]);
    return copy;
}

static int new_series(const tcpwhy_report *report, enum tcpwhy_graph graph,
                      const struct tcpwhy_graph_options *options, struct tcpwhy_series **out)
{
    struct tw_flow_source source;
    struct tw_series series;

    if (!tw_flow_find(report, options->stream, &source))
        return TCPWHY_ERR_ARGUMENT;
    tw_series_build(source.stream, source.log, graph, options, &series);
    *out = copy_series(&series);
    tw_series_clear(&series);
    return 0;
}

int tcpwhy_series_new(const tcpwhy_report *report, enum tcpwhy_graph graph,
                      const struct tcpwhy_graph_options *given, struct tcpwhy_series **out)
{
    struct tcpwhy_graph_options options;
    struct tw_guard guard;
    int status;

    if (!report || !out)
        return TCPWHY_ERR_USAGE;
    if ((unsigned)graph >= TW_N_GRAPHS || !tw_options_copy(&options, sizeof options, given))
        return TCPWHY_ERR_ARGUMENT;
    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    status = new_series(report, graph, &options, out);
    tw_call_end(&guard);
    return status;
}

void tcpwhy_series_free(struct tcpwhy_series *series)
{
    if (!series)
        return;
    for (size_t i = 0; i < series->n_curves; i++)
        tw_free((gpointer)(uintptr_t)series->curves[i]);
    tw_free(series);
}
