/* SPDX-License-Identifier: MIT */
/*
 * Bytes in flight have a ceiling below the receive window, round trip after round trip, without
 * loss or a queue: the send buffer holds no more (SO_SNDBUF, tcp_wmem).
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* Since the previous round the receiver's program, not only its kernel, has spoken: it may grant
 * what may be sent next, as HTTP/2 (RFC 9113, 5.2) and SSH (RFC 4254, 5.2) do. */
static bool may_be_granted(const struct tw_gap *w)
{
    const struct tw_send *before = &w->context->sends[w->sender].send[MAX(w->round->first, 1) - 1];

    return tw_gap_record(w, w->send)->ack > tw_gap_record(w, before)->ack;
}

/* Captured at the sender: when did ACKs make room for the segment? Not later than the newest ACK,
 * if any came: only that can have woken the writer. */
static tcpwhy_ns had_room_since(const struct tw_gap *w)
{
    const struct tw_record *sent = tw_gap_record(w, w->send), *before = tw_gap_record(w, w->before);
    int64_t free_from = tw_send_seq(w->send) - w->round->flight_bytes / TW_FACTOR;
    tcpwhy_ns wait_ns = sent->time_ns - before->time_ns;
    bool came_late = w->since_ack_ns != TCPWHY_NS_UNKNOWN && w->since_ack_ns < wait_ns &&
                     w->since_ack_ns > wait_ns / TW_RARE_SHARE;
    tcpwhy_ns since_ns = sent->time_ns - (came_late ? w->since_ack_ns : 0);

    for (const struct tw_record *r = sent - 1; r > before; r--)
        if (r->from != sent->from && r->ack >= free_from)
            since_ns = r->time_ns;
    return since_ns;
}

/* A program that writes once per round trip looks the same. Away from the sender, its clock and the
 * ACKs' differ by less than the path varies, and what it wrote ends with a partial segment. At the
 * sender nothing shows that more was queued, and the segment left later than a kernel wakes a
 * writer. */
static bool may_be_in_step(const struct tw_gap *w)
{
    if (w->context->vantage.to_side_ns[w->sender] > 0)
        return w->round->flat.written || tw_gap_queue_was_empty(w);
    return (tw_gap_record(w, w->before)->flags & TW_PSH) &&
           w->send->sent_ns - had_room_since(w) > TW_KERNEL_NS;
}

static bool is_flat(const struct tw_round *r)
{
    return r->flat.rounds >= (r->loss_before ? TW_CUBIC_FLAT_ROUNDS : TW_HABIT);
}

/* More was in flight before, and nothing has reduced it since. */
static bool has_room(const struct tw_round *r, int64_t mss)
{
    return r->flight_bytes + TW_FLAT_SEGMENTS * mss <= r->most_bytes;
}

/* The kernel counts a send buffer in memory (sk_wmem_queued), and segments differ in it: the
 * ceiling may be ragged. The buffer has room here, or had it before and has it after; or it has
 * before or after, and this flight is no larger than earlier ones. A congestion window that
 * released no more would have grown. */
static bool is_ragged(const struct tw_round *r, int64_t mss)
{
    bool before = r->first > 0 && has_room(r - 1, mss);
    bool behind = !r->no_next && has_room(r + 1, mss);

    if (has_room(r, mss))
        return true;
    return tw_round_growth(r) < TW_SLOW_START_GROWTH &&
           (r->flight_bytes <= r->most_bytes ? before || behind : before && behind);
}

/* A ragged ceiling at which an ACK let the segment go. */
static bool is_held_ragged(const struct tw_gap *w, int64_t mss, tcpwhy_ns rtt)
{
    const struct tw_round *r = w->round;

    return w->ack_clocked && is_ragged(r, mss) && !r->loss_before && !r->misled_before &&
           !r->window_full && r->queue_ns <= tw_queue_shows_ns(rtt) && tw_gap_knows_window(w) &&
           !tw_gap_may_be_serialisation(w);
}

/* After a pause: at the sender, an ACK may have woken the writer that had filled the buffer; or the
 * writer goes by a clock. */
static bool is_possible(const struct tw_gap *w)
{
    int64_t flight = tw_send_flight(w->before);

    if (tw_pause_keeps_clock(w))
        return !w->round->flat.paced;
    /* A partial segment ends a write, or what a small buffer accepted of it; the rest was waiting.
     * Such a buffer holds at least two segments, and not much less than was in flight before. */
    return tw_pause_may_be_woken(w) && w->before->is & TW_SEND_PARTIAL &&
           2 * flight >= w->round->most_bytes &&
           flight >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes;
}

/* Is it doubtful that the run of equal rounds shows this ceiling, and not another? */
static bool is_doubted(const struct tw_gap *w, bool flat)
{
    const struct tw_round *r = w->round;

    return !flat || !tw_gap_knows_window(w) || r->loss_before || r->misled_before ||
           r->flat.rounds < 2 * TW_HABIT ||
           r->queue_ns > tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage)) ||
           tw_gap_may_be_full_path(w) || r->flat.unprompted || may_be_granted(w) ||
           may_be_in_step(w);
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_round *round = w->round;
    uint32_t mss = w->context->sends[w->sender].mss_bytes;
    bool flat;

    r->party = tw_party_of(w->sender);
    r->odds = TW_ODDS_POSSIBLE;
    if (w->paused) {
        /* Away from the sender ACKs that were lost or late hide what it waited for, unless it had
         * more in flight before. */
        if (w->context->vantage.to_side_ns[w->sender] > 0 && !is_ragged(round, mss))
            r->odds = TW_ODDS_SUSPECTED;
        return is_possible(w) ? NULL : "no ACK made room in a full send buffer";
    }
    if (round->flight_bytes < 2 * (int64_t)mss)
        return "less than two segments were in flight";
    if (round->flat.own_clock) {
        r->odds = TW_ODDS_SUSPECTED; /* its writes may keep step with the ACKs */
        return w->ack_clocked && tw_gap_is_soon(w) ? NULL : "its sender writes by a clock";
    }
    if (round->flight_bytes + (int64_t)mss >= round->window_bytes) {
        r->odds = TW_ODDS_SUSPECTED; /* an inferred window may be no window */
        return w->context->sends[w->sender].wscale_inferred == TW_INFERRED_LIKELY
                   ? NULL
                   : "the receive window was full";
    }
    flat = is_flat(round) && !round->flat.climbing;
    if (flat || is_held_ragged(w, mss, tw_min_rtt_ns(&w->context->vantage))) {
        r->odds = is_doubted(w, flat) ? TW_ODDS_DOUBTED : TW_ODDS_SHOWN;
        /* A queue stands anyway: the path does not wait for this buffer. */
        if (round->queue.standing)
            r->odds = round->queue.drains ? TW_ODDS_SUSPECTED : TW_ODDS_POSSIBLE;
        return NULL;
    }
    r->odds = TW_ODDS_SUSPECTED;
    return round->queue.drains ? NULL : "the flight has no ceiling that it keeps to";
}

const struct tw_hypothesis tw_hypothesis_send_buffer_limited = {
    TCPWHY_SEND_BUFFER_LIMITED, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE, weigh
};
