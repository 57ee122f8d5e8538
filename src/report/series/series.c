/* SPDX-License-Identifier: MIT */
/*
 * Chooses direction and range, has the curves made, and keeps what is inside the range.
 */
#include "base/counts.h"
#include "report/series/series.h"

#include "report/series/series_kind.h"

struct tw_curve *tw_series_curve(struct tw_series *series, enum tw_role role, enum tw_mark mark)
{
    struct tw_curve *curve = &series->curve[series->n_curves++];

    g_assert(series->n_curves <= TW_MAX_CURVES);
    *curve = (struct tw_curve) { role, mark, g_array_new(FALSE, FALSE, sizeof(struct tw_point)) };
    return curve;
}

void tw_curve_add(struct tw_curve *curve, tcpwhy_ns time_ns, int64_t low, int64_t high,
                  uint32_t frame)
{
    struct tw_point point = { time_ns, low, high, frame };

    g_array_append_val(curve->points, point);
}

tcpwhy_ns tw_series_way(const struct tw_series *series)
{
    return series->stream->way_ns[series->from];
}

struct tw_passing tw_passing_begin(const struct tw_series_scene *scene)
{
    return (struct tw_passing) {
        .log = scene->log,
        .from = scene->series->from,
        .way_ns = tw_series_way(scene->series),
    };
}

/* The first record of a side from there on; log->n when there is none. */
static uint32_t next_of(const struct tw_log *log, uint32_t i, bool of_sender,
                        enum tcpwhy_side sender)
{
    while (i < log->n && (log->record[i].from == sender) != of_sender)
        i++;
    return i;
}

const struct tw_record *tw_passing_next(struct tw_passing *p, tcpwhy_ns *time_ns)
{
    const struct tw_log *log = p->log;
    tcpwhy_ns sent_ns, heard_ns;

    p->sent = next_of(log, p->sent, true, p->from);
    p->heard = next_of(log, p->heard, false, p->from);
    if (p->sent == log->n && p->heard == log->n)
        return NULL;
    sent_ns = p->sent < log->n ? log->record[p->sent].time_ns - p->way_ns : INT64_MAX;
    heard_ns = p->heard < log->n ? log->record[p->heard].time_ns + p->way_ns : INT64_MAX;
    if (sent_ns < heard_ns || (sent_ns == heard_ns && p->sent < p->heard)) {
        *time_ns = sent_ns;
        return &log->record[p->sent++];
    }
    *time_ns = heard_ns;
    return &log->record[p->heard++];
}

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
    GArray *points = curve->points;
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
    g_array_set_size(points, top);
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
        g_array_free(series->curve[i].points, TRUE);
    series->n_curves = 0;
}

bool tw_series_range(const struct tw_series *series, int64_t *low, int64_t *high)
{
    bool any = false;

    for (unsigned i = 0; i < series->n_curves; i++) {
        const GArray *points = series->curve[i].points;

        for (guint k = 0; k < points->len; k++) {
            const struct tw_point *p = &g_array_index(points, struct tw_point, k);

            *low = any ? MIN(*low, p->low) : p->low;
            *high = any ? MAX(*high, p->high) : p->high;
            any = true;
        }
    }
    return any;
}
