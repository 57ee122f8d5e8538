/* SPDX-License-Identifier: MIT */
#include "explain/timeline/full_duplex.h"

#include <glib.h>
#include "explain/thresholds.h"

/* A conversation in which both sides talk, while it is walked. */
struct overlap {
    struct tw_cursor *cursor;
    enum tcpwhy_side asker;
    enum tcpwhy_side talker; /* the side that spoke last */
    uint32_t last[2];        /* record of each side's newest data */
};

static const struct tw_send *send_at(const struct overlap *o, enum tcpwhy_side side, uint32_t index)
{
    const struct tw_sender_timeline *x = &o->cursor->context->sends[side];

    return index < x->n && x->send[index].record <= o->last[side] ? &x->send[index] : NULL;
}

/* The sender may use Nagle's algorithm, and the previous partial segment was acknowledged just when
 * this one left: the ACK, not the data with it, may have released it. Asked only after a partial
 * segment. */
static bool may_be_held(const struct overlap *o, enum tcpwhy_side side, uint32_t index)
{
    const struct tw_sender_timeline *x = &o->cursor->context->sends[side];
    const struct tw_send *s = &x->send[index];

    return x->heard && index > 0 && tw_send_is_small(s) && s->acked >= tw_send_seq(s) &&
           tw_sender_timeline_hold(x) && tw_cursor_released_by_ack(o->cursor, side, s);
}

/* The peer's newest data that a record acknowledges, or TW_NO_RECORD. */
static uint32_t newest_heard(const struct overlap *o, const struct tw_record *by)
{
    const struct tw_record *record = o->cursor->record;
    const struct tw_record *least = by - MIN(by - record, TW_NEAR_RECORDS);

    for (const struct tw_record *r = by; r-- > least;)
        if (r->from != by->from && r->len && tw_record_end(r) <= by->ack)
            return (uint32_t)(r - record);
    return TW_NO_RECORD;
}

/*
 * The data that a send may answer: it acknowledges data its side had not heard when it last sent.
 * TW_NO_RECORD: none, or the sender had more to send before, or Nagle's algorithm released it at an
 * ACK.
 */
static uint32_t question_of(const struct overlap *o, enum tcpwhy_side side, uint32_t index)
{
    const struct tw_sender_timeline *x = &o->cursor->context->sends[side];
    const struct tw_send *s = &x->send[index];
    const struct tw_record *r = tw_cursor_record(o->cursor, s->record);

    if (!(r->flags & TW_ACK) || !(s->is & TW_SEND_FRESH) ||
        !tw_cursor_had_said_all(o->cursor, side, index) || may_be_held(o, side, index))
        return TW_NO_RECORD;
    if (index > 0 && r->ack <= tw_cursor_record(o->cursor, s[-1].record)->ack)
        return TW_NO_RECORD;
    return newest_heard(o, r);
}

/* Long after the last data: perhaps nobody waited for it. */
static bool is_late(const struct tw_cursor *w, uint32_t record)
{
    return tw_cursor_record(w, record)->time_ns - tw_cursor_record(w, w->at)->time_ns >=
           TW_QUIET_NS;
}

/* The gap before a side's next data; idle if nobody reacts to it. */
static void visit_word(struct overlap *o, enum tcpwhy_side side, uint32_t index)
{
    struct tw_cursor *w = o->cursor;
    uint32_t record = w->context->sends[side].send[index].record;
    bool late = is_late(w, record);
    bool idle = side == o->asker || (late && !tw_app_reacted_to(&w->reactions, w->context, record));

    w->unsure |= late;
    w->question = question_of(o, side, index);
    if (w->question == TW_NO_RECORD)
        tw_cursor_visit(w, TW_PHASE_MESSAGE, side, record, index, false);
    else
        tw_cursor_visit_start(w, idle ? TW_PHASE_IDLE : TW_PHASE_TURN, side, record);
    w->question = TW_NO_RECORD;
    o->talker = side;
}

/* One gap, or a burst. @return false when both sides have finished. */
static bool step(struct overlap *o)
{
    struct tw_cursor *w = o->cursor;
    enum tcpwhy_side listener = tw_other(o->talker);
    uint32_t at = w->at;
    uint32_t i = tw_cursor_send_from(w, o->talker, at + 1);
    uint32_t k = tw_cursor_send_from(w, listener, at + 1);
    const struct tw_send *own, *other = send_at(o, listener, k);

    i = tw_cursor_pass_burst(w, o->talker, i, o->last[o->talker]);
    if (w->at > at)
        return true;
    own = send_at(o, o->talker, i);
    if (other && (!own || (other->record < own->record && tw_cursor_had_said_all(w, o->talker, i) &&
                           !may_be_held(o, o->talker, i))))
        visit_word(o, listener, k);
    else if (own)
        visit_word(o, o->talker, i);
    return own || other;
}

void tw_full_duplex_visit(struct tw_cursor *w, const struct tw_exchange *e)
{
    struct overlap o = { .cursor = w, .asker = e->asker, .talker = e->asker };

    o.last[e->asker] = e->request_last;
    o.last[tw_other(e->asker)] = tw_full_duplex_is(e) ? e->response_last : 0;
    w->gap.turn.at_once = true;
    while (step(&o))
        ;
    w->gap.turn.at_once = false;
}
