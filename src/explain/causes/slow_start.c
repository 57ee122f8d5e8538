/* SPDX-License-Identifier: MIT */
/*
 * The flight still doubles from round trip to round trip (RFC 5681, 3.1): a connection that has
 * not yet found out what the path carries.
 */
#include <glib.h>

#include "explain/wait.h"

/* With delayed ACKs a flight grows by half a round trip at least (RFC 5681 without RFC 3465). */
#define GROWTH 1.4

/* The way from the sender to us spreads what left together, by less than this part of it. */
#define SPREAD_SHARE 4

/* A full congestion window opens with an ACK; without one the sender paused, or paced itself. */
static bool paused(const struct tw_wait *w)
{
    tcpwhy_ns spread = w->scene->vantage.to_side_ns[w->sender] / SPREAD_SHARE;

    return !w->ack_released && w->to_ns - w->from_ns > spread;
}

/* As much as this flight was under way before: then it does not show how large the congestion
 * window is. */
static bool was_as_high(const struct tw_round *r)
{
    return r->most_bytes >= MAX(r->flight_bytes, r->no_next ? 0 : r[1].flight_bytes);
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    const struct tw_round *r = w->round;
    double growth;

    /* No window is less than a segment (RFC 5681, 3.1). */
    if (r->loss_before || r->flight_bytes < (int64_t)w->scene->sends[w->sender].mss_bytes)
        return false;
    growth = tw_round_growth(r);
    /* The first flight waits for its ACKs whatever comes after it; the first that a capture holds
     * is the first of all only when the beginning is there, too. */
    if ((growth != 0 || !w->scene->connection->side[w->sender].syn) && growth < GROWTH &&
        tw_round_next_growth(r) < GROWTH)
        return false;
    c->party = tw_party_of(w->sender);
    if (paused(w) || tw_wait_queue_was_empty(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_APP_LIMITED;
    } else if (was_as_high(r)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_SEND_BUFFER_LIMITED;
    }
    return true;
}

const struct tw_detector tw_detect_slow_start = { TCPWHY_SLOW_START, claim,
                                                  TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE };
