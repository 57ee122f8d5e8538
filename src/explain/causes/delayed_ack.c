/* SPDX-License-Identifier: MIT */
/*
 * The sender could not go on without an ACK, and the receiver held it back for one period of its
 * delayed-ACK timer (RFC 9293, 3.8.6.3; RFC 5681, 4.2).
 */
#include "explain/causes/detector.h"
#include "explain/thresholds.h"

/*
 * Did it come as the ACKs before it in the round did, one after the other by what they acknowledge?
 * Then a link lets the segments pass at its rate. What an ACK leaves out had not come when it left
 * (RFC 9293, 3.10.7.4), so that no timer ran for it before.
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

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const tcpwhy_ns delay_ns = tw_gap_ack_delay(w);

    if (delay_ns < TW_DELAYED_ACK_NS || delay_ns >= TW_FORBIDDEN_DELAY_NS || came_in_turn(w) ||
        tw_gap_is_own_pause(w))
        return false;
    c->party = tw_party_of(tw_other(w->sender));
    tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    c->key_record = w->send->moved_record;
    return true;
}

const struct tw_detector tw_detect_delayed_ack = { TCPWHY_DELAYED_ACK, claim,
                                                   TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                       TW_NEEDS_DRAINED | TW_NEEDS_RELEASED };
