/* SPDX-License-Identifier: MIT */
#include "app/request_response.h"

#include "base/grow.h"

/*
 *      client  ---- request ---->        asks
 *              <--- response ----        answers
 *      client  ---- request ---->        the next exchange
 *
 * Two rules of causality keep what crosses on the way apart: bytes of the server answer a request
 * only when their frame acknowledges some of it, and bytes of the client are a new request only
 * when their frame acknowledges some of the answer. Where both sides talk at once (bytes came
 * before the whole request was acknowledged), it stays one exchange until both sides have
 * everything.
 */

static bool answered(const struct tw_exchange *e)
{
    return e->response_to > e->response_from;
}

static void add(struct tw_exchanges *all, const struct tw_exchange *e)
{
    if (all->n == all->capacity)
        all->exchange = tw_grow_from(all->exchange, all->first, all->n, &all->capacity, sizeof *e);
    all->exchange[all->n++] = *e;
}

static void open_exchange(struct tw_request_response *t)
{
    int64_t asked = t->reached[t->asker], replied = t->reached[!t->asker];
    struct tw_exchange e = {
        .protocol = t->protocol,
        .request = "",
        .asker = t->asker,
        .request_from = asked,
        .request_to = asked,
        .response_from = replied,
        .response_to = replied,
        .request_first = TW_NO_RECORD,
        .request_last = TW_NO_RECORD,
        .response_first = TW_NO_RECORD,
        .response_last = TW_NO_RECORD,
    };

    if (t->open)
        t->open->complete = answered(t->open);
    add(t->all, &e);
    t->open = &t->all->exchange[t->all->n - 1];
    t->at_once = false;
}

static void acknowledge(struct tw_request_response *t, const struct tw_record *r)
{
    if (r->flags & TW_ACK && r->ack > t->acked[!r->from])
        t->acked[!r->from] = r->ack;
}

/* Has each side received everything that the other sent, as of this record? Rarely needed. */
static bool is_quiet(struct tw_request_response *t, const struct tw_record *r)
{
    for (; &t->log->record[t->n_acks] <= r; t->n_acks++)
        acknowledge(t, &t->log->record[t->n_acks]);
    return t->acked[0] >= t->reached[0] && t->acked[1] >= t->reached[1];
}

static void asker_sent(struct tw_request_response *t, const struct tw_record *r, int64_t to,
                       uint32_t record)
{
    bool knows_answer = !(r->flags & TW_ACK) || (t->open && r->ack > t->open->response_from);

    if (!t->open || (answered(t->open) && knows_answer && (!t->at_once || is_quiet(t, r))))
        open_exchange(t);
    t->reached[t->asker] = to;
    t->open->request_to = to;
    if (t->open->request_first == TW_NO_RECORD)
        t->open->request_first = record;
    t->open->request_last = record;
}

/* The answerer had received nothing of the open request when it sent this. */
static bool answers_the_one_before(const struct tw_request_response *t, const struct tw_record *r)
{
    return !answered(t->open) && t->all->n > t->first + 1 && r->flags & TW_ACK &&
           r->ack <= t->open->request_from;
}

/* The answerer still talks about the session, though it was asked already. */
static bool is_of_session(const struct tw_request_response *t, int64_t to)
{
    return to <= t->tickets_to && !answered(t->open) && t->open->request_to > t->session_to;
}

static void answerer_sent(struct tw_request_response *t, const struct tw_record *r, int64_t to,
                          uint32_t record)
{
    struct tw_exchange *e;

    if (!t->open)
        open_exchange(t);
    e = t->open;
    t->reached[!t->asker] = to;
    if (is_of_session(t, to)) {
        e->response_from = e->response_to = to;
        return;
    }
    if (answers_the_one_before(t, r)) {
        e->response_from = e->response_to = to;
        e[-1].response_to = to;
        e[-1].response_last = record;
        return;
    }
    if (!answered(e))
        e->response_first = record;
    if (r->flags & TW_ACK && r->ack < e->request_to)
        t->at_once = true;
    e->response_to = to;
    e->response_last = record;
}

void tw_request_response_begin(struct tw_request_response *t, const struct tw_log *log,
                               const int64_t from[2], enum tcpwhy_side asker, const char *protocol,
                               struct tw_exchanges *exchanges)
{
    *t = (struct tw_request_response) {
        .log = log,
        .all = exchanges,
        .protocol = protocol,
        .asker = asker,
        .first = exchanges->n,
        .reached = { from[0], from[1] },
    };
}

void tw_request_response_take(struct tw_request_response *t, const struct tw_record *r, int64_t to,
                              uint32_t record)
{
    /* Bytes before the start. */
    if (to <= t->reached[r->from])
        return;
    if (r->from == t->asker)
        asker_sent(t, r, to, record);
    else
        answerer_sent(t, r, to, record);
}

void tw_request_response_pass(struct tw_request_response *t, enum tcpwhy_side from, int64_t to)
{
    t->reached[from] = MAX(t->reached[from], to);
}

/* Further bytes of the same side extend the open request or response. */
static bool only_grows(const struct tw_request_response *t, enum tcpwhy_side from)
{
    return t->open && answered(t->open) != (from == t->asker);
}

static bool goes_on(const struct tw_record *r, uint8_t from, int64_t next)
{
    return r->from == from && r->seq == next && r->usual;
}

const struct tw_record *tw_request_response_go_on(struct tw_request_response *t,
                                                  struct tw_byte_to_frame *bytes,
                                                  const struct tw_record *r,
                                                  const struct tw_record *end)
{
    const struct tw_record *next = r + 1, *last = r;
    int64_t to = bytes->next, asked_to;

    if (!only_grows(t, r->from) || t->reached[r->from] != to)
        return r;
    asked_to = r->from == t->asker ? INT64_MIN : t->open->request_to;
    for (; next < end; next++) {
        if (!tw_record_may_deliver(next))
            continue;
        if (!goes_on(next, r->from, to))
            break;
        to += next->len;
        last = next;
        if (next->ack < asked_to && next->flags & TW_ACK)
            t->at_once = true;
    }
    if (last == r)
        return next - 1;
    bytes->next = t->reached[r->from] = to;
    if (r->from == t->asker) {
        t->open->request_to = to;
        t->open->request_last = (uint32_t)(last - t->log->record);
    } else {
        t->open->response_to = to;
        t->open->response_last = (uint32_t)(last - t->log->record);
    }
    return next - 1;
}

void tw_request_response_end(struct tw_request_response *t)
{
    const struct tw_exchange *e = t->open;

    if (e)
        t->open->complete = answered(e) && tw_is_acknowledged(t->log, !t->asker, e->response_to);
}
