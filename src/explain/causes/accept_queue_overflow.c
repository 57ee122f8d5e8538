/* SPDX-License-Identifier: MIT */
/*
 * The client's first data is repeated in vain: the accept queue has no room for its connection, and
 * until it has, the listener takes nothing, though it had answered the SYN (tcp_check_req(),
 * cookie_v4_check()). At the server that data is seen to have come. Whether it was the first, the
 * handshake alone tells: without it the way may have been gone, or the host have stood still.
 */
#include "explain/causes/detector.h"
#include "explain/thresholds.h"

/* And the server took it at last. Else perhaps nothing passes any more. */
static bool is_taken(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    const struct tw_record *last = &w->context->log->record[e->last_record];

    return last->from != (uint8_t)e->sender &&
           last->ack > w->context->log->record[e->first_record].seq;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_recovery_episode *e = w->episode;
    const struct tw_vantage *v = &w->context->vantage;
    bool has_come = v->place == TCPWHY_VANTAGE_SERVER && v->confidence == TCPWHY_CERTAIN;
    bool opens = w->context->log->record->flags & TW_SYN;

    if (!e->first || e->unseen || e->black_hole || !is_taken(w, e) ||
        (!has_come && (e->repeats < TW_TWICE || !opens)))
        return false;
    c->party = TCPWHY_PARTY_SERVER;
    c->from = e->sender;
    c->key_record = e->repair_record;
    if (!has_come || e->repeats < TW_TWICE || !opens)
        tw_claim_add_rival(c, TCPWHY_LOSS_RECOVERY);
    return true;
}

const struct tw_detector tw_detect_accept_queue_overflow = { TCPWHY_CONNECT_RETRY, claim,
                                                             TW_NEEDS_EPISODE };
