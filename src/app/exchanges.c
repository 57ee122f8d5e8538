/* SPDX-License-Identifier: MIT */
/*
 * Transactions of a finished connection, from its protocol's dissector or by turn-taking, with the
 * records that delivered each message.
 */
#include "base/memory.h"
#include "app/app.h"

#include "app/asked_again.h"
#include "app/byte_to_frame.h"
#include "app/transactions.h"
#include "app/message_ends.h"
#include "app/messages.h"
#include "app/plain.h"
#include "app/polling.h"
#include "app/request_response.h"
#include "app/typing.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

/* Is the response at the end of the capture complete, judging by how the connection continues? */
static bool came_whole(const struct tw_log *log, const struct tw_transactions *transactions,
                       const int64_t reached[2])
{
    int64_t to = reached[!transactions->asker];

    if (transactions->until_close)
        return tw_fin_of(log, !transactions->asker) <= to;
    return (transactions->until_turn || transactions->end_hidden[!transactions->asker]) &&
           tw_is_acknowledged(log, !transactions->asker, to);
}

static void end_open_messages(const struct tw_log *log, const struct tw_transactions *transactions,
                              const int64_t reached[2], struct tw_exchanges *exchanges)
{
    bool whole = came_whole(log, transactions, reached);

    for (uint32_t i = 0; i < exchanges->n; i++) {
        struct tw_exchange *e = &exchanges->exchange[i];

        e->framed = true;
        if (e->request_to == TW_OPEN) {
            e->request_to = transactions->reached[transactions->asker];
            e->request_part = transactions->asks_on;
        }
        if (e->response_to != TW_OPEN)
            continue;
        e->response_to = transactions->reached[!transactions->asker];
        e->complete = whole;
    }
}

/* The end of a frame that had begun may not have come. */
static void cut_to_reached(const struct tw_transactions *transactions,
                           struct tw_exchanges *exchanges)
{
    int64_t asked = transactions->reached[transactions->asker],
            answered = transactions->reached[!transactions->asker];

    for (uint32_t i = 0; i < exchanges->n; i++) {
        struct tw_exchange *e = &exchanges->exchange[i];

        e->request_to = CLAMP(e->request_to, e->request_from, MAX(asked, e->request_from));
        e->complete = e->complete && e->response_to <= answered;
        e->response_to = CLAMP(e->response_to, e->response_from, MAX(answered, e->response_from));
    }
}

/* Copy the dissector's transactions so far, closing the last one. @param reached on the wire. */
static void take_told(const struct tw_log *log, const struct tw_transactions *transactions,
                      const int64_t reached[2], struct tw_exchanges *out)
{
    if (transactions->n > out->capacity) {
        out->exchange = tw_new(struct tw_exchange, transactions->n);
        out->capacity = transactions->n;
    }
    memcpy(out->exchange, transactions->exchange, transactions->n * sizeof *out->exchange);
    out->n = transactions->n;
    out->more = transactions->more;
    end_open_messages(log, transactions, reached, out);
    if (transactions->interleaved)
        cut_to_reached(transactions, out);
}

/* A request inside of TLS may tell the name that the ClientHello does not. */
static const char *server_name_of(const struct tw_transactions *t)
{
    if (t->asker != TCPWHY_CLIENT)
        return NULL;
    return t->server_name || !t->plain ? t->server_name
                                       : tw_plain_transactions(t->plain)->server_name;
}

/* Offsets of the plaintext become those on the wire; the handshake has them already. */
static void put_on_wire(const struct tw_plain *plain, struct tw_exchanges *exchanges)
{
    for (uint32_t i = 1; i < exchanges->n; i++) {
        struct tw_exchange *e = &exchanges->exchange[i];

        if (e->response_to > e->response_from)
            e->sealed_head = (uint16_t)tw_plain_sealed_bytes(plain, !e->asker, e->response_from);
        tw_plain_on_wire(plain, e->asker, &e->request_from, &e->request_to);
        tw_plain_on_wire(plain, !e->asker, &e->response_from, &e->response_to);
    }
}

/* Is there more than the handshake? */
static bool has_plain(const struct tw_transactions *transactions)
{
    return transactions && transactions->plain && tw_plain_transactions(transactions->plain)->n > 1;
}

static void take_plain(const struct tw_log *log, const struct tw_transactions *transactions,
                       struct tw_exchanges *out)
{
    const struct tw_transactions *plain = tw_plain_transactions(transactions->plain);
    struct tw_exchange handshake = plain->exchange[0];

    take_told(log, plain, transactions->reached, out);
    out->exchange[0] = handshake;
    put_on_wire(transactions->plain, out);
}

