/* SPDX-License-Identifier: MIT */
#include "explain/loss/spurious_retransmit.h"

#include "base/seq.h"
#include "explain/thresholds.h"

/* The RTO fired again before anything was heard. */
static bool goes_again(const struct tw_sender_timeline *x, uint32_t i, uint32_t ack)
{
    const struct tw_send *next = &x->send[i + 1];

    return i + 1 < x->n && next->is & TW_SEND_REPEAT && next->record < ack &&
           tw_send_seq(next) == tw_send_seq(&x->send[i]);
}

static bool came_too_soon(const struct tw_sender_timeline *x, const struct tw_vantage *v,
                          const struct tw_send *own, uint32_t ack)
{
    return tw_sender_timeline_heard_ns(x, ack) - own->sent_ns <
           tw_min_rtt_ns(v) / 100 * TW_TOO_SOON_PERCENT;
}

/* A duplicate is acknowledged at once (RFC 9293, 3.10.7.4), and after two RTTs a sender considers
 * the awaited ACK lost (RFC 8985, 7.2). */
static bool came_too_late(const struct tw_sender_timeline *x, const struct tw_vantage *v,
                          const struct tw_send *own, uint32_t ack)
{
    return v->rtt_max_ns != TCPWHY_NS_UNKNOWN &&
           tw_sender_timeline_heard_ns(x, ack) - own->sent_ns > 2 * v->rtt_max_ns;
}

/*
 * Eifel detection (RFC 3522, 3.2): the ACK echoes a TSval from before the retransmission, so it
 * answers an earlier copy. An ACK may echo the oldest of several segments (RFC 7323, 4.3), so this
 * holds only for a segment with nothing outstanding before it.
 */
static bool echoes_earlier(const struct tw_send *own, const struct tw_record *repeat,
                           const struct tw_record *ack)
{
    return ack->options & repeat->options & TW_OPT_TIMESTAMP && own->acked >= repeat->seq &&
           tw_seq_before(ack->tsecr, repeat->tsval);
}

/*
 * F-RTO (RFC 5682, 2.1): after the RTO's retransmission the ACKs advance step by step over data
 * sent before it and not since. If it had filled a hole, one ACK would cover everything beyond. Not
 * asked at the receiver, where arrivals are seen.
 */
static bool goes_on_in_steps(const struct tw_sender_timeline *x, const struct tw_vantage *v,
                             struct tw_retransmit_evidence *evidence, uint32_t i, uint32_t ack)
{
    const struct tw_send *own = &x->send[i];
    int64_t first = x->record[ack].ack;
    bool never = false;
    uint32_t next;

    if (v->to_side_ns[!x->from] == 0 || first >= own->end + own->behind)
        return false;
    next = tw_retransmit_evidence_ack(evidence, ack, first + 1, &never);
    for (uint32_t k = i + 1; k < x->n && x->send[k].record < next; k++)
        if (x->send[k].is & TW_SEND_REPEAT)
            return false;
    return !never;
}

/* The snaplen cut the options of the ACK, such as most SACK blocks. If the retransmission had
 * filled a hole, the ACK would cover more than it. */
static bool word_is_cut(const struct tw_send *own, const struct tw_record *ack)
{
    return ack->options & TW_OPT_CUT && ack->ack == own->end;
}

/*
 * The ACK reports a duplicate of the first outstanding byte (RFC 2883): that had arrived, and
 * earlier reports were lost or late. So may be the report on this one.
 */
static bool tells_of_lost_acks(const struct tw_sender_timeline *x,
                               const struct tw_retransmit_evidence *evidence, uint32_t i,
                               const struct tw_record *ack)
{
    const struct tw_range *range;

    if (!(ack->facts & TW_FACT_DSACK) || ack->n_sack == 0)
        return false;
    range = &evidence->log->sack[ack->sack];
    return range->from <= x->send[i].acked && range->to > x->send[i].acked;
}

/* May it have arrived although the receiver does not say so? A duplicate that arrives while its ACK
 * is delayed is covered by the same ACK, so only one ACK is seen. */
static bool may_have_arrived(enum tw_dsack_reported reported,
                             const struct tw_retransmit_evidence *evidence, bool late)
{
    return reported == TW_DSACK_MAY || (evidence->wordless && late);
}

enum tw_retransmit_need tw_retransmit_need_of(const struct tw_sender_timeline *x,
                                              const struct tw_vantage *v,
                                              struct tw_retransmit_evidence *evidence, uint32_t i,
                                              bool by_timer, uint32_t ack)
{
    const struct tw_send *own = &x->send[i];
    bool late = by_timer && came_too_late(x, v, own, ack);

    if (came_too_soon(x, v, own, ack))
        return TW_RETRANSMIT_NEED_NONE;
    if (!echoes_earlier(own, &x->record[own->record], &x->record[ack]) &&
        !(by_timer && goes_on_in_steps(x, v, evidence, i, ack))) {
        enum tw_dsack_reported reported =
            tw_retransmit_evidence_of_duplicate(evidence, x, own->record);

        if (reported != TW_DSACK_ALL)
            return may_have_arrived(reported, evidence, late) ||
                           word_is_cut(own, &x->record[ack]) ||
                           tells_of_lost_acks(x, evidence, i, &x->record[ack])
                       ? TW_RETRANSMIT_NEED_MAY
                       : TW_RETRANSMIT_NEED_LOST;
    }
    return late || goes_again(x, i, ack) ? TW_RETRANSMIT_NEED_STALL : TW_RETRANSMIT_NEED_NONE;
}

/* A receiver that answers with data has a program that was not given the data any sooner. A copy of
 * a copy does not count: whichever came first, the next one triggered its ACK at once. */
bool tw_repeat_may_meet_held_ack(const struct tw_sender_timeline *x, uint32_t i, uint32_t ack)
{
    const struct tw_send *own = &x->send[i];

    return i > 0 && x->record[ack].len == 0 && tw_send_flight(own) < 2 * (int64_t)x->mss_bytes &&
           own->sent_ns - own[-1].sent_ns < TW_FORBIDDEN_DELAY_NS &&
           !(own[-1].is & TW_SEND_REPEAT) && !goes_again(x, i, ack);
}

/* The other side sent data: it may be what did not get through. */
static bool other_spoke(const struct tw_sender_timeline *x, uint32_t first_record, uint32_t record)
{
    for (uint32_t i = first_record + 1; i < record; i++)
        if (x->record[i].from != (uint8_t)x->from && x->record[i].len)
            return true;
    return false;
}

bool tw_repeat_ends_outage(const struct tw_sender_timeline *x, const struct tw_vantage *v,
                           uint32_t i, unsigned lacking)
{
    const struct tw_send *own = &x->send[i], *next = own + 1;
    const bool goes_on = i + 1 < x->n && tw_send_seq(next) > tw_send_seq(own) &&
                         next->sent_ns - own->sent_ns <= 2 * tw_min_rtt_ns(v);

    return x->to_sender > 0 && i > 0 && (goes_on || lacking > 0) &&
           !other_spoke(x, own[-1].record, own->record);
}
