/* SPDX-License-Identifier: MIT */
/*
 * After a loss the congestion window grows slowly (RFC 5681, 3.1; CUBIC, RFC 9438), and nothing
 * else holds the sender.
 */
#include "explain/causes/detector.h"

/* What more of it would bring may be more of a queue. Round trips over a repair tell nothing: what
 * had come waited for what was lost. */
static bool may_be_full(const struct tw_gap *w)
{
    enum tw_growth growth = w->context->rounds[w->sender].growth;

    if (growth == TW_GROWTH_PASSES)
        return false;
    if (tw_gap_repairs_busily(w))
        return true;
    if (w->round->repeats > 0)
        return growth == TW_GROWTH_QUEUES || w->round->near_capacity;
    return w->round->queue_ns > tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage));
}

/* The segments of a burst left together, and what an ACK tells beside, SACK, or that it comes
 * again, takes segments out of the network, too (RFC 6675; limited transmit, RFC 3042). */
static bool let_go(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];

    if (w->to_ns - w->from_ns <= tw_burst_ns(&w->context->vantage))
        return true;
    return tw_send_heard_just_before(x, w->send, &w->context->vantage) &&
           tw_sender_timeline_heard_ns(x, w->send->ack_record) > w->before->sent_ns;
}

/* A congestion window opens with an ACK. What none let go a full path may have spread on its way to
 * us, or the sender itself, at the pace that its window sets; at the sender, it may have come late.
 */
static enum tcpwhy_cause rival_of_pause(const struct tw_gap *w)
{
    return w->context->vantage.to_side_ns[w->sender] > 0 ? TCPWHY_BANDWIDTH_LIMITED
                                                         : TCPWHY_APP_LIMITED;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    bool released = let_go(w);
    enum tcpwhy_cause late;

    if (tw_gap_fits_any_window(w))
        return false;
    c->party = TCPWHY_PARTY_PATH;
    /* Not let go by an ACK, and longer than a round trip: perhaps a repair that we cannot see. */
    if (!released && w->to_ns - w->from_ns > w->context->vantage.rtt_min_ns) {
        tw_claim_add_rival(c, TCPWHY_LOSS_RECOVERY);
        c->confidence = TCPWHY_AMBIGUOUS;
    } else if (!released) {
        tw_claim_add_rival(c, rival_of_pause(w));
    } else if (!tw_gap_knows_window(w) ||
               (w->round->window_full && w->context->vantage.to_side_ns[w->sender] > 0)) {
        tw_claim_add_rival(c, TCPWHY_RECEIVE_WINDOW_LIMITED);
    } else if (!tw_gap_after_loss(w)) {
        /* A sender that finds out that it was misled takes the reduction back (RFC 4015). */
        tw_claim_add_rival(c, TCPWHY_SEND_BUFFER_LIMITED);
    } else if (tw_gap_queue_was_empty(w)) {
        tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    } else if (may_be_full(w) || tw_gap_may_be_full_path(w)) {
        tw_claim_add_rival(c, TCPWHY_BANDWIDTH_LIMITED);
    } else if (w->round->restarted) {
        tw_claim_add_rival(c, TCPWHY_SLOW_START_AFTER_IDLE);
    } else if ((late = tw_gap_rival_ack(w)) != TCPWHY_CAUSE_NONE) {
        tw_claim_add_rival(c, late);
    }
    return true;
}

const struct tw_detector tw_detect_congestion_window_limited = {
    TCPWHY_CONGESTION_WINDOW_LIMITED, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_LOSS
};