/* A close_notify under protection has 24 bytes in TLS 1.3 and 31 with AES-GCM before (RFC 8446,
 * section 5.2; RFC 5288); less than that is no request. */
#define CLOSE_NOTIFY 31

/* The last words of a TLS session, behind which the asker closes. */
static bool is_farewell(const struct tw_log *log, const struct tw_exchange *e)
{
    return e->request_to - e->request_from <= CLOSE_NOTIFY &&
           e->response_to - e->response_from <= CLOSE_NOTIFY &&
           tw_fin_of(log, e->asker) <= e->request_to;
}

/* Flights of the handshake, and what ends a session, are no requests. */
static void tell_session(const struct tw_log *log, const struct tw_transactions *t,
                         struct tw_exchanges *all)
{
    bool is_plain = has_plain(t);

    for (uint32_t i = 0; i < all->n; i++) {
        struct tw_exchange *e = &all->exchange[i];

        e->of_session = is_plain ? i == 0
                                 : e->protocol == t->inside &&
                                       (e->request_to <= t->session_to ||
                                        (i > 0 && i + 1 == all->n && is_farewell(log, e)));
    }
}

/* The search goes on from the record where that of an earlier response ended. */
static void find_ack(const struct tw_log *log, struct tw_exchange *e, uint32_t *from)
{
    uint32_t i = *from;

    e->response_acked = TW_NO_RECORD;
    if (e->response_last == TW_NO_RECORD)
        return;
    i = MAX(i, e->response_last);
    while (i < log->n && !(log->record[i].from == e->asker && log->record[i].flags & TW_ACK &&
                           log->record[i].ack >= e->response_to))
        i++;
    if (i < log->n)
        e->response_acked = i;
    *from = i;
}

static int by_response_end(const void *a, const void *b)
{
    const struct tw_exchange *const *x = a, *const *y = b;

    return ((*x)->response_to > (*y)->response_to) - ((*x)->response_to < (*y)->response_to);
}

/* In the order in which responses end, so a single pass over the log suffices. Usually that is the
 * order of their requests. */
static void find_acks(const struct tw_log *log, struct tw_exchanges *exchanges, bool interleaved)
{
    struct tw_exchange **order = interleaved ? tw_new(struct tw_exchange *, exchanges->n) : NULL;
    uint32_t from = 0;

    for (uint32_t k = 0; order && k < exchanges->n; k++)
        order[k] = &exchanges->exchange[k];
    if (order && exchanges->n > 0)
        qsort(order, exchanges->n, sizeof(struct tw_exchange *), by_response_end);
    for (uint32_t k = 0; k < exchanges->n; k++)
        find_ack(log, order ? order[k] : &exchanges->exchange[k], &from);
    tw_free(order);
}

/* An answer that nobody asked for precedes the request that begins there. */
static int by_request(const void *a, const void *b)
{
    const struct tw_exchange *x = a, *y = b;
    bool asked_x = x->request_to > x->request_from, asked_y = y->request_to > y->request_from;

    if (x->request_from != y->request_from)
        return x->request_from < y->request_from ? -1 : 1;
    if (asked_x != asked_y)
        return asked_x ? 1 : -1;
    return (x->response_from > y->response_from) - (x->response_from < y->response_from);
}

/* Usually already sorted. */
static void sort(struct tw_exchanges *exchanges)
{
    struct tw_exchange *e = exchanges->exchange;

    for (uint32_t i = 1; i < exchanges->n; i++)
        if (by_request(&e[i - 1], &e[i]) > 0) {
            qsort(e, exchanges->n, sizeof *e, by_request);
            return;
        }
}

/* A side during the pass over the log. */
struct direction {
    struct tw_byte_to_frame bytes;
    struct tw_messages told;
    struct tw_message_ends ends; /* of interleaved messages, which `told` does not know then */
};

/* One pass over the log, for the records of known messages and for turns. */
struct pass {
    const struct tw_log *log;
    const struct tw_transactions *transactions; /* may be NULL */
    struct tw_exchanges *all;
    struct direction side[2];
    struct tw_request_response turns;
    bool in_turns;    /* the dissector does not cover everything */
    bool interleaved; /* messages overlap */
};

