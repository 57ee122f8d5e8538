/* SPDX-License-Identifier: MIT */
#include "explain/timeline/handshake_frames.h"

#include <glib.h>

/* Segments that the client sent before it retransmitted its SYN did not answer a SYN/ACK. */
static void take_syn(struct tw_handshake_frames *m, uint32_t i)
{
    if (m->syns++ > 0)
        m->before_last = m->last_syn;
    m->last_syn = i;
    m->done = TW_NO_RECORD;
}

static void take_late_syn(struct tw_handshake_frames *m, uint32_t i)
{
    m->deaf = MIN(m->deaf, i);
    m->late_syns++;
}

/* Answers that may have crossed: as many as SYNs before the first answer, and once it is
 * acknowledged, as many as SYNs in all. */
static void take_answer(struct tw_handshake_frames *m, uint32_t i)
{
    uint32_t asked = m->syns + (m->done == TW_NO_RECORD ? 0 : m->late_syns);

    if (m->answer == TW_NO_RECORD) {
        m->answer = m->last_answer = i;
        /* After a RST, the client's segment before this answer did not reply to it either. */
        if (m->refusal != TW_NO_RECORD)
            m->done = TW_NO_RECORD;
    } else if (++m->repeats >= asked) {
        m->first_repeat = MIN(m->first_repeat, i);
        m->last_answer = i;
    }
}

static void look_at(struct tw_handshake_frames *m, const struct tw_log *log, uint32_t i)
{
    const struct tw_record *r = &log->record[i];
    bool client = r->from == TCPWHY_CLIENT;

    if (r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
        return;
    if (client && (r->flags & (TW_SYN | TW_ACK)) == TW_SYN && m->answer == TW_NO_RECORD)
        take_syn(m, i);
    else if (client && (r->flags & TW_SYN) && m->done == TW_NO_RECORD)
        take_late_syn(m, i);
    else if (!client && tw_record_is(r, TW_SYN | TW_ACK))
        take_answer(m, i);
    else if (!client && (r->flags & TW_RST) && m->answer == TW_NO_RECORD)
        m->refusal = MIN(m->refusal, i);
    else if (!client && m->answer == TW_NO_RECORD)
        m->old = MIN(m->old, i);
    else if (client && m->done == TW_NO_RECORD)
        m->done = i;
}

static bool is_syn(const struct tw_record *r)
{
    return r->from == TCPWHY_CLIENT && (r->flags & TW_SYN) &&
           r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME;
}

/* The server's first segment that is neither SYN/ACK nor RST ends the setup. A bare ACK before both
 * belongs to an older connection (RFC 9293, 3.5.1): the client resets that and retransmits its SYN.
 * A segment after a refusal does not end it either: a server that refused sends nothing else, so
 * one of the two is forged. */
static bool ends_setup(const struct tw_handshake_frames *m, const struct tw_record *r)
{
    if (r->from != TCPWHY_SERVER || r->flags & (TW_SYN | TW_RST))
        return false;
    if (m->refusal != TW_NO_RECORD && m->answer == TW_NO_RECORD)
        return false;
    return !tw_record_is_pure_ack(r) || m->answer != TW_NO_RECORD || m->done != TW_NO_RECORD;
}

struct tw_handshake_frames tw_handshake_frames_find(const struct tw_log *log, uint32_t from)
{
    struct tw_handshake_frames m = { .last_syn = from,
                                     .before_last = TW_NO_RECORD,
                                     .old = TW_NO_RECORD,
                                     .answer = TW_NO_RECORD,
                                     .last_answer = TW_NO_RECORD,
                                     .first_repeat = TW_NO_RECORD,
                                     .deaf = TW_NO_RECORD,
                                     .done = TW_NO_RECORD,
                                     .refusal = TW_NO_RECORD,
                                     .again = TW_NO_RECORD };

    for (uint32_t i = from; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (ends_setup(&m, r))
            break;
        /* A client that retransmits its SYN believed the refusal. */
        if (m.refusal != TW_NO_RECORD && is_syn(r)) {
            m.again = i;
            break;
        }
        look_at(&m, log, i);
    }
    /* A client that continues did not: the RST was forged or not acceptable (RFC 9293,
     * 3.10.7.3). */
    if (m.done != TW_NO_RECORD && !(log->record[m.done].flags & TW_RST))
        m.refusal = m.again = TW_NO_RECORD;
    return m;
}
