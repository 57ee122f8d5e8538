/* SPDX-License-Identifier: MIT */
#include "explain/needless.h"

#include "base/seq.h"

/* A repair whose ACK comes sooner than this part of the shortest round trip was not needed. */
#define TOO_SOON_PERCENT 70

/* The timer fired again before anything was heard. */
static bool goes_again(const struct tw_sends *x, uint32_t i, uint32_t ack)
{
    const struct tw_send *next = &x->send[i + 1];

    return i + 1 < x->n && next->is & TW_SEND_REPEAT && next->record < ack &&
           tw_send_seq(next) == tw_send_seq(&x->send[i]);
}

static bool came_too_soon(const struct tw_sends *x, const struct tw_vantage *v,
                          const struct tw_send *own, uint32_t ack)
{
    tcpwhy_ns heard = x->record[ack].time_ns + x->to_sender;

    return v->rtt_min_ns != TCPWHY_NS_UNKNOWN &&
           heard - own->sent_ns < v->rtt_min_ns / 100 * TOO_SOON_PERCENT;
}

/* What arrives a second time is acknowledged at once (RFC 9293, 3.10.7.4), and after two round
 * trips a sender takes what it awaits for lost (RFC 8985, 7.2). */
static bool came_too_late(const struct tw_sends *x, const struct tw_vantage *v,
                          const struct tw_send *own, uint32_t ack)
{
    return v->rtt_max_ns != TCPWHY_NS_UNKNOWN &&
           x->record[ack].time_ns + x->to_sender - own->sent_ns > 2 * v->rtt_max_ns;
}

/*
 * Eifel detection (RFC 3522, section 3.2): the ACK echoes a timestamp from before the repeat, so
 * that it answers an earlier copy. An ACK may echo the oldest of several segments (RFC 7323, 4.3);
 * hence only of a segment before which nothing is open.
 */
static bool echoes_earlier(const struct tw_send *own, const struct tw_record *repeat,
                           const struct tw_record *ack)
{
    return ack->options & repeat->options & TW_OPT_TIMESTAMP && own->acked >= repeat->seq &&
           tw_seq_before(ack->tsecr, repeat->tsval);
}

/* May it have arrived though the receiver does not say so? What comes while its ACK is held back,
 * as after a path stood still, takes that along, and then there is but one. */
static bool may_have_arrived(enum tw_copies_reported reported, const struct tw_evidence *evidence,
                             bool late)
{
    return reported == TW_COPIES_MAY || (evidence->wordless && late);
}

enum tw_need tw_need_of_repeat(const struct tw_sends *x, const struct tw_vantage *v,
                               struct tw_evidence *evidence, uint32_t i, bool by_timer,
                               uint32_t ack)
{
    const struct tw_send *own = &x->send[i];
    bool late = by_timer && came_too_late(x, v, own, ack);

    if (came_too_soon(x, v, own, ack))
        return TW_NEED_NONE;
    if (!echoes_earlier(own, &x->record[own->record], &x->record[ack])) {
        enum tw_copies_reported reported = tw_evidence_of_duplicate(evidence, x, own->record);

        if (reported != TW_COPIES_ALL)
            return may_have_arrived(reported, evidence, late) ? TW_NEED_MAY : TW_NEED_LOST;
    }
    return late || goes_again(x, i, ack) ? TW_NEED_STALL : TW_NEED_NONE;
}