static void begin_turns(struct pass *p, const int64_t first[2], enum tcpwhy_side asker)
{
    const struct tw_transactions *transactions = p->transactions;
    const char *protocol = transactions ? transactions->inside : NULL;
    int64_t from[2] = { first[0], first[1] };

    if (transactions && transactions->opaque) {
        from[transactions->asker] = MAX(transactions->asked_to, from[transactions->asker]);
        from[!transactions->asker] = MAX(transactions->answered_to, from[!transactions->asker]);
    }
    if (!protocol && p->all->n == 0 && transactions)
        protocol = transactions->protocol;
    tw_request_response_begin(&p->turns, p->log, from, transactions ? transactions->asker : asker,
                              protocol ? protocol : "turn", p->all);
    if (transactions) {
        p->turns.session_to = transactions->session_to;
        p->turns.tickets_to = transactions->tickets_to;
    }
}

/* May data come unsolicited, by the protocol or because the request subscribes? */
static void tell_will(const struct tw_transactions *transactions, struct tw_exchange *e)
{
    e->one_way = transactions->feeds;
    e->stands = e->one_way ||
                tw_ranges_overlap(&transactions->standing, e->request_from, e->request_to) > 0;
    e->at_will = transactions->at_will || e->stands;
}

/* The first transaction after the dissector's part may get its name from it. */
static void end_turns(struct pass *p)
{
    const struct tw_transactions *transactions = p->transactions;
    uint32_t first = p->turns.first;

    tw_request_response_end(&p->turns);
    for (uint32_t i = first; transactions && i < p->all->n; i++)
        tell_will(transactions, &p->all->exchange[i]);
    if (transactions && transactions->inside_request && p->all->n > first) {
        p->all->exchange[first].request = transactions->inside_request;
        p->all->exchange[first].more = transactions->inside_more;
    }
}

/* Do all bytes of the side's last record neither ask nor answer? */
static bool is_aside(const struct pass *p, const struct direction *side, enum tcpwhy_side from)
{
    return tw_ranges_overlap(&p->transactions->aside[from], side->bytes.ahead, side->bytes.next) ==
           side->bytes.next - side->bytes.ahead;
}

static bool has_asides(const struct tw_transactions *transactions)
{
    return transactions && transactions->aside[0].n + transactions->aside[1].n > 0;
}

static void go_through(struct pass *p)
{
    struct direction *client = &p->side[TCPWHY_CLIENT], *server = &p->side[TCPWHY_SERVER], *side;
    const struct tw_record *record = p->log->record, *r = record, *end = record + p->log->n;
    const bool asides = has_asides(p->transactions);

    for (; r < end; r++) {
        uint32_t i = (uint32_t)(r - record);

        if (!tw_record_may_deliver(r))
            continue;
        side = r->from == TCPWHY_CLIENT ? client : server;
        if (!tw_byte_to_frame_take(&side->bytes, r, i))
            continue;
        if (side->told.n > 0)
            tw_messages_take(&side->told, side->bytes.ahead, side->bytes.next, i);
        if (side->ends.n > 0)
            tw_message_ends_take(&side->ends, p->all, (enum tcpwhy_side)r->from, side->bytes.ahead,
                                 side->bytes.next, i);
        if (!p->in_turns)
            continue;
        if (asides && is_aside(p, side, (enum tcpwhy_side)r->from)) {
            tw_request_response_pass(&p->turns, (enum tcpwhy_side)r->from, side->bytes.next);
            continue;
        }
        tw_request_response_take(&p->turns, r, side->bytes.next, i);
        if (!asides && side->told.n == 0 && side->ends.n == 0)
            r = tw_request_response_go_on(&p->turns, &side->bytes, r, end);
    }
}

/* Of interleaved messages the ends are known, and none is open. */
static void begin_interleaved(struct pass *p, int side)
{
    struct tw_messages *told = &p->side[side].told;
    p->side[side].ends = (struct tw_message_ends) { 0 };
    if (!p->interleaved)
        return;
    tw_message_ends_begin(&p->side[side].ends, p->all, (enum tcpwhy_side)side);
    told->n = 0;
    told->end = INT64_MIN;
}

static void begin(struct pass *p)
{
    for (int i = 0; i < 2; i++) {
        bool asks = i == (int)(p->transactions ? p->transactions->asker : TCPWHY_CLIENT);

        tw_byte_to_frame_begin(&p->side[i].bytes);
        tw_byte_to_frame_heed_answer(&p->side[i].bytes, p->log, (enum tcpwhy_side)i);
        tw_messages_begin(&p->side[i].told, p->all, asks,
                          p->transactions ? p->transactions->reached[i] : INT64_MIN);
        begin_interleaved(p, i);
    }
}

static void end(struct pass *p)
{
    for (int i = 0; i < 2; i++) {
        tw_byte_to_frame_clear(&p->side[i].bytes);
        tw_message_ends_clear(&p->side[i].ends);
    }
}

