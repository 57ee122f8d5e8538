/* SPDX-License-Identifier: MIT */
/*
 * The congestion window that the sender can have had, with what it had in flight below it: a replay
 * of its TCP (explain/model/replay.h).
 */
#include "report/series/series_kind.h"

#include "base/scratch.h"
#include "explain/model/replay.h"

struct curves {
    struct tw_curve *window, *flight, *pipe, *cwnd_low, *cwnd_high, *ssthresh_low, *ssthresh_high,
        *loss, *repeat;
};

/* A level that does not change needs no point, and one that nothing bounds has none. */
static void level(struct tw_curve *curve, const struct tw_replay_state *st, int64_t value)
{
    guint n = curve->points->len;

    if (value == TW_UNBOUNDED)
        return;
    if (n > 0 && g_array_index(curve->points, struct tw_point, n - 1).low == value)
        return;
    tw_curve_add(curve, st->at_ns, value, value, st->record->frame);
}

static void add(const struct curves *c, const struct tw_replay_state *st)
{
    tw_curve_add(c->flight, st->at_ns, st->flight_bytes, st->flight_bytes, st->record->frame);
    tw_curve_add(c->pipe, st->at_ns, st->pipe_bytes, st->pipe_bytes, st->record->frame);
    if (st->edge != INT64_MAX)
        level(c->window, st, MAX(st->edge - st->una, 0));
    level(c->cwnd_low, st, st->cwnd_bytes.lo);
    level(c->cwnd_high, st, st->cwnd_bytes.hi);
    level(c->ssthresh_low, st, st->ssthresh_bytes.lo);
    level(c->ssthresh_high, st, st->ssthresh_bytes.hi);
    if (st->lost)
        tw_curve_add(c->loss, st->at_ns, st->pipe_bytes, st->pipe_bytes, st->record->frame);
    if (st->resent)
        tw_curve_add(c->repeat, st->at_ns, st->pipe_bytes, st->pipe_bytes, st->record->frame);
}

void tw_series_cwnd(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    struct tw_scratch scratch = { 0 };
    const struct curves c = {
        .window = tw_series_curve(s, TW_ROLE_WINDOW, TW_MARK_STEP),
        .flight = tw_series_curve(s, TW_ROLE_FLIGHT, TW_MARK_STEP),
        .pipe = tw_series_curve(s, TW_ROLE_PIPE, TW_MARK_STEP),
        .cwnd_low = tw_series_curve(s, TW_ROLE_CWND_LOW, TW_MARK_STEP),
        .cwnd_high = tw_series_curve(s, TW_ROLE_CWND_HIGH, TW_MARK_STEP),
        .ssthresh_low = tw_series_curve(s, TW_ROLE_SSTHRESH_LOW, TW_MARK_STEP),
        .ssthresh_high = tw_series_curve(s, TW_ROLE_SSTHRESH_HIGH, TW_MARK_STEP),
        .loss = tw_series_curve(s, TW_ROLE_LOSS, TW_MARK_DOT),
        .repeat = tw_series_curve(s, TW_ROLE_RETRANSMISSION, TW_MARK_DOT),
    };
    struct tw_replay_scene where = {
        .log = scene->log, .from = s->from, .way_ns = tw_series_way(s), .scratch = &scratch
    };
    struct tw_replay_known known;
    struct tw_replay replay;
    const struct tw_replay_state *st;

    tw_replay_learn(&where, &known);
    where.known = &known;
    tw_replay_begin(&replay, &where);
    while ((st = tw_replay_next(&replay)))
        add(&c, st);
    tw_series_find_send_buffer(s, c.flight);
    tw_scratch_clear(&scratch);
}
