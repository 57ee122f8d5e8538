/* SPDX-License-Identifier: MIT */
#include "explain/attribute/asked.h"

#include "explain/attribute/hypotheses.h"
#include "explain/thresholds.h"

/* Frames are missing from the capture here, or the ACKs that would decide. */
static bool lacks_frames(const struct tw_gap *w)
{
    return w->missing || (w->context->prescan.pure_acks == TW_ACKS_LACKING &&
                          (w->phase == TW_PHASE_MESSAGE || w->episode));
}

/* The needs that hold although the one-way delay to the sender is unknown and the gap is no longer
 * than one may be: the ACKs that passed do not show what the sender had heard, and a side whose
 * answers were never timed may have begun to answer long ago. */
#define TOLD_WITHOUT_WAY                                                                           \
    (TW_NEEDS_AWAITED | TW_NEEDS_GAP | TW_NEEDS_EPISODE | TW_NEEDS_HOLE | TW_NEEDS_CLOSED)

static bool is_of_unknown_way(const struct tw_gap *w)
{
    const struct tw_vantage *v = &w->context->vantage;

    return v->rtt_min_ns == TCPWHY_NS_UNKNOWN && w->to_ns - w->from_ns < TW_INITIAL_RTO_NS &&
           (w->phase == TW_PHASE_MESSAGE || (w->phase == TW_PHASE_TURN && !v->timed[w->sender]));
}

/* enum tw_needs that all gaps of a sender have. */
static unsigned what_all_have(const struct tw_context *context, int sender)
{
    return (context->prescan.last_beyond[sender] ? TW_NEEDS_HOLE : 0) |
           (context->link_rate_known[sender] ? TW_NEEDS_LINK : 0) |
           (context->local_qdisc[sender] ? TW_NEEDS_LOCAL_QDISC : 0);
}

/* enum tw_needs of one gap. */
static unsigned what_it_has(const struct tw_gap *w)
{
    static const unsigned of_phase[] = {
        [TW_PHASE_TURN] = TW_NEEDS_TURN | TW_NEEDS_AWAITED,
        [TW_PHASE_MESSAGE] = TW_NEEDS_MESSAGE | TW_NEEDS_AWAITED,
        [TW_PHASE_ARRIVAL] = TW_NEEDS_AWAITED,
    };
    const struct tw_send *s = w->send;
    unsigned has = TW_NEEDS_WAY | what_all_have(w->context, w->sender) | of_phase[w->phase] |
                   (lacks_frames(w) ? TW_NEEDS_GAP : 0) |
                   (w->episode ? TW_NEEDS_EPISODE | TW_NEEDS_HOLE : 0) |
                   (!w->episode || (w->busy && w->phase == TW_PHASE_MESSAGE) ? TW_NEEDS_WHOLE : 0);

    if (w->closed.record != TW_NO_RECORD)
        has |= TW_NEEDS_CLOSED;
    if (!s)
        return has | (w->phase == TW_PHASE_IDLE ? TW_NEEDS_EMPTY : 0);
    has |= (s->is & TW_SEND_PARTIAL ? TW_NEEDS_PARTIAL : 0) |
           (s->is & TW_SEND_CLOSED && !w->has_room ? TW_NEEDS_CLOSED : 0) |
           (w->flight_empty || w->phase == TW_PHASE_IDLE ? TW_NEEDS_EMPTY : 0);
    if (w->round)
        has |= TW_NEEDS_BEFORE |
               (tw_gap_after_loss(w) || w->round->misled_before ? TW_NEEDS_LOSS : 0) |
               (w->round->restarted ? TW_NEEDS_RESTART : 0);
    return has;
}

/* A gap whose one-way delay is unknown keeps only the needs that no delay hides. */
static unsigned what_tells(const struct tw_gap *w)
{
    return is_of_unknown_way(w) ? TOLD_WITHOUT_WAY : ~0u;
}

unsigned tw_asked_lacks(const struct tw_gap *w, const struct tw_hypothesis *h)
{
    unsigned has = what_it_has(w), lacks = h->needs & ~has;

    if (lacks)
        return lacks;
    return h->needs & ~(has & what_tells(w)) ? TW_NEEDS_WAY : 0;
}

static uint32_t who_is_asked(unsigned has)
{
    uint32_t asked = 0;

    for (unsigned i = 0; i < tw_n_hypotheses; i++)
        asked |= (uint32_t) !(tw_hypotheses[i]->needs & ~has) << i;
    return asked;
}

uint32_t tw_asked_of(struct tw_asked *asked, const struct tw_gap *w)
{
    unsigned has = what_it_has(w) & what_tells(w),
             at = (has * UINT32_C(0x9E3779B1)) >> (32 - TW_GAP_KINDS_BITS);

    if (asked->has[at] != has) {
        asked->has[at] = has;
        asked->hypotheses[at] = who_is_asked(has);
    }
    return asked->hypotheses[at];
}
