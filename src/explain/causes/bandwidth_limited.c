/* SPDX-License-Identifier: MIT */
/*
 * The path is full: the round trip is longer than its shortest, and sending more brings no more
 * rate, so a queue stands at the bottleneck.
 */
#include "explain/causes/detector.h"
#include "explain/thresholds.h"

/* A full path delivers all the time: a silence of a whole round trip is something else. */
static tcpwhy_ns longest_silence(const struct tw_gap *w)
{
    if (w->round->ends_message)
        return tw_even_queue_ns(w->round);
    if (w->round->spread || w->round->drains)
        return w->round->max_gap_ns;
    return tw_min_rtt_ns(&w->context->vantage) + w->round->queue_ns;
}

static bool may_be_held_back(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record, *ack, *r;
    int64_t joined = (int64_t)TW_ACKED_SEGMENTS * w->context->sends[w->sender].mss_bytes;

    if (w->to_ns - w->from_ns <= TW_JOINED_NS || w->send->acked - w->before->acked <= joined)
        return false;
    r = ack = &record[w->send->moved_record];
    while (r > record && (r == ack || r->from != ack->from))
        r--;
    return ack->time_ns - r->time_ns > TW_JOINED_NS && ack->ack - r->ack > joined;
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
    if (w->round->queue_doubtful || takes_too_long(w))
        return true;
    return !w->context->sends[w->sender].queues_seen &&
           w->round->max_gap_ns >= w->round->duration_ns / TW_PAUSE_SHARE;
}

/* A sender that writes, or paces itself, at that rate from its first segment on looks the same. */
static bool may_be_paced(const struct tw_gap *w)
{
    if (w->round->pushed && w->phase == TW_PHASE_MESSAGE && !w->ack_clocked)
        return true;
    return w->round->at_capacity ||
           (w->round->spread && !w->context->rounds[w->sender].spread_by_path);
}

/* A silence of so many times what a segment takes at the round's rate. */
static bool is_silence(const struct tw_gap *w)
{
    return (double)(w->to_ns - w->from_ns) * w->round->rate >
           TW_UNEVEN * 1e9 * (double)w->context->sends[w->sender].mss_bytes;
}

/* Behind a full path data gathers at its sender, which fills segments with it. Where those are not
 * full, or the one before a silence was not, each may have left as it was written. */
static bool may_be_written_so(const struct tw_gap *w)
{
    return !w->context->sends[w->sender].queues_seen && w->phase == TW_PHASE_MESSAGE &&
           ((w->send->is & w->before->is & TW_SEND_PARTIAL) ||
            (tw_gap_queue_was_empty(w) && is_silence(w)));
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    bool queues = w->context->rounds[w->sender].growth == TW_GROWTH_QUEUES;

    if (w->phase != TW_PHASE_ARRIVAL && w->to_ns - w->from_ns > longest_silence(w))
        return false;
    c->party = TCPWHY_PARTY_PATH;
    tw_claim_behind_way(c, w);
    /* Ways that vary by half a round trip are rare, and not unheard of (Wi-Fi, mobile). */
    if ((w->uneven && !queues) ||
        (w->round->ends_message && w->round->queue_ns <= w->context->vantage.rtt_min_ns))
        tw_claim_add_rival(c, TCPWHY_WIRE);
    else if (w->phase == TW_PHASE_MESSAGE && may_be_held_back(w))
        tw_claim_add_rival(c, TCPWHY_DELAYED_ACK);
    else if (may_be_paced(w) || may_be_written_so(w))
        tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    else if (w->round->drains) /* a round trip of it passes with nothing in the queue */
        tw_claim_add_rival(c, TCPWHY_SEND_BUFFER_LIMITED);
    else if (w->phase == TW_PHASE_MESSAGE && !queues && is_uneven(w))
        tw_claim_add_rival(c, TCPWHY_CONGESTION_WINDOW_LIMITED);
    return true;
}

const struct tw_detector tw_detect_bandwidth_limited = { TCPWHY_BANDWIDTH_LIMITED, claim,
                                                         TW_NEEDS_QUEUE };
