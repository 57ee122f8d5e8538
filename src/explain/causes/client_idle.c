/* SPDX-License-Identifier: MIT */
/*
 * No exchange is open: nobody has asked anything, and nobody waits.
 */
#include "explain/causes/detector.h"
#include "explain/thresholds.h"

/* Whoever spoke last had more to send, and how much room it saw is not known. */
static bool may_lack_room(const struct tw_gap *w)
{
    return w->before && !tw_gap_queue_was_empty(w) &&
           w->context->log->record[w->first_record].from == (uint8_t)w->sender &&
           w->context->connection->side[tw_other(w->sender)].wscale == TW_WSCALE_UNKNOWN &&
           !w->context->sends[w->sender].wscale_inferred;
}

static bool may_lack_window(const struct tw_gap *w)
{
    return w->before && w->send && w->ack_clocked && w->flight_empty &&
           w->context->log->record[w->first_record].from == (uint8_t)w->sender &&
           !(w->before->is & TW_SEND_PARTIAL) &&
           tw_send_flight(w->before) >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes &&
           w->since_ack_ns <= (w->to_ns - w->from_ns) / TW_SOON_SHARE;
}

/* The server goes on, and only turns tell that it is not with the same answer; or who asks, before
 * he is answered, or closes unanswered. */
static bool may_be_a_pause(const struct tw_gap *w)
{
    if (w->asks || w->closes)
        return true;
    return w->guessed && w->send && w->sender == TCPWHY_SERVER &&
           w->to_ns - w->from_ns >= TW_QUIET_NS &&
           w->context->log->record[w->first_record].from == TCPWHY_SERVER;
}

/* Away from the server: its last segment was full, and not pushed, so that more stood behind it
 * (RFC 9293, 3.9.1.2, MUST-61), or perhaps what it sent was not yet whole where only turns tell:
 * senders push within long messages, too (Linux: tcp_mark_push()), and few end with a full segment.
 * Or what it sends later shows that. */
static bool may_lack_rest(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;
    const struct tw_record *r = &context->log->record[w->first_record];
    const struct tw_record *beyond = context->prescan.last_beyond[TCPWHY_SERVER];

    if ((w->send && w->send->len) || context->vantage.to_side_ns[TCPWHY_SERVER] == 0)
        return false;
    return (beyond && beyond > r) ||
           (r->from == TCPWHY_SERVER && r->len > 0 && !(r->flags & TW_FIN) &&
            (w->guessed || !(r->flags & TW_PSH)) &&
            r->len % context->sends[TCPWHY_SERVER].mss_bytes == 0);
}

/* It had said that with its SYN, and the server had left it: then it says it once more as soon as
 * that is answered (RFC 7413, section 4.2.2), and what came here so late may have been lost before.
 */
static bool may_be_said_again(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;

    return w->send && w->send == context->sends[TCPWHY_CLIENT].send &&
           tw_gap_record(w, w->send)->fresh < w->send->len &&
           context->connection->side[TCPWHY_CLIENT].syn &&
           context->vantage.to_side_ns[TCPWHY_CLIENT] > 0 &&
           w->to_ns - w->from_ns >= TW_RTO_SEEN_NS;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    tw_claim_behind_way(c, w);
    if (may_lack_room(w))
        tw_claim_add_rival(c, TCPWHY_RECEIVE_WINDOW_LIMITED);
    else if (may_lack_window(w))
        tw_claim_add_rival(c, TCPWHY_CONGESTION_WINDOW_LIMITED);
    else if (may_lack_rest(w) || may_be_said_again(w))
        tw_claim_add_rival(c, TCPWHY_LOSS_RECOVERY);
    else if (may_be_a_pause(w))
        tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    else if (w->unasked) /* who asks is a guess */
        tw_claim_add_rival(c, TCPWHY_SERVER_THINK);
    else if (tw_gap_may_be_way(w))
        tw_claim_add_rival(c, tw_gap_rival_way(w));
    return true;
}

const struct tw_detector tw_detect_client_idle = { TCPWHY_CLIENT_IDLE, claim, TW_NEEDS_IDLE };
