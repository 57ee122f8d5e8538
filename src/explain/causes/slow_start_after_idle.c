/* SPDX-License-Identifier: MIT */
/*
 * The sender was idle for longer than an RTO and restarted with the initial window (RFC 5681, 4.1;
 * RFC 2861; tcp_slow_start_after_idle).
 */
#include "explain/causes/hypothesis.h"

/* Was no more in flight before the idle time? Unknown if the capture lacks the connection's
 * beginning. */
static bool had_less(const struct tw_gap *w)
{
    return w->context->connection->side[w->sender].syn &&
           w->round->idle_bytes <= w->round->flight_bytes;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    if (w->paused)
        return "no ACK let it go";
    if (w->round->queue.standing)
        return "a queue stands on the path";
    if (had_less(w))
        return "no more was in flight before the restart";
    if (tw_gap_fits_any_window(w))
        return "any congestion window had room";
    r->party = tw_party_of(w->sender);
    r->odds = TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_slow_start_after_idle = {
    TCPWHY_SLOW_START_AFTER_IDLE,
    TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE | TW_NEEDS_RESTART, weigh
};
