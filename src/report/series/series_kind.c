/* SPDX-License-Identifier: MIT */
/*
 * Shared by the builders of curves: points, and frames in their sender's order.
 */
#include "report/series/series_kind.h"

#include "base/array.h"

struct tw_curve *tw_series_curve(struct tw_series *series, enum tw_role role, enum tw_mark mark)
{
    struct tw_curve *curve = &series->curve[series->n_curves++];

    g_assert(series->n_curves <= TW_MAX_CURVES);
    *curve = (struct tw_curve) { role, mark, tw_array_new(FALSE, FALSE, sizeof(struct tw_point)) };
    return curve;
}

void tw_curve_add(struct tw_curve *curve, tcpwhy_ns time_ns, int64_t low, int64_t high,
                  uint32_t frame)
{
    struct tw_point point = { time_ns, low, high, frame };

    tw_array_append_val(curve->points, point);
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
