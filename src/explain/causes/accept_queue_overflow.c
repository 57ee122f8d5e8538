/* SPDX-License-Identifier: MIT */
/*
 * The client's first data is repeated in vain: the accept queue has no room for its connection, and
 * until it has, the listener takes nothing, though it had answered the SYN (tcp_check_req(),
 * cookie_v4_check()). At the server that data is seen to have come. Whether it was the first, the
 * handshake alone tells: without it the way may have been gone, or the host have stood still.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* And the server took it at last. Else perhaps nothing passes any more. */
static bool is_taken(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    const struct tw_record *last = &w->context->log->record[e->last_record];

    return last->from != (uint8_t)e->sender &&
           last->ack > w->context->log->record[e->first_record].seq;
}

/*
 * The listener answers with cookies (RFC 4987, 3.6), which it does while its queue of SYNs is full
 * (tcp_conn_request(), net.ipv4.tcp_syncookies = 1): they have no room for options that a client
 * without timestamps offers.
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
    const struct tw_vantage *v = &w->context->vantage;
    bool has_come =
        v->both_ends || (v->place == TCPWHY_VANTAGE_SERVER && v->confidence == TCPWHY_CERTAIN);
    bool opens = w->context->log->record->flags & TW_SYN, again = e->repeats >= TW_TWICE;

    if (!e->first)
        return "what was repeated is not the first that was sent";
    if (e->unseen)
        return "the lost segment did not pass here";
    r->party = TCPWHY_PARTY_SERVER;
    r->from = e->sender;
    r->key_record = e->repair_record;
    /* A request that a server received and saw repeated once may have been acknowledged late. */
    r->odds = e->arrived ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
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