static void repeat_turns(struct pass *p, const int64_t first[2], enum tcpwhy_side asker)
{
    p->all->n = p->turns.first;
    end(p);
    begin(p);
    begin_turns(p, first, asker);
    go_through(p);
}

/* Does who is answered fast say that the server asks? */
static void reconsider_asker(struct pass *p, const int64_t first[2])
{
    const uint32_t n = p->turns.first;
    enum tw_typing typing;

    if (p->transactions)
        return;
    typing = tw_typing_find(p->log, p->all, n);
    if (typing == TW_TYPING_SERVER)
        repeat_turns(p, first, TCPWHY_SERVER);
    for (uint32_t i = n; typing != TW_TYPING_NONE && i < p->all->n; i++)
        p->all->exchange[i].asker_unsure = true;
}

/* Turn-taking needs the start of each side's bytes in advance. Usually that is after the SYN;
 * otherwise the pass is repeated. */
static void take_turns(struct pass *p)
{
    int64_t first[2] = { TW_FIRST_BYTE, TW_FIRST_BYTE };

    begin_turns(p, first, TCPWHY_CLIENT);
    go_through(p);
    for (int i = 0; i < 2; i++)
        first[i] = tw_byte_to_frame_first(&p->side[i].bytes);
    if (first[0] != TW_FIRST_BYTE || first[1] != TW_FIRST_BYTE)
        repeat_turns(p, first, TCPWHY_CLIENT);
    reconsider_asker(p, first);
    end_turns(p);
}

/* A hole in the response that its asker acknowledged is missing from the capture; one that it never
 * did was lost. */
static bool is_torn(const struct pass *p, const struct tw_exchange *e)
{
    const enum tcpwhy_side by = e->asker == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    const struct tw_ranges *holes = &p->side[by].bytes.holes;
    uint32_t i = holes->n > 0 ? tw_ranges_find(holes, e->response_from) : 0;

    return i < holes->n && holes->range[i].from < e->response_to &&
           !tw_is_acknowledged(p->log, by, holes->range[i].to);
}

static void settle(struct pass *p, struct tw_exchange *e)
{
    for (int i = 0; i < 2; i++)
        tw_messages_settle(&p->side[i].told, e, p->log, &p->side[i].bytes);
    if (e->response_first == TW_NO_RECORD || is_torn(p, e))
        e->complete = false;
}

/* No data, usually because the SYN was unanswered. */
static bool is_silent(const struct tw_log *log)
{
    uint32_t i = 0;

    while (i < log->n && log->record[i].len == 0)
        i++;
    return i == log->n;
}

void tw_exchanges_build(const struct tw_log *log, const struct tw_app *app,
                        struct tw_exchanges *out)
{
    struct pass p; /* not zeroed: large in relation to a short connection */

    out->exchange = out->first;
    out->n = 0;
    out->more = NULL;
    out->facts = NULL;
    out->server_name = NULL;
    out->capacity = G_N_ELEMENTS(out->first);
    p.log = log;
    p.transactions = app ? tw_transactions_of(app) : NULL;
    p.all = out;
    if (!p.transactions && is_silent(log))
        return;
    p.interleaved = p.transactions && (p.transactions->interleaved || has_plain(p.transactions));
    if (p.transactions) {
        out->server_name = server_name_of(p.transactions);
        if (has_plain(p.transactions)) {
            take_plain(log, p.transactions, out);
            out->facts = &tw_plain_transactions(p.transactions->plain)->facts;
        } else {
            take_told(log, p.transactions, p.transactions->reached, out);
            out->facts = &p.transactions->facts;
        }
    }
    p.in_turns = out->n == 0 || (p.transactions->opaque && !has_plain(p.transactions));
    begin(&p);
    if (p.in_turns)
        take_turns(&p);
    else
        go_through(&p);
    if (p.in_turns && p.transactions && p.transactions->asks_on && out->n == 1)
        out->exchange[0].request_part = true;
    for (uint32_t i = 0; i < out->n; i++)
        settle(&p, &out->exchange[i]);
    end(&p);
    sort(out);
    find_acks(log, out, p.interleaved);
    if (p.transactions && p.transactions->session_to > 0)
        tell_session(log, p.transactions, out);
    tw_polling_find(log, out);
    tw_asked_again_find(log, out, !p.interleaved);
}

void tw_exchanges_clear(struct tw_exchanges *exchanges)
{
    if (exchanges->exchange != exchanges->first)
        tw_free(exchanges->exchange);
    exchanges->exchange = NULL;
    exchanges->n = exchanges->capacity = 0;
}
