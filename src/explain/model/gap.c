/* SPDX-License-Identifier: MIT */
#include "explain/model/gap.h"

#include <glib.h>
#include "explain/thresholds.h"

tcpwhy_ns tw_ack_delay(const struct tw_context *context, enum tcpwhy_side sender,
                       uint32_t ack_record)
{
    const struct tw_record *record = context->log->record, *ack = &record[ack_record];
    tcpwhy_ns way = 2 * context->vantage.to_side_ns[tw_other(sender)];

    if (ack->facts & TW_FACT_ACKS_UNSEEN) /* it may answer what the capture does not hold */
        return TCPWHY_NS_UNKNOWN;
    for (const struct tw_record *r = ack; r-- > record && ack - r < TW_NEAR_RECORDS;)
        if (r->from == sender && r->len && tw_record_end(r) <= ack->ack &&
            r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            return ack->time_ns - r->time_ns - way;
    return TCPWHY_NS_UNKNOWN;
}

tcpwhy_ns tw_gap_ack_delay(const struct tw_gap *w)
{
    if (w->send->moved_record == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;
    return tw_ack_delay(w->context, w->sender, w->send->moved_record);
}

/* Did it acknowledge less than that? */
static bool may_be_timer(const struct tw_gap *w, tcpwhy_ns delay_ns)
{
    const struct tw_record *record = w->context->log->record;
    const struct tw_record *ack = &record[w->send->moved_record];
    int64_t held = TW_ACKED_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;

    if (delay_ns < TW_DELAYED_ACK_NS)
        return false;
    for (const struct tw_record *r = ack; r-- > record && ack - r < TW_NEAR_RECORDS;)
        if (r->from == ack->from)
            return ack->ack - r->ack < held;
    return false;
}

/* ACKs that come while something is repaired tell no round trip: what had come waited for it. */
static bool tells_round_trip(const struct tw_round *r)
{
    return r->repeats == 0 && (r->first == 0 || r[-1].repeats == 0);
}

enum tcpwhy_cause tw_gap_rival_ack(const struct tw_gap *w)
{
    enum tcpwhy_side receiver = tw_other(w->sender);
    const struct tw_vantage *v = &w->context->vantage;
    tcpwhy_ns delay_ns;

    if (!tells_round_trip(w->round))
        return TCPWHY_CAUSE_NONE;
    delay_ns = tw_gap_ack_delay(w); /* less than 0: unknown */
    if (delay_ns <= MAX(TW_BUSY_HOST_NS, v->jitter_ns[receiver]) ||
        TW_QUARTER * delay_ns < MAX(w->to_ns - w->from_ns, v->rtt_min_ns + delay_ns))
        return TCPWHY_CAUSE_NONE;
    return v->to_side_ns[receiver] == 0 || may_be_timer(w, delay_ns) ? TCPWHY_DELAYED_ACK
                                                                     : TCPWHY_BANDWIDTH_LIMITED;
}
