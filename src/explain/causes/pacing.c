/* SPDX-License-Identifier: MIT */
/*
 * The sender's kernel spreads full segments at a rate of its own: BBR, fq, SO_MAX_PACING_RATE. It
 * lets a segment go as soon as the segments before it have had their time at that rate.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* A kernel paces a few bursts ahead; a longer silence is not pacing. What it sends in a round is in
 * flight then. */
static bool is_longer_than_its_pace(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;
    double bytes =
        TW_PACED_BURSTS * (double)tw_pace_burst_bytes(tw_min_rtt_ns(&w->context->vantage),
                                                      w->context->sends[w->sender].mss_bytes);

    if (w->to_ns - w->from_ns <= TW_JOINED_NS)
        return false;
    return (double)(w->to_ns - w->from_ns) * (double)r->flight_bytes >
           bytes * (double)r->duration_ns;
}

/* A pace below the bottleneck's rate leaves no queue. */
static bool queues(const struct tw_gap *w)
{
    return w->round->queue_ns > tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage));
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_round *round = w->round;

    r->party = tw_party_of(w->sender);
    if (!round->flat.paced)
        return "its sender's segments do not leave at a steady pace";
    if (w->before->is & TW_SEND_PARTIAL)
        return "the segment before was a partial one";
    if (is_longer_than_its_pace(w))
        return "it lasted longer than the pace";
    /* A program that writes full segments at a steady rate looks the same; a pace at the rate of a
     * path that queues is the path's. */
    r->odds = round->flat.at_capacity || queues(w) ? TW_ODDS_HINTED : TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_pacing = {
    TCPWHY_PACING,
    TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE,
    weigh,
};
