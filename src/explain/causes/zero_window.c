/* SPDX-License-Identifier: MIT */
/*
 * The receiver's window was 0: the sender may only probe until it opens (RFC 9293, 3.8.6.1).
 */
#include <glib.h>

#include "explain/causes/detector.h"
#include "explain/thresholds.h"

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

/* Nothing was sent any more, though there was more to send. Of a wait that a repair divides it is
 * the part behind the window's end. */
static bool claim_until_end(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_record *record = w->context->log->record;
    tcpwhy_ns closed_ns = record[w->closed.record].time_ns;

    if (closed_ns >= w->to_ns)
        return false;
    c->party = tw_party_of(tw_other(w->sender));
    c->from_ns = MAX(closed_ns, w->from_ns);
    c->key_record = w->closed.record;
    if (record[w->closed.probe].time_ns - closed_ns >= TW_INITIAL_RTO_NS && !backs_off(w))
        tw_claim_add_rival(c, TCPWHY_KEEP_ALIVE);
    return true;
}

/* Did the sender ask for room, as it does with more to send? */
static bool was_probed(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record;

    for (uint32_t i = w->first_record; i < w->last_record; i++)
        if (record[i].from == (uint8_t)w->sender &&
            record[i].frame_class == TCPWHY_CLASS_WINDOW_PROBE)
            return true;
    return false;
}

/* Was the window closed all the time until it had room, as far as the capture tells? */
static bool was_closed_so_far(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    const struct tw_record *r = w->context->log->record, *sent = r + w->send->record;

    while (r < sent && r->time_ns + x->to_sender < w->send->allowed_ns &&
           (r->from == (uint8_t)w->sender || r->window_bytes == 0))
        r++;
    return r == sent || r->time_ns + x->to_sender >= w->send->allowed_ns;
}

/* Who had nothing to send was waited for otherwise; of what went before the capture nobody knows.
 */
static enum tcpwhy_cause rival_of_first(const struct tw_gap *w)
{
    const struct tw_side *side = w->context->connection->side;

    if (!side[TCPWHY_CLIENT].syn && !side[TCPWHY_SERVER].syn)
        return TCPWHY_APP_LIMITED;
    if (w->phase == TW_PHASE_IDLE)
        return TCPWHY_CLIENT_IDLE;
    return tw_think_of(w->sender);
}

/*
 * The first that the sender says came with the opening: no message is seen to have begun, and yet
 * there was one. The capture began while the window was closed; or the SYN/ACK closed it, as that
 * of a proxy does which has yet to ask the server itself (Linux: synproxy_send_client_synack()).
 */
static bool claim_from_beginning(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_context *context = w->context;
    const struct tw_send *s = w->send;

    if (s != context->sends[w->sender].send || !(s->is & TW_SEND_CLOSED) ||
        s->sent_ns - s->allowed_ns > tw_sender_timeline_at_once(&context->vantage, w->sender) ||
        !was_closed_so_far(w))
        return false;
    c->party = tw_party_of(tw_other(w->sender));
    c->key_record = s->moved_record;
    if (!was_probed(w))
        tw_claim_add_rival(c, rival_of_first(w));
    return true;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_send *s = w->send;

    if (w->phase != TW_PHASE_MESSAGE)
        return w->phase != TW_PHASE_ARRIVAL && s && claim_from_beginning(w, c);
    if (w->closed.record != TW_NO_RECORD)
        return claim_until_end(w, c);
    if (!w->before || !tw_send_lacked_room(s))
        return false;
    c->party = tw_party_of(tw_other(w->sender));
    c->key_record = s->moved_record;
    return true;
}

const struct tw_detector tw_detect_zero_window = { TCPWHY_ZERO_WINDOW, claim, TW_NEEDS_CLOSED };
