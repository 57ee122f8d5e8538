/* SPDX-License-Identifier: MIT */
#include "explain/model/gap.h"

#include <glib.h>
#include "explain/thresholds.h"

tcpwhy_ns tw_ack_delay(const struct tw_context *context, enum tcpwhy_side sender,
                       uint32_t ack_record)
{
    const struct tw_record *record = context->log->record, *ack = &record[ack_record];
    tcpwhy_ns way = 2 * context->vantage.to_side_ns[tw_other(sender)];

    if (ack->facts & TW_FACT_ACKS_UNSEEN) /* it may answer data missing from the capture */
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

/* Is the delay a timer's, given what was acknowledged? */
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

/* ACKs during a repair measure no RTT: data that had arrived waited for it. */
static bool tells_round_trip(const struct tw_round *r)
{
    return r->repeats == 0 && (r->first == 0 || r[-1].repeats == 0);
}

tcpwhy_ns tw_gap_ack_hold(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[tw_other(w->sender)];
    tcpwhy_ns hold_ns = tw_gap_ack_delay(w);

    if (hold_ns > 0 && x->clock_read && x->clock.tick_ns > 0)
        hold_ns -= tw_tsval_clock_delay(&x->clock, &x->record[w->send->moved_record]);
    return CLAMP(hold_ns, 0, w->to_ns - w->from_ns);
}

enum tw_late_ack tw_gap_late_ack(const struct tw_gap *w)
{
    const enum tcpwhy_side receiver = tw_other(w->sender);
    const struct tw_vantage *v = &w->context->vantage;
    tcpwhy_ns delay_ns;

    if (w->ack_in_time || !tells_round_trip(w->round))
        return TW_ACK_IN_TIME;
    delay_ns = tw_gap_ack_delay(w); /* below 0: unknown */
    if (delay_ns <= MAX(TW_BUSY_HOST_NS, v->jitter_ns[receiver]) ||
        TW_QUARTER * delay_ns < MAX(w->to_ns - w->from_ns, v->rtt_min_ns + delay_ns))
        return TW_ACK_IN_TIME;
    return v->to_side_ns[receiver] == 0 || may_be_timer(w, delay_ns) ? TW_ACK_MAYBE_DELAYED
                                                                     : TW_ACK_MAYBE_QUEUED;
}

bool tw_gap_ack_joins(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record, *ack, *r;
    int64_t joined = (int64_t)TW_ACKED_SEGMENTS * w->context->sends[w->sender].mss_bytes;

    if (w->to_ns - w->from_ns <= TW_JOINED_NS || w->send->moved_record == TW_NO_RECORD ||
        w->send->acked - w->before->acked <= joined)
        return false;
    r = ack = &record[w->send->moved_record];
    while (r > record && (r == ack || r->from != ack->from))
        r--;
    return ack->time_ns - r->time_ns > TW_JOINED_NS && ack->ack - r->ack > joined;
}

/*
 * Did it come at the pace of the round's earlier ACKs, by the bytes they acknowledge? Then a link
 * delivers the segments at its rate. Data not covered by an ACK had not arrived (RFC 9293,
 * 3.10.7.4), so no timer ran for it.
 */
static bool came_in_turn(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record;
    const struct tw_send *first = &w->context->sends[w->sender].send[w->round->first];
    const struct tw_record *ack = &record[w->send->moved_record], *oldest = NULL, *newest = NULL;
    double turn_ns;

    for (const struct tw_record *r = &record[first->record]; r < ack; r++)
        if (r->from != (uint8_t)w->sender && r->flags & TW_ACK && r->ack > tw_send_seq(first)) {
            oldest = oldest ? oldest : r;
            newest = r;
        }
    if (!oldest || newest->ack <= oldest->ack)
        return false;
    turn_ns = (double)(newest->time_ns - oldest->time_ns) * (double)(ack->ack - newest->ack) /
              (double)(newest->ack - oldest->ack);
    return (double)(ack->time_ns - newest->time_ns) <= TW_FACTOR * turn_ns;
}

bool tw_gap_waited_for_timer(const struct tw_gap *w)
{
    return !w->ack_in_time && w->flight_empty && w->ack_clocked && tw_gap_ack_was_held(w) &&
           !came_in_turn(w) && !tw_gap_is_own_pause(w);
}

/* Does each of the first three probes wait longer than the one before? */
static bool backs_off(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record;
    tcpwhy_ns at_ns[3];
    unsigned n = 0;

    for (uint32_t i = w->closed.probe; i < w->last_record && n < G_N_ELEMENTS(at_ns); i++)
        if (record[i].frame_class == TCPWHY_CLASS_WINDOW_PROBE)
            at_ns[n++] = record[i].time_ns;
    return n == 3 && (double)(at_ns[2] - at_ns[1]) >= TW_HALF_AGAIN * (double)(at_ns[1] - at_ns[0]);
}

bool tw_gap_probes_may_be_keep_alives(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record;

    return w->closed.record != TW_NO_RECORD &&
           record[w->closed.probe].time_ns - record[w->closed.record].time_ns >=
               TW_INITIAL_RTO_NS &&
           !backs_off(w);
}
