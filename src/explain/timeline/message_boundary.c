/* SPDX-License-Identifier: MIT */
#include "explain/timeline/message_boundary.h"

#include <glib.h>

#include "explain/timeline/capture_drops.h"
#include "explain/thresholds.h"

bool tw_message_boundary_was_held(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    const struct tw_send *s = &x->send[i];

    if ((s->is & TW_SEND_REPEAT) || tw_sws_remainder_is_filled(w->context->log, x, i))
        return true;
    return i > 0 && (tw_send_lacked_room(s) || tw_cursor_released_by_ack(w, sender, s));
}

bool tw_message_boundary_is_bulk(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i,
                                 uint32_t last)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    int64_t bulk_bytes = TW_INITIAL_SEGMENTS * (int64_t)x->mss_bytes,
            from = tw_send_seq(&x->send[i]);
    tcpwhy_ns at_ns = tw_cursor_record(w, x->send[i].record)->time_ns, next_ns;

    for (; i < x->n && x->send[i].record <= last; i++, at_ns = next_ns) {
        next_ns = tw_cursor_record(w, x->send[i].record)->time_ns;
        if (next_ns - at_ns >= TW_QUIET_NS)
            return false;
        if (x->send[i].end - from >= bulk_bytes)
            return true;
    }
    return false;
}

bool tw_message_boundary_speaks(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_send *s = &w->context->sends[sender].send[i];

    return tw_cursor_record(w, s->record)->time_ns - tw_cursor_record(w, w->at)->time_ns >
               TW_SHORT_NS &&
           tw_cursor_had_said_all(w, sender, i) && !tw_message_boundary_was_held(w, sender, i);
}

static bool follows_ack(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    tcpwhy_ns moved_ns = tw_send_moved_ns(x, s);

    return moved_ns != TCPWHY_NS_UNKNOWN &&
           TW_SOON_SHARE * (s->sent_ns - moved_ns) <= s->sent_ns - s[-1].sent_ns;
}

bool tw_message_boundary_asks(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    const struct tw_send *s = &x->send[i];

    return w->gap.turn.asks && w->gap.turn.in_turns && i > 0 &&
           w->context->prescan.pure_acks != TW_ACKS_LACKING &&
           !tw_capture_drops_between(w->context, w->at, s->record) &&
           tw_cursor_had_said_all(w, sender, i) &&
           tw_send_seq(s) - w->turns.asked_from < TW_INITIAL_SEGMENTS * (int64_t)x->mss_bytes &&
           !follows_ack(x, s);
}
