/* SPDX-License-Identifier: MIT */
/*
 * The receive window was 0: the sender may only probe until it opens (RFC 9293, 3.8.6.1).
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The sender had more and sent nothing. If a repair divides the gap, this is the part after the
 * window closed. */
static const char *weigh_until_end(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_record *record = w->context->log->record;
    tcpwhy_ns closed_ns = record[w->closed.record].time_ns;

    if (closed_ns >= w->to_ns)
        return "the receive window was closed later";
    r->party = tw_party_of(tw_other(w->sender));
    r->from_ns = MAX(closed_ns, w->from_ns);
    r->key_record = w->closed.record;
    if (tw_gap_probes_may_be_keep_alives(w))
        r->odds = TW_ODDS_DOUBTED;
    return NULL;
}

/* Did the sender probe the window, as it does with more to send? */
static bool was_probed(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record;

    for (uint32_t i = w->first_record; i < w->last_record; i++)
        if (record[i].from == (uint8_t)w->sender &&
            record[i].frame_class == TCPWHY_CLASS_WINDOW_PROBE)
            return true;
    return false;
}

/* Was the window closed until it opened, as far as the capture shows? */
static bool was_closed_so_far(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    const struct tw_record *r = w->context->log->record, *sent = r + w->send->record;

    while (r < sent && r->time_ns + x->to_sender < w->send->allowed_ns &&
           (r->from == (uint8_t)w->sender || r->window_bytes == 0))
        r++;
    return r == sent || r->time_ns + x->to_sender >= w->send->allowed_ns;
}

/*
 * The sender's first segment came when the window opened: its message is not seen to begin, and yet
 * there was one. The capture began while the window was closed; or the SYN/ACK closed it, as a
 * proxy does that has yet to connect to the server (Linux: synproxy_send_client_synack()).
 */
static const char *weigh_from_beginning(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_context *context = w->context;
    const struct tw_send *s = w->send;

    if (s != context->sends[w->sender].send || !(s->is & TW_SEND_CLOSED) ||
        s->sent_ns - s->allowed_ns > tw_sender_timeline_at_once(&context->vantage, w->sender) ||
        !was_closed_so_far(w))
        return "nothing was waiting for the window to open";
    r->party = tw_party_of(tw_other(w->sender));
    r->key_record = s->moved_record;
    /* A sender with nothing to send would have been waited for anyway. */
    if (!was_probed(w))
        r->odds = TW_ODDS_DOUBTED;
    return NULL;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_send *s = w->send;

    r->odds = TW_ODDS_PROVEN;
    if (w->phase == TW_PHASE_ARRIVAL || (w->phase != TW_PHASE_MESSAGE && !s))
        return "nothing was waiting for the window to open";
    if (w->phase != TW_PHASE_MESSAGE)
        return weigh_from_beginning(w, r);
    if (w->closed.record != TW_NO_RECORD)
        return weigh_until_end(w, r);
    if (!w->before || !tw_send_lacked_room(s))
        return "the receive window had room";
    r->party = tw_party_of(tw_other(w->sender));
    r->key_record = s->moved_record;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_zero_window = { TCPWHY_ZERO_WINDOW,
                                                         TW_NEEDS_CLOSED | TW_NEEDS_WHOLE, weigh };
