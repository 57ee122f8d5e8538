/* SPDX-License-Identifier: MIT */
/*
 * The path is full: the RTT is above its minimum and more data in flight brings no more rate, so a
 * queue stands at the bottleneck.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* A full path delivers continuously, so a silence of a whole RTT has another cause. */
static tcpwhy_ns longest_silence(const struct tw_gap *w)
{
    if (w->round->ends_message)
        return tw_even_queue_ns(w->round);
    if (w->round->queue.spread || w->round->queue.drains)
        return w->round->max_gap_ns;
    return tw_min_rtt_ns(&w->context->vantage) + w->round->queue_ns;
}

static bool takes_too_long(const struct tw_gap *w)
{
    double took_ns = (double)(w->to_ns - w->from_ns);
    int64_t bytes;

    if (!w->ack_clocked || w->to_ns - w->from_ns <= TW_JOINED_NS)
        return false;
    bytes = w->send->acked - w->before->acked;
    return bytes > 0 && took_ns * w->round->rate > TW_UNEVEN * 1e9 * (double)bytes;
}

static bool is_uneven(const struct tw_gap *w)
{
    if (w->round->queue.doubtful || takes_too_long(w))
        return true;
    return !w->context->sends[w->sender].queues_seen &&
           w->round->max_gap_ns >= w->round->duration_ns / TW_PAUSE_SHARE;
}

/* A sender that writes or paces at the bottleneck's rate from its first segment looks the same. */
static bool may_be_paced(const struct tw_gap *w)
{
    if (w->round->queue.pushed && w->phase == TW_PHASE_MESSAGE && !w->ack_clocked)
        return true;
    return w->round->flat.at_capacity ||
           (w->round->queue.spread && !w->context->rounds[w->sender].spread_by_path);
}

/* The gap is TW_UNEVEN times what one segment takes at the round's rate. */
static bool is_silence(const struct tw_gap *w)
{
    return (double)(w->to_ns - w->from_ns) * w->round->rate >
           TW_UNEVEN * 1e9 * (double)w->context->sends[w->sender].mss_bytes;
}

/* While the path is full, data accumulates at the sender and fills segments. Segments that are not
 * full, or a partial one before a silence, may have left as they were written. */
static bool may_be_written_so(const struct tw_gap *w)
{
    return !w->context->sends[w->sender].queues_seen && w->phase == TW_PHASE_MESSAGE &&
           ((w->send->is & w->before->is & TW_SEND_PARTIAL) ||
            (tw_gap_queue_was_empty(w) && is_silence(w)));
}

/* Captured at the sender: after a full segment its link seems to have carried all that it can,
 * other connections' segments included. */
static bool may_await_link(const struct tw_gap *w)
{
    const enum tcpwhy_side peer = tw_other(w->sender);
    const struct tw_log *log = w->context->log;
    const struct tw_record *before = tw_gap_record(w, w->before), *sent = tw_gap_record(w, w->send);

    return w->context->vantage.to_side_ns[w->sender] == 0 && !(w->before->is & TW_SEND_PARTIAL) &&
           !((before->options | sent->options) & TW_OPT_TIMESTAMP) && log->inflow_rate[peer] > 0 &&
           tw_link_was_full(log, peer, before, sent);
}

/* After a pause: the arrivals show that the link was full before, and no timestamp shows how long
 * this segment queued behind other connections' segments; or a path of varying rate spreads full
 * segments as evenly as a clock. */
static bool is_possible(const struct tw_gap *w)
{
    if (tw_pause_keeps_clock(w))
        return tw_pause_left_more(w) && !w->context->sends[w->sender].queues_seen;
    return (w->round->queue.spread && tw_pause_ns(w) < TW_INITIAL_RTO_NS) || may_await_link(w);
}

static bool is_doubted(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;
    bool queues = w->context->rounds[w->sender].growth == TW_GROWTH_QUEUES;

    /* One-way delays that vary by half an RTT are rare but exist (Wi-Fi, mobile). */
    if ((w->uneven && !queues) ||
        (r->ends_message && r->queue_ns <= w->context->vantage.rtt_min_ns))
        return true;
    if (w->phase == TW_PHASE_MESSAGE && w->before &&
        (tw_gap_ack_joins(w) || (!queues && is_uneven(w))))
        return true;
    /* A queue that drains is empty for part of each round trip. */
    return (w->before && (may_be_paced(w) || may_be_written_so(w))) || r->queue.drains;
}

/* The path may be full although no queue is known to stand. */
static bool may_be_full(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;

    return w->before && w->phase == TW_PHASE_MESSAGE &&
           (r->queue.at_window || tw_gap_repairs_busily(w) ||
            tw_gap_late_ack(w) == TW_ACK_MAYBE_QUEUED ||
            TCPWHY_MS(w->send->ack_late_ms) / 2 >
                tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage)) ||
            r->queue_ns > tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage)) ||
            tw_gap_may_be_full_path(w));
}

#define NO_QUEUE "no queue shows that takes so long"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_round *round = w->round;

    r->party = TCPWHY_PARTY_PATH;
    tw_release_behind_way(r, w);
    r->odds = TW_ODDS_POSSIBLE;
    if (!round || (w->phase != TW_PHASE_MESSAGE && w->phase != TW_PHASE_ARRIVAL))
        return w->phase != TW_PHASE_MESSAGE && tw_gap_may_be_way(w) && tw_gap_way_queues(w)
                   ? NULL
                   : NO_QUEUE;
    if (w->phase == TW_PHASE_MESSAGE && (!w->before || w->paused))
        return w->before && is_possible(w) ? NULL : NO_QUEUE;
    if ((round->queue.standing || round->flat.at_capacity) &&
        (w->phase == TW_PHASE_ARRIVAL || w->to_ns - w->from_ns <= longest_silence(w))) {
        r->odds = is_doubted(w) ? TW_ODDS_DOUBTED : TW_ODDS_SHOWN;
        return NULL;
    }
    r->odds = TW_ODDS_SUSPECTED;
    return may_be_full(w) ? NULL : NO_QUEUE;
}

const struct tw_hypothesis tw_hypothesis_bandwidth_limited = { TCPWHY_BANDWIDTH_LIMITED,
                                                               TW_NEEDS_WHOLE, weigh };
