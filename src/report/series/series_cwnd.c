/* SPDX-License-Identifier: MIT */
/*
 * The congestion window that the sender can have had, with what it had in flight below it: a replay
 * of its TCP (explain/model/replay.h).
 */
#include "report/series/series_replay.h"

struct curves {
    struct tw_curve *window, *flight, *pipe, *cwnd_low, *cwnd_high, *ssthresh_low, *ssthresh_high,
        *loss, *repeat;
};

static void add(void *user, const struct tw_replay_state *st)
{
    const struct curves *c = user;

    tw_curve_add(c->flight, st->at_ns, st->flight_bytes, st->flight_bytes, st->record->frame);
    tw_curve_add(c->pipe, st->at_ns, st->pipe_bytes, st->pipe_bytes, st->record->frame);
    if (st->edge != INT64_MAX)
        tw_series_level(c->window, st, MAX(st->edge - st->una, 0));
    tw_series_level(c->cwnd_low, st, st->cwnd_bytes.lo);
    tw_series_level(c->cwnd_high, st, st->cwnd_bytes.hi);
    tw_series_level(c->ssthresh_low, st, st->ssthresh_bytes.lo);
    tw_series_level(c->ssthresh_high, st, st->ssthresh_bytes.hi);
    if (st->lost)
        tw_curve_add(c->loss, st->at_ns, st->pipe_bytes, st->pipe_bytes, st->record->frame);
    if (st->resent)
        tw_curve_add(c->repeat, st->at_ns, st->pipe_bytes, st->pipe_bytes, st->record->frame);
}

void tw_series_cwnd(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    struct curves c = {
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

    tw_series_replay(scene, add, &c);
    tw_series_find_send_buffer(s, c.flight);
}
