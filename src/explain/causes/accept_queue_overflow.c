/* SPDX-License-Identifier: MIT */
/*
 * The client retransmits its first data unanswered: the accept queue is full, so the listener drops
 * the ACK that ends the handshake and all data, although it answered the SYN (tcp_check_req(),
 * cookie_v4_check()). A capture at the server shows that the data arrived. Only the handshake shows
 * that this data was the first; without it the path or the host may have been down.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"
#include "log/set_aside.h"

/* The server acknowledged it in the end. Otherwise the path may have gone down for good. */
static bool is_taken(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    const struct tw_record *last = &w->context->log->record[e->last_record];

    return last->from != (uint8_t)e->sender &&
           last->ack > w->context->log->record[e->first_record].seq;
}

/*
 * A SYN/ACK without the options that the client offered is a SYN cookie (RFC 4987, 3.6): a cookie
 * has no room for them unless the client sends timestamps. Linux sends cookies while the SYN queue
 * is full (tcp_conn_request(), net.ipv4.tcp_syncookies = 1).
 */
static bool sends_cookies(const struct tw_gap *w)
{
    const unsigned offered = TW_OPT_WSCALE | TW_OPT_SACK_PERMITTED;
    const struct tw_log *log = w->context->log;

    if (!tw_record_is(&log->record[0], TW_SYN) || (log->record[0].options & offered) != offered)
        return false;
    for (uint32_t i = 1; i < log->n && log->record[i].flags & TW_SYN; i++)
        if (log->record[i].from == TCPWHY_SERVER)
            return !(log->record[i].options & (offered | TW_OPT_TIMESTAMP | TW_OPT_CUT));
    return false;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;
    bool has_come = tw_vantage_is_at(&w->context->vantage, TCPWHY_SERVER);
    bool opens = w->context->log->record->flags & TW_SYN, again = e->repeats >= TW_TWICE;

    if (!e->first)
        return "what was repeated is not the first that was sent";
    if (e->unseen)
        return "the lost segment did not pass here";
    r->party = TCPWHY_PARTY_SERVER;
    r->from = e->sender;
    r->key_record = e->repair_record;
    /* A request that arrived and was retransmitted once may only have been acknowledged late. */
    r->odds = e->arrived ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    if (has_come && tw_log_is_set_aside(w->context->log)) {
        r->odds = TW_ODDS_PROVEN + TW_ODDS_DOUBTED;
        return NULL;
    }
    if (e->black_hole || !is_taken(w, e) || (!has_come && (!again || !opens)))
        r->odds = e->arrived ? TW_ODDS_SUSPECTED : TW_ODDS_SHOWN;
    else if (has_come && again && opens)
        r->odds = TW_ODDS_PROVEN + TW_ODDS_DOUBTED;
    if (sends_cookies(w))
        r->odds += TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_accept_queue_overflow = { TCPWHY_CONNECT_RETRY,
                                                                   TW_NEEDS_EPISODE, weigh };
