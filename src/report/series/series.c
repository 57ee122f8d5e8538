/* SPDX-License-Identifier: MIT */
/*
 * Chooses direction and range, has the curves made, and keeps what is inside the range.
 */
#include "base/array.h"
#include "base/counts.h"
#include "report/series/series.h"

#include "report/series/series_kind.h"

static enum tcpwhy_side choose_side(const struct tw_stream_row *stream, enum tcpwhy_party from)
{
    if (from == TCPWHY_PARTY_CLIENT)
        return TCPWHY_CLIENT;
    if (from == TCPWHY_PARTY_SERVER)
        return TCPWHY_SERVER;
    return stream->bytes_to_server > stream->bytes_to_client ? TCPWHY_CLIENT : TCPWHY_SERVER;
}

/* Points outside the range go; of steps the value at its beginning stays. */
static void crop(const struct tw_series *s, struct tw_curve *curve)
{
    tw_array *points = curve->points;
    struct tw_point *point = (struct tw_point *)(void *)points->data;
    guint top = 0, before = points->len;

    for (guint i = 0; i < points->len; i++) {
        if (point[i].time_ns < s->from_ns)
            before = i;
        else if (point[i].time_ns <= s->to_ns)
            break;
    }
    if (curve->mark == TW_MARK_STEP && before < points->len) {
        point[top] = point[before];
        point[top++].time_ns = s->from_ns;
    }
    for (guint i = top; i < points->len; i++)
        if (i != before && point[i].time_ns >= s->from_ns && point[i].time_ns <= s->to_ns)
            point[top++] = point[i];
    tw_array_set_size(points, top);
}

void tw_series_build(const struct tw_stream_row *stream, const struct tw_log *log,
                     enum tcpwhy_graph graph, const struct tcpwhy_graph_options *options,
                     struct tw_series *out)
{
    static void (*const build[TW_N_GRAPHS])(const struct tw_series_scene *) = {
        [TCPWHY_GRAPH_SEQUENCE] = tw_series_sequence,
        [TCPWHY_GRAPH_INFLIGHT] = tw_series_inflight,
        [TCPWHY_GRAPH_WINDOW] = tw_series_window,
        [TCPWHY_GRAPH_THROUGHPUT] = tw_series_throughput,
        [TCPWHY_GRAPH_RTT] = tw_series_rtt,
        [TCPWHY_GRAPH_CWND] = tw_series_cwnd,
    };
    const struct tw_series_scene scene = { log, options, out };
    tcpwhy_ns end_ns = stream->start_ns + stream->duration_ns;

    *out = (struct tw_series) { .graph = graph,
                                .stream = stream,
                                .from = choose_side(stream, options->from),
                                .from_ns = MAX(stream->start_ns, options->from_ns),
                                .to_ns = options->to_ns ? MIN(end_ns, options->to_ns) : end_ns };
    build[graph](&scene);
    for (unsigned i = 0; i < out->n_curves; i++)
        crop(out, &out->curve[i]);
}

void tw_series_clear(struct tw_series *series)
{
    for (unsigned i = 0; i < series->n_curves; i++)
        tw_array_free(series->curve[i].points, TRUE);
    series->n_curves = 0;
}

bool tw_series_range(const struct tw_series *series, int64_t *low, int64_t *high)
{
    bool any = false;

    for (unsigned i = 0; i < series->n_curves; i++) {
        const tw_array *points = series->curve[i].points;

        for (guint k = 0; k < points->len; k++) {
            const struct tw_point *p = &tw_array_index(points, struct tw_point, k);

            *low = any ? MIN(*low, p->low) : p->low;
            *high = any ? MAX(*high, p->high) : p->high;
            any = true;
        }
    }
    return any;
}
