/* SPDX-License-Identifier: MIT */
/*
 * A partial segment was corked (TCP_CORK, MSG_MORE) and left when Linux's probe timer fired: one
 * RTO after the last event, 200 ms plus SRTT (tcp_check_probe_timer(), tcp_probe0_base()). A
 * program that sleeps for 200 ms adds no SRTT and does not follow the kernel's timer ticks.
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/vantage/ip_id.h"
#include "explain/thresholds.h"

#define HOLD_NS TW_RTO_MIN_NS

static tcpwhy_ns least_hold(const struct tw_vantage *v)
{
    return HOLD_NS + v->rtt_min_ns * 3 / 4;
}

static tcpwhy_ns longest_hold(const struct tw_vantage *v, enum tw_timer_ticks timer_ticks)
{
    tcpwhy_ns timeout_ns = HOLD_NS + v->rtt_max_ns;

    if (timer_ticks == TW_TIMER_TICKS_SURE)
        timeout_ns = MAX(timeout_ns, TW_FIRST_TIMEOUT_TRIPS * v->rtt_min_ns);
    return timeout_ns + timeout_ns / TW_TIMER_COARSE_SHARE + TW_TIMER_TICK_NS;
}

static tcpwhy_ns held_for(const struct tw_gap *w)
{
    return w->phase == TW_PHASE_MESSAGE ? w->since_ack_ns
                                        : w->to_ns - w->from_ns - w->propagation_ns;
}

/* Nothing was in flight. An idle side was not asked. */
static bool is_drained(const struct tw_gap *w)
{
    return w->flight_empty || (w->phase == TW_PHASE_IDLE && !w->context->sends[w->sender].heard);
}

/* Away from the sender, segments in between may have been lost before the vantage. */
static bool is_next_packet(const struct tw_gap *w)
{
    return w->context->vantage.to_side_ns[w->sender] == 0 ||
           tw_ip_id_continues(tw_gap_record(w, w->before), tw_gap_record(w, w->send),
                              w->context->sends[w->sender].mss_bytes);
}

/* A full segment without PSH shows that more was queued, and this is the last of it. It left alone,
 * as late as a cork makes it. */
static bool is_last_of_more(const struct tw_gap *w)
{
    return w->phase == TW_PHASE_MESSAGE && w->before && tw_pause_left_more(w) &&
           (tw_gap_record(w, w->send)->flags & TW_PSH) && is_next_packet(w);
}

/* A cork does not release a partial segment on the ACK of another; Nagle's algorithm does. Programs
 * that sleep whole milliseconds after a delayed ACK follow timer ticks as well. */
static bool goes_by_acks(const struct tw_gap *w)
{
    return w->context->sends[w->sender].nagle_held_alone >= TW_OFTEN;
}

/* The confidence that the side's sends follow timer ticks. Before a message begins nothing shows
 * that part of it was written: a program may think for any time, and hit ticks a few times by
 * chance. */
static enum tw_timer_ticks how_sure(const struct tw_gap *w)
{
    enum tw_timer_ticks timer_ticks =
        goes_by_acks(w) ? TW_TIMER_TICKS_NONE : w->context->timer_ticks[w->sender];

    if (timer_ticks < TW_TIMER_TICKS_SURE && is_last_of_more(w))
        return TW_TIMER_TICKS_SURE;
    return w->phase != TW_PHASE_MESSAGE && timer_ticks < TW_TIMER_TICKS_SURE ? TW_TIMER_TICKS_NONE
                                                                             : timer_ticks;
}

static bool fits(const struct tw_gap *w, tcpwhy_ns held)
{
    const struct tw_vantage *v = &w->context->vantage;
    enum tw_timer_ticks sure = how_sure(w);

    return sure >= TW_TIMER_TICKS_SHOWN && is_drained(w) && held >= least_hold(v) &&
           held <= longest_hold(v, sure);
}

/* The program may have written late, or in step with ACKs, or the segment begins a message. A
 * request sent on a beat that falls on ticks may be held too if it is as late as a cork makes it.
 * If the SYN waited for ARP (RFC 826), SRTT is too high for a while: allow one RTT more. */
static bool is_possible(const struct tw_gap *w, tcpwhy_ns held)
{
    const struct tw_vantage *v = &w->context->vantage;
    const enum tw_timer_ticks timer_ticks = w->context->timer_ticks[w->sender];
    tcpwhy_ns longest_ns;

    if (timer_ticks < (w->phase != TW_PHASE_MESSAGE ? TW_TIMER_TICKS_SHOWN : TW_TIMER_TICKS_SURE) ||
        !is_drained(w))
        return false;
    longest_ns = longest_hold(v, TW_TIMER_TICKS_SURE);
    longest_ns += timer_ticks == TW_TIMER_TICKS_SURE ? longest_ns : v->rtt_min_ns;
    return held >= least_hold(v) && held <= longest_ns;
}

/* The first answer of a side, alone in its segment: RTO is that of one round trip (RFC 6298, 2.2),
 * and no other time of the side tells whether that timer let the answer go. */
static bool may_be_first_timeout(const struct tw_gap *w, tcpwhy_ns held)
{
    tcpwhy_ns rtt_ns = w->context->vantage.rtt_min_ns, rto_ns = MAX(HOLD_NS + rtt_ns, 3 * rtt_ns);

    return w->phase == TW_PHASE_TURN && w->send == w->context->sends[w->sender].send &&
           held >= rto_ns && held <= rto_ns + rto_ns / TW_TIMER_COARSE_SHARE + TW_TIMER_TICK_NS;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    tcpwhy_ns held = held_for(w);

    if (held < HOLD_NS) /* as most gaps are */
        return "it was shorter than a corked segment's timer";
    if (w->context->vantage.rtt_min_ns == TCPWHY_NS_UNKNOWN)
        return "the round trip is not known";
    r->party = tw_party_of(w->sender);
    tw_release_behind_way(r, w);
    /* A program may sleep as long. */
    r->odds = TW_ODDS_DOUBTED;
    if (fits(w, held))
        return NULL;
    r->odds = TW_ODDS_POSSIBLE;
    return is_possible(w, held) || may_be_first_timeout(w, held)
               ? NULL
               : "its times are not those of a corked segment's timer";
}

const struct tw_hypothesis tw_hypothesis_cork_hold = {
    TCPWHY_CORK_HOLD, TW_NEEDS_PARTIAL | TW_NEEDS_EMPTY | TW_NEEDS_WHOLE, weigh
};
