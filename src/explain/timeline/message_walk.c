/* SPDX-License-Identifier: MIT */
#include "explain/timeline/message_walk.h"

#include <glib.h>

#include "explain/thresholds.h"
#include "explain/timeline/capture_drops.h"
#include "explain/timeline/message_boundary.h"

/* May a send this long after the cursor belong to the burst of the previous gap? */
static bool may_be_of_burst(const struct tw_cursor *w, const struct tw_send *s, tcpwhy_ns wait_ns)
{
    return wait_ns <= w->sink->burst.longest_ns || s->is & TW_SEND_SPURIOUS;
}

/* Without message boundaries: is this data a goodbye? */
static bool is_farewell(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t record)
{
    return w->gap.turn.in_turns && (record == w->habits.farewell[sender].first ||
                                    tw_farewell_answers_fin(w->context, w->at, record));
}

/* Are these a side's last words, said because the other side closed when it had all before them
 * (RFC 8446, 6.1: a close_notify)? */
static bool answers_close(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    const struct tw_send *s = &x->send[i];
    const struct tw_record *r = tw_cursor_record(w, s->record), *at = tw_cursor_record(w, w->at);
    const struct tw_record *least = r - MIN(r - at, TW_NEAR_RECORDS);

    if ((i + 1 < x->n && s[1].len > 0) || s->len >= TW_SMALLEST_MSS)
        return false;
    while (--r > least)
        if (r->from != (uint8_t)sender && r->flags & TW_FIN)
            return r->ack >= tw_send_seq(s);
    return false;
}

/* A long silence before a send divides its message. */
static void note_piece(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    int64_t from = tw_send_seq(&x->send[i]);

    w->messages.short_pieces =
        from - w->messages.piece_from < x->mss_bytes ? w->messages.short_pieces + 1 : 0;
    w->messages.piece_from = from;
}

/* Without message boundaries, data that comes piece by piece, or seconds after the message seemed
 * complete, begins a new message: a server pushes, a person types. */
static bool is_of_its_own(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i,
                          tcpwhy_ns wait_ns)
{
    return w->gap.turn.in_turns && tw_cursor_had_said_all(w, sender, i) &&
           w->context->prescan.pure_acks != TW_ACKS_LACKING &&
           !tw_capture_drops_between(w->context, w->at, w->context->sends[sender].send[i].record) &&
           (wait_ns >= TW_UNASKED_NS || w->messages.short_pieces >= TW_OFTEN);
}

/* A keystroke leaves in a segment of its own (RFC 896). After two of them that were acknowledged,
 * or between them, a person at the client types: nobody waits for it. */
static bool is_typed(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_send *s = &w->context->sends[sender].send[i];

    return sender == TCPWHY_CLIENT && i > 0 && s[-1].len == 1 && s[-1].end == tw_send_seq(s) &&
           (s->len == 1 || (i > 1 && s[-2].len == 1)) && tw_cursor_had_said_all(w, sender, i);
}

/* May a silence below TW_QUIET_NS be idle, too? Between keys: those of a fast typist are 60 ms
 * apart and more (half of the 120 ms of Dhakal et al. 2018, since fingers alternate). And where who
 * sends tells what happens, when all that it told is there. */
static bool may_be_idle_soon(const struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i,
                             bool awaited, tcpwhy_ns wait_ns)
{
    if (w->turns.at_will && tw_cursor_had_said_all(w, sender, i))
        return true;
    return wait_ns >= TW_QUIET_NS / 3 && awaited && is_typed(w, sender, i);
}

/* Take note of the silence before a send. @return whether it is idle time; a short one is a
 * program's. */
static bool take_silence(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i, uint32_t last,
                         bool awaited, tcpwhy_ns wait_ns)
{
    if (answers_close(w, sender, i))
        return true;
    if (wait_ns < TW_QUIET_NS && !may_be_idle_soon(w, sender, i, awaited, wait_ns))
        return false;
    if (tw_message_boundary_was_held(w, sender, i) ||
        (w->gap.turn.closes && !tw_cursor_had_said_all(w, sender, i)))
        return false;
    /* perhaps the sender spoke twice, once unasked; requests and answers may be mismatched then */
    w->unsure |= w->gap.turn.guessed;
    note_piece(w, sender, i);
    return (!awaited || is_farewell(w, sender, w->context->sends[sender].send[i].record) ||
            is_of_its_own(w, sender, i, wait_ns) || is_typed(w, sender, i) || w->turns.at_will ||
            tw_message_boundary_asks(w, sender, i)) &&
           (w->turns.at_will || !tw_message_boundary_is_bulk(w, sender, i, last));
}

void tw_message_visit(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t last, bool awaited)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    uint32_t i = tw_cursor_send_from(w, sender, w->at + 1);

    w->messages.short_pieces = 0;
    w->messages.piece_from = i > 0 ? tw_send_seq(&x->send[i - 1]) : 0;
    while (i < x->n && x->send[i].record <= last) {
        const struct tw_send *s = &x->send[i];
        tcpwhy_ns wait_ns =
            tw_cursor_record(w, s->record)->time_ns - tw_cursor_record(w, w->at)->time_ns;
        uint32_t next =
            may_be_of_burst(w, s, wait_ns) ? tw_cursor_pass_burst(w, sender, i, last) : i;
        bool idle;

        if (next > i) {
            i = next;
            continue;
        }
        idle = take_silence(w, sender, i, last, awaited, wait_ns);
        if (w->gap.turn.asks && w->gap.turn.in_turns)
            w->messages.asked_again += tw_message_boundary_speaks(w, sender, i);
        if (idle && sender == TCPWHY_SERVER)
            w->messages.pushed += tw_cursor_had_said_all(w, sender, i);
        w->messages.resumed += idle;
        tw_cursor_visit(w, idle ? TW_PHASE_IDLE : TW_PHASE_MESSAGE, sender, s->record, (int64_t)i,
                        s->record == last);
        i++;
    }
    if (i > 0 && x->send[i - 1].record <= w->at)
        w->next[sender] = i - 1; /* sends already passed are not passed again */
}

bool tw_message_pauses(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t from, uint32_t to)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    tcpwhy_ns before_ns = tw_cursor_record(w, from)->time_ns;

    for (uint32_t i = tw_cursor_send_from(w, sender, from); i < x->n && x->send[i].record <= to;
         i++) {
        tcpwhy_ns at_ns = tw_cursor_record(w, x->send[i].record)->time_ns;

        if (at_ns - before_ns >= TW_QUIET_NS && !tw_message_boundary_was_held(w, sender, i))
            return true;
        before_ns = at_ns;
    }
    return false;
}
