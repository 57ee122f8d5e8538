/* SPDX-License-Identifier: MIT */
/*
 * The end of a connection: an orderly close, a reset, or unanswered keep-alives. Nobody waits for
 * it.
 */
#include "explain/timeline/teardown.h"

#include "explain/sender/sender_timeline.h"
#include "explain/spans.h"

/* The first of two or more unanswered keep-alives at the end of the log (RFC 9293, 3.8.4): the
 * other side is gone. TW_NO_RECORD: none. */
static uint32_t unanswered_keep_alives(const struct tw_log *log, uint32_t from)
{
    uint32_t first = TW_NO_RECORD, count = 0;

    for (uint32_t i = log->n; i-- > from;) {
        const struct tw_record *r = &log->record[i];

        if (r->frame_class != TCPWHY_CLASS_KEEP_ALIVE && !(r->flags & TW_RST))
            break;
        if (r->frame_class == TCPWHY_CLASS_KEEP_ALIVE) {
            first = i;
            count++;
        }
    }
    return count >= 2 ? first : TW_NO_RECORD;
}

/* Data retransmitted after a FIN was lost before it or with it: its receiver is still waiting. The
 * last such retransmission, or the FIN. */
static uint32_t last_repeat(const struct tw_log *log, uint32_t fin)
{
    uint32_t last = fin;

    for (uint32_t i = fin + 1; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == log->record[fin].from && r->len > 0 &&
            r->frame_class == TCPWHY_CLASS_RETRANSMISSION)
            last = i;
    }
    return last;
}

uint32_t tw_teardown_find(const struct tw_log *log, uint32_t from)
{
    uint32_t alone = unanswered_keep_alives(log, from);

    for (uint32_t i = from; i < log->n; i++)
        if (i == alone || (log->record[i].flags & (TW_FIN | TW_RST)))
            return log->record[i].flags & TW_FIN ? last_repeat(log, i) : i;
    return log->n - 1;
}

uint32_t tw_teardown_of_deaf(const struct tw_connection *c, const struct tw_log *log,
                             enum tcpwhy_side side)
{
    uint32_t fin = TW_NO_RECORD;
    bool resets = false, spoken_to = false;
    int64_t heard = 0;

    if (!c->side[side].fin || !c->side[side].rst) /* the usual case */
        return TW_NO_RECORD;
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from != (uint8_t)side) {
            spoken_to |= fin != TW_NO_RECORD && r->len > 0 && tw_record_end(r) > heard;
        } else if (fin == TW_NO_RECORD) {
            heard = r->ack;
            if (r->flags & TW_FIN)
                fin = i;
        } else if (r->flags & TW_RST) {
            resets |= spoken_to;
        } else if (r->ack > heard) {
            return TW_NO_RECORD;
        }
    }
    return resets ? fin : TW_NO_RECORD;
}

bool tw_teardown_is_cut(const struct tw_log *log, uint32_t from, uint32_t end)
{
    const struct tw_record *r = &log->record[end];

    return end == log->n - 1 && !(r->flags & (TW_FIN | TW_RST)) &&
           r->time_ns - log->record[from].time_ns < TW_FORBIDDEN_DELAY_NS;
}

/* The SYN/ACK closed the window, and nothing has opened it: a proxy that answers SYNs itself opens
 * it once the host behind has answered. */
static void begins_closed(const struct tw_log *log, uint32_t from, struct tw_closed_window *closed)
{
    for (uint32_t i = 0; i < from; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == TCPWHY_CLIENT)
            continue;
        if (r->window_bytes > 0 || !(r->flags & TW_SYN))
            return;
        closed->record = i;
        closed->sender = TCPWHY_CLIENT;
    }
}

/* A sender that probes the window has more to send (RFC 9293, 3.8.6.1). */
bool tw_teardown_is_closed(const struct tw_log *log, uint32_t from, uint32_t end,
                           struct tw_closed_window *closed)
{
    const struct tw_closed_window none = { .record = TW_NO_RECORD, .probe = TW_NO_RECORD };

    *closed = none;
    begins_closed(log, from, closed);
    for (uint32_t i = from; i < end; i++) {
        const struct tw_record *r = &log->record[i];
        bool known = closed->record != TW_NO_RECORD;

        if (known && r->from == closed->sender) {
            if (closed->probe == TW_NO_RECORD && r->frame_class == TCPWHY_CLASS_WINDOW_PROBE)
                closed->probe = i;
        } else if (r->window_bytes > 0) {
            *closed = none;
        } else if (!known) {
            closed->record = i;
            closed->sender = r->from ? TCPWHY_CLIENT : TCPWHY_SERVER;
        }
    }
    if (closed->probe == TW_NO_RECORD)
        *closed = none;
    return closed->record != TW_NO_RECORD;
}

static enum tcpwhy_cause how_it_ends(const struct tw_log *log, uint32_t from)
{
    for (uint32_t i = from; i < log->n; i++) {
        if (log->record[i].flags & TW_RST)
            return TCPWHY_RESET;
        if (log->record[i].flags & TW_FIN)
            return TCPWHY_CLOSE;
        if (log->record[i].frame_class == TCPWHY_CLASS_KEEP_ALIVE)
            return TCPWHY_KEEP_ALIVE;
    }
    return TCPWHY_UNKNOWN;
}

/* If keep-alives go unanswered, a capture at one end cannot tell a dead host from a path that loses
 * one direction. */
void tw_teardown_explain(const struct tw_log *log, uint32_t from, struct tw_explanation *out)
{
    const struct tw_record *r = &log->record[from];
    enum tcpwhy_cause cause = how_it_ends(log, from);
    const bool unanswered = cause == TCPWHY_KEEP_ALIVE;
    const struct tw_span span = {
        .from_ns = r->time_ns,
        .to_ns = log->record[log->n - 1].time_ns,
        .cause = cause,
        .party = cause == TCPWHY_UNKNOWN    ? TCPWHY_PARTY_NONE
                 : r->from == TCPWHY_CLIENT ? TCPWHY_PARTY_CLIENT
                                            : TCPWHY_PARTY_SERVER,
        .from = (enum tcpwhy_side)r->from,
        .confidence = unanswered ? TCPWHY_LIKELY : TCPWHY_CERTAIN,
        .rival = unanswered ? TCPWHY_LOSS_RECOVERY : TCPWHY_CAUSE_NONE,
        .first_record = from,
        .last_record = log->n - 1,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };

    tw_spans_add(out, &span);
}
