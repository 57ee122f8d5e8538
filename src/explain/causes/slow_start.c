/* SPDX-License-Identifier: MIT */
/*
 * The flight still doubles from round trip to round trip (RFC 5681, 3.1): a connection that has
 * not yet found out what the path carries.
 */
#include <glib.h>

#include "explain/causes/detector.h"
#include "explain/thresholds.h"

/* Nothing before was as large: what once was in flight may be again. */
static bool grows(const struct tw_round *r, double growth)
{
    return growth >= TW_SLOW_START_GROWTH && r->flight_bytes > r->most_bytes;
}

static bool grows_next(const struct tw_round *r)
{
    return grows(r + 1, tw_round_next_growth(r));
}

/* The receiver acknowledged nothing new twice from its first segment to the next round's. */
static bool is_of_one_ack(const struct tw_gap *w, const struct tw_round *r)
{
    const struct tw_send *send = w->context->sends[w->sender].send;
    const struct tw_record *a = w->context->log->record + send[r->first].record;
    const struct tw_record *end = w->context->log->record + send[r[1].first].record;
    int64_t acked = INT64_MAX;

    if (end - a > TW_NEAR_RECORDS)
        return false;
    for (; a < end; a++) {
        if (a->from != w->sender && a->ack > acked)
            return false;
        if (a->from != w->sender)
            acked = a->ack;
    }
    return true;
}

/* A window grows by one segment for each ACK, however many it covers (RFC 5681, 3.1; who counts
 * bytes has no such limit: RFC 3465; Linux since 3.18). Of a flight that one ACK answers, as cards
 * and kernels join what comes together, that is no more than congestion avoidance adds. */
static bool may_grow_by_acks(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;

    return r->first > 0 && !r->no_next && !r->starved && !r->misled_before &&
           r->flight_bytes >= r[-1].flight_bytes + w->context->sends[w->sender].mss_bytes &&
           r[1].flight_bytes >= r->flight_bytes && is_of_one_ack(w, r) && is_of_one_ack(w, r - 1);
}

/* One of the first flight, which nothing held back. */
static bool follows_in_first(const struct tw_gap *w)
{
    int64_t first = TW_INITIAL_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;
    tcpwhy_ns rtt = w->context->vantage.rtt_min_ns;

    return w->send->end <= 1 + first && w->send->acked <= 1 &&
           w->to_ns - w->from_ns <= MAX(rtt / TW_SHORT_SHARE, TW_SHORT_NS);
}

/* A full congestion window opens with an ACK; without one the sender paused, or paced itself, or
 * the way spread what it sent. */
static enum tcpwhy_cause rival_of_pause(const struct tw_gap *w)
{
    tcpwhy_ns spread = w->context->vantage.to_side_ns[w->sender] / TW_PROMPT_SHARE;

    return w->to_ns - w->from_ns > spread ? TCPWHY_APP_LIMITED : TCPWHY_WIRE;
}

/* How sure is growth? Of a connection whose beginning is not here twice in a row shows it. */
static bool may_have_been_larger(const struct tw_gap *w, double growth)
{
    const struct tw_round *r = w->round;

    if (w->context->connection->side[w->sender].syn)
        return growth != 0 && !grows(r, growth) && !grows_next(r);
    return !grows(r, growth) || !grows_next(r);
}

/*
 * Nothing less than a segment leaves while more is queued, but at the end of the window
 * (silly-window avoidance, RFC 9293, 3.8.6.2.1): behind it its sender had nothing more, pushed or
 * not. Who cuts all he has smaller than is known, as for a path MTU, goes on as small.
 */
static bool may_have_been_empty(const struct tw_gap *w)
{
    const struct tw_send *before = w->before;

    return tw_send_is_small(before) && before->len < w->send->len &&
           !tw_send_fills_remainder(before);
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_round *r = w->round;
    bool released = w->ack_clocked || w->to_ns - w->from_ns <= tw_burst_ns(&w->context->vantage);
    double growth;
    enum tcpwhy_cause late;
    bool by_acks = false;

    /* No window is less than a segment (RFC 5681, 3.1). */
    if (tw_gap_after_loss(w) || r->flight_bytes < (int64_t)w->context->sends[w->sender].mss_bytes)
        return false;
    growth = tw_round_growth(r);
    /* The first flight waits for its ACKs whatever comes after it; the first that a capture holds
     * is the first of all only when the beginning is there, too. */
    if ((growth != 0 || !w->context->connection->side[w->sender].syn) &&
        growth < TW_SLOW_START_GROWTH && tw_round_next_growth(r) < TW_SLOW_START_GROWTH) {
        by_acks = may_grow_by_acks(w);
        if (!by_acks)
            return false;
    }
    if (follows_in_first(w))
        return false;
    c->party = tw_party_of(w->sender);
    if (by_acks)
        tw_claim_add_rival(c, TCPWHY_EARLY_SLOW_START_EXIT);
    else if (!released)
        tw_claim_add_rival(c, rival_of_pause(w));
    else if (tw_gap_queue_was_empty(w) || may_have_been_empty(w))
        tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    else if (may_have_been_larger(w, growth))
        tw_claim_add_rival(c, TCPWHY_SEND_BUFFER_LIMITED);
    else if (tw_gap_repairs_busily(w))
        tw_claim_add_rival(c, TCPWHY_BANDWIDTH_LIMITED);
    else if (r->restarted)
        tw_claim_add_rival(c, TCPWHY_SLOW_START_AFTER_IDLE);
    else if ((late = tw_gap_rival_ack(w)) != TCPWHY_CAUSE_NONE)
        tw_claim_add_rival(c, late);
    return true;
}

const struct tw_detector tw_detect_slow_start = { TCPWHY_SLOW_START, claim,
                                                  TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE };
