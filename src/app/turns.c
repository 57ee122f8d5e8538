/* SPDX-License-Identifier: MIT */
#include "app/turns.h"

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
struct turns {
    const struct tw_log *log;
    struct tw_exchanges *all;
    const char *protocol;
    enum tcpwhy_side asker, answerer;
    uint32_t first;     /* of ours */
    int64_t reached[2]; /* end of each side's bytes so far */
    int64_t acked[2];   /* of each side's bytes, by the other, ... */
    uint32_t n_acks;    /* ... in so many records */
    bool open;          /* the last exchange is ours */
    bool at_once;       /* both talk */
};

static struct tw_exchange *last(const struct turns *t)
{
    return &t->all->exchange[t->all->n - 1];
}

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

static void open_exchange(struct turns *t)
{
    struct tw_exchange e = {
        .protocol = t->protocol,
        .request = "",
        .host = "",
        .asker = t->asker,
        .request_from = t->reached[t->asker],
        .request_to = t->reached[t->asker],
        .response_from = t->reached[t->answerer],
        .response_to = t->reached[t->answerer],
        .request_first = TW_NO_RECORD,
        .request_last = TW_NO_RECORD,
        .response_first = TW_NO_RECORD,
        .response_last = TW_NO_RECORD,
    };

    if (t->open)
        last(t)->complete = answered(last(t));
    add(t->all, &e);
    t->open = true;
    t->at_once = false;
}

static void acknowledge(struct turns *t, const struct tw_record *r)
{
    if (r->flags & TW_ACK && r->ack > t->acked[!r->from])
        t->acked[!r->from] = r->ack;
}

/* Has each side everything that the other sent, with this record? Seldom asked. */
static bool is_quiet(struct turns *t, const struct tw_record *r)
{
    for (; &t->log->record[t->n_acks] <= r; t->n_acks++)
        acknowledge(t, &t->log->record[t->n_acks]);
    return t->acked[0] >= t->reached[0] && t->acked[1] >= t->reached[1];
}

static void asker_sent(struct turns *t, const struct tw_record *r, int64_t to)
{
    bool knows_answer = !(r->flags & TW_ACK) || (t->open && r->ack > last(t)->response_from);

    if (!t->open || (answered(last(t)) && knows_answer && (!t->at_once || is_quiet(t, r))))
        open_exchange(t);
    t->reached[t->asker] = to;
    last(t)->request_to = to;
}

/* The answerer had seen nothing of the open request when it sent this. */
static bool answers_the_one_before(const struct turns *t, const struct tw_record *r)
{
    const struct tw_exchange *e = last(t);

    return !answered(e) && t->all->n > t->first + 1 && r->flags & TW_ACK &&
           r->ack <= e->request_from;
}

static void answerer_sent(struct turns *t, const struct tw_record *r, int64_t to)
{
    struct tw_exchange *e;

    if (!t->open)
        open_exchange(t);
    e = last(t);
    t->reached[t->answerer] = to;
    if (answers_the_one_before(t, r)) {
        (e - 1)->response_to = to;
        e->response_from = to;
    } else if (r->flags & TW_ACK && r->ack < e->request_to) {
        t->at_once = true;
    }
    e->response_to = to;
}

static void deliver(struct turns *t, const struct tw_record *r, const struct tw_delivery *d)
{
    /* Not ahead: a hole filled, or bytes from before the begin. */
    if (d->to <= t->reached[r->from])
        return;
    if (r->from == t->asker)
        asker_sent(t, r, d->to);
    else
        answerer_sent(t, r, d->to);
}

void tw_turns_append(const struct tw_log *log, const struct tw_deliveries by_side[2],
                     const int64_t from[2], enum tcpwhy_side asker, const char *protocol,
                     struct tw_exchanges *exchanges)
{
    const struct tw_delivery *at[2], *end[2];
    struct turns t = {
        .log = log,
        .all = exchanges,
        .protocol = protocol,
        .asker = asker,
        .answerer = asker == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT,
        .first = exchanges->n,
    };

    for (int side = 0; side < 2; side++) {
        t.reached[side] = from[side];
        at[side] = by_side[side].delivery;
        end[side] = at[side] + by_side[side].n;
    }
    while (at[0] < end[0] || at[1] < end[1]) {
        int side = at[0] == end[0] || (at[1] < end[1] && at[1]->record < at[0]->record);

        deliver(&t, &log->record[at[side]->record], at[side]);
        at[side]++;
    }
    if (t.open)
        last(&t)->complete =
            answered(last(&t)) && by_side[t.answerer].acked >= last(&t)->response_to;
}
