/* SPDX-License-Identifier: MIT */
/*
 * Away from a sender, its segment may have been lost before the vantage, so that only the
 * retransmission passes: the gap is as long as a retransmission timer.
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The side's next segment starts beyond a sequence hole, so it had sent data during the silence
 * that was lost before the vantage. If it ended the silence itself, that data left just before. */
static bool shows_hole(const struct tw_gap *w, enum tcpwhy_side side)
{
    const struct tw_log *log = w->context->log;
    uint32_t end = MIN(log->n, w->last_record + TW_NEAR_RECORDS);

    if (w->send && w->sender == side)
        return false;
    for (uint32_t i = w->last_record; i < end; i++)
        if (log->record[i].from == side)
            return log->record[i].facts & TW_FACT_HOLE_BEFORE;
    return false;
}

/* The side may have sent data that was all lost: nothing of it came in the second half of the
 * silence, or later data shows a hole. */
static bool may_have_spoken(const struct tw_gap *w)
{
    enum tcpwhy_side side = w->phase == TW_PHASE_IDLE ? TCPWHY_CLIENT : w->sender;
    const struct tw_record *last = w->context->prescan.last_of[side];
    tcpwhy_ns from_ns = w->from_ns + w->propagation_ns;

    if (w->context->vantage.to_side_ns[side] == 0 || !last || w->to_ns - from_ns <= TW_SHORT_NS)
        return false;
    return 2 * (w->to_ns - last->time_ns) >= w->to_ns - from_ns || shows_hole(w, side);
}

/* Away from the server: its last segment was full and without PSH, so that more was queued (RFC
 * 9293, 3.9.1.2, MUST-61); or, where only turns separate messages, the answer may be incomplete:
 * senders set PSH within long messages too (Linux: tcp_mark_push()), and few messages end with a
 * full segment. Or later data shows a hole. */
static bool may_lack_rest(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;
    const struct tw_record *r = &context->log->record[w->first_record];
    const struct tw_record *beyond = context->prescan.last_beyond[TCPWHY_SERVER];

    if ((w->send && w->send->len) || context->vantage.to_side_ns[TCPWHY_SERVER] == 0)
        return false;
    return (beyond && beyond > r) ||
           (r->from == TCPWHY_SERVER && r->len > 0 && !(r->flags & TW_FIN) &&
            (w->turn.guessed || !(r->flags & TW_PSH)) &&
            r->len % context->sends[TCPWHY_SERVER].mss_bytes == 0);
}

/* The SYN carried this data and the server did not take it. The client retransmits it as soon as
 * the SYN is answered (RFC 7413, 4.2.2), so data that came this late may have been lost before. */
static bool may_be_said_again(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;

    return w->send && w->send == context->sends[TCPWHY_CLIENT].send &&
           tw_gap_record(w, w->send)->fresh < w->send->len &&
           context->connection->side[TCPWHY_CLIENT].syn &&
           context->vantage.to_side_ns[TCPWHY_CLIENT] > 0 &&
           w->to_ns - w->from_ns >= TW_RTO_SEEN_NS;
}

/* A sender that retransmits data which was acknowledged here did not get that ACK. */
static bool lacked_ack(const struct tw_gap *w)
{
    return w->context->vantage.to_side_ns[w->sender] > 0 && w->before->is & TW_SEND_SPURIOUS;
}

/* After a silence as long as a timer, packets of the sender before its data or FIN are missing (RFC
 * 6298: the floor of an RTO may be milliseconds). One of them may have been an ACK. */
static bool lacks_packets(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    const struct tw_record *end = &w->context->log->record[w->last_record];

    if (!x->lacks || w->to_ns - w->from_ns <= 2 * tw_min_rtt_ns(&w->context->vantage))
        return false;
    if (w->send)
        return w->send->is & TW_SEND_FRESH && tw_sender_timeline_lacks(x, w->send->record);
    return end->from == (uint8_t)w->sender && end->flags & TW_FIN &&
           tw_sender_timeline_lacks(x, w->last_record);
}

/* Nothing came from the client since its SYN but bare ACKs, and the server's first data leaves as
 * soon as the segment that ends the silence reaches it. A listener that answers with SYN cookies
 * has no connection, and repeats nothing, before an ACK reaches it (RFC 4987, 3.6): the ACK of the
 * handshake was lost, or found the accept queue full. */
static bool lacks_handshake(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;
    const struct tw_record *r = &context->log->record[w->last_record];
    const struct tw_sender_timeline *client = &context->sends[TCPWHY_CLIENT];
    const struct tw_sender_timeline *server = &context->sends[TCPWHY_SERVER];
    tcpwhy_ns way_ns = 2 * context->vantage.to_side_ns[TCPWHY_SERVER] + TW_SHORT_NS, answered_ns;

    if (w->phase != TW_PHASE_IDLE || w->to_ns - w->from_ns < TW_INITIAL_RTO_NS ||
        r->from != TCPWHY_CLIENT || r->len > 0 || server->n == 0 || server->send->len == 0 ||
        (client->n > 0 && client->send->record < w->last_record))
        return false;
    answered_ns = tw_gap_record(w, server->send)->time_ns - w->to_ns;
    return answered_ns >= 0 && answered_ns <= way_ns + context->vantage.jitter_ns[TCPWHY_SERVER];
}

static bool is_possible(const struct tw_gap *w)
{
    switch (w->phase) {
    case TW_PHASE_IDLE:
        return w->way.maybe_lost || may_lack_rest(w) || may_be_said_again(w);
    case TW_PHASE_TURN:
        return w->way.maybe_lost;
    case TW_PHASE_MESSAGE:
        return w->paused && (tw_pause_may_be_repair(w) || lacked_ack(w));
    default:
        return false;
    }
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    if (w->context->vantage.both_ends)
        return "all that was sent is in the capture";
    r->party = TCPWHY_PARTY_PATH;
    r->odds = TW_ODDS_SUSPECTED;
    if (lacks_packets(w) || lacks_handshake(w))
        return NULL;
    r->odds = TW_ODDS_POSSIBLE;
    if (is_possible(w))
        return NULL;
    r->odds = TW_ODDS_RARE;
    if (w->phase == TW_PHASE_MESSAGE && !(w->paused && !w->round->flat.own_clock))
        return "an ACK let it go, or a clock";
    return w->phase != TW_PHASE_ARRIVAL && may_have_spoken(w)
               ? NULL
               : "nothing shows that a segment was lost before it came here";
}

const struct tw_hypothesis tw_hypothesis_unseen_loss = { TCPWHY_LOSS_RECOVERY, TW_NEEDS_WAY,
                                                         weigh };
