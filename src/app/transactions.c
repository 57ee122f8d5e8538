/* SPDX-License-Identifier: MIT */
#include "app/transactions.h"

#include <string.h>

#include "app/text.h"
#include "base/grow.h"
#include "base/text.h"

/* Limits of verb and object in reports. */
#define MAX_VERB   24
#define MAX_OBJECT 200

/* Pipelined requests may take 16 bytes each, less than their state. Beyond this number the
 * connection continues as turns. */
#define MAX_EXCHANGES (1u << 20)

static inline struct tw_exchange *at(const struct tw_transactions *transactions, uint32_t index)
{
    return &transactions->exchange[index];
}

void tw_transactions_init(struct tw_transactions *transactions)
{
    *transactions = (struct tw_transactions) {
        .exchange = &transactions->first,
        .capacity = 1,
        .switch_answer = TW_NO_EXCHANGE,
    };
}

void tw_transactions_clear(struct tw_transactions *transactions)
{
    if (transactions->exchange != &transactions->first)
        tw_free(transactions->exchange);
    if (transactions->texts)
        tw_string_chunk_free(transactions->texts);
    tw_free(transactions->more);
    tw_ranges_clear(&transactions->standing);
    for (int i = 0; i < 2; i++)
        tw_ranges_clear(&transactions->aside[i]);
}

size_t tw_transactions_bytes(const struct tw_transactions *transactions)
{
    return (transactions->capacity > 1 ? transactions->capacity * sizeof(struct tw_exchange) : 0) +
           transactions->text_bytes + transactions->state_bytes +
           transactions->more_capacity * sizeof *transactions->more +
           (transactions->standing.capacity + transactions->aside[0].capacity +
            transactions->aside[1].capacity) *
               sizeof *transactions->standing.range;
}

/* @return false if there are too many: then the dissector is abandoned. */
static bool append(struct tw_transactions *transactions, int64_t request_from, int64_t request_to)
{
    if (transactions->n == MAX_EXCHANGES) {
        tw_transactions_leave(transactions, transactions->protocol, request_from,
                              transactions->reached[!transactions->asker]);
        return false;
    }
    if (transactions->n == transactions->capacity)
        transactions->exchange =
            tw_grow_from(transactions->exchange, &transactions->first, transactions->n,
                         &transactions->capacity, sizeof *transactions->exchange);
    transactions->exchange[transactions->n++] = (struct tw_exchange) {
        .protocol = transactions->protocol,
        .request = "",
        .asker = transactions->asker,
        .request_from = request_from,
        .request_to = request_to,
        .request_first = TW_NO_RECORD,
        .request_last = TW_NO_RECORD,
        .response_first = TW_NO_RECORD,
        .response_last = TW_NO_RECORD,
    };
    return true;
}

void tw_transactions_ask(struct tw_transactions *transactions, int64_t from)
{
    tw_transactions_asked(transactions, from);
    if (G_UNLIKELY(transactions->end_hidden[!transactions->asker]))
        tw_transactions_answered(transactions, transactions->reached[!transactions->asker], true);
    transactions->asking = append(transactions, from, TW_OPEN);
}

void tw_transactions_asked(struct tw_transactions *transactions, int64_t to)
{
    transactions->asked_to = to;
    if (transactions->asking)
        at(transactions, transactions->n - 1)->request_to = to;
    transactions->asking = transactions->asks_on = false;
    transactions->end_hidden[transactions->asker] = transactions->end_guessed = false;
}

/* It often equals the previous one. */
const char *tw_transactions_keep(struct tw_transactions *transactions, const char *text)
{
    struct tw_transactions_text *last = &transactions->last_request;
    size_t size = strlen(text) + 1;

    if (last->text && strcmp(last->text, text) == 0)
        return last->text;
    last->len = size - 1;
    if (size <= sizeof transactions->text - transactions->text_len) {
        last->text = memcpy(transactions->text + transactions->text_len, text, size);
        transactions->text_len += (uint32_t)size;
        return last->text;
    }
    if (!transactions->texts)
        transactions->texts = tw_string_chunk_new(256);
    transactions->text_bytes += size;
    return last->text = tw_string_chunk_insert_const(transactions->texts, text);
}

/* Is the text already clean? */
static bool is_same(const char *text, struct tw_bytes bytes)
{
    return memcmp(text, bytes.data, bytes.len) == 0;
}

static const char *name_of(struct tw_transactions *transactions, struct tw_bytes verb,
                           struct tw_bytes object)
{
    char text[MAX_VERB + 1 + MAX_OBJECT + 2 * TW_TEXT_END];
    const struct tw_transactions_text *last = &transactions->last_request;
    size_t len;

    if (last->len == verb.len + 1 + object.len && verb.len > 0 && verb.len <= MAX_VERB &&
        object.len > 0 && object.len <= MAX_OBJECT && is_same(last->text, verb) &&
        last->text[verb.len] == ' ' && is_same(last->text + verb.len + 1, object))
        return last->text;
    len = tw_text_clean(text, MAX_VERB, verb);
    if (verb.len > 0 && object.len > 0)
        text[len++] = ' ';
    tw_text_clean(text + len, MAX_OBJECT, object);
    return tw_transactions_keep(transactions, text);
}

void tw_transactions_name(struct tw_transactions *transactions, struct tw_bytes verb,
                          struct tw_bytes object)
{
    if (transactions->asking)
        at(transactions, transactions->n - 1)->request = name_of(transactions, verb, object);
}

const char *tw_transactions_keep_name(struct tw_transactions *transactions, struct tw_bytes verb,
                                      struct tw_bytes object)
{
    return name_of(transactions, verb, object);
}

const char *tw_transactions_keep_text(struct tw_transactions *transactions, const char *verb,
                                      const char *object)
{
    return name_of(transactions, tw_bytes((const uint8_t *)verb, strlen(verb)),
                   tw_bytes((const uint8_t *)object, strlen(object)));
}

void tw_transactions_call(struct tw_transactions *transactions, const char *name)
{
    if (transactions->asking)
        at(transactions, transactions->n - 1)->request = name;
}

void tw_transactions_one_way(struct tw_transactions *transactions)
{
    if (transactions->n > 0)
        at(transactions, transactions->n - 1)->one_way = true;
}

void tw_transactions_wait(struct tw_transactions *transactions)
{
    if (transactions->n > 0)
        at(transactions, transactions->n - 1)->stands =
            at(transactions, transactions->n - 1)->at_will = true;
}

void tw_transactions_give_up(struct tw_transactions *transactions, bool asks, int64_t at)
{
    struct tw_transactions *t = transactions;

    if (t->n == 0) {
        tw_transactions_leave(t, NULL, INT64_MIN, INT64_MIN);
        t->protocol = "turn";
        return;
    }
    tw_transactions_leave(t, t->protocol, asks ? at : t->reached[t->asker],
                          asks ? t->reached[!t->asker] : at);
}

void tw_transactions_leave(struct tw_transactions *transactions, const char *protocol,
                           int64_t asked_to, int64_t answered_to)
{
    transactions->opaque = true;
    transactions->inside = protocol;
    transactions->asked_to = asked_to;
    transactions->answered_to = answered_to;
}

void tw_transactions_leave_name(struct tw_transactions *transactions, struct tw_bytes verb,
                                struct tw_bytes object)
{
    transactions->inside_request = name_of(transactions, verb, object);
}

void tw_transactions_stand(struct tw_transactions *transactions, int64_t from, int64_t to)
{
    tw_ranges_add(&transactions->standing, from, to);
}

void tw_transactions_put_aside(struct tw_transactions *transactions, enum tcpwhy_side side,
                               int64_t from, int64_t to)
{
    tw_ranges_add(&transactions->aside[side], from, to);
}

struct tw_exchange *tw_transactions_awaited(struct tw_transactions *transactions)
{
    while (transactions->answering < transactions->n &&
           at(transactions, transactions->answering)->one_way)
        transactions->answering++;
    return transactions->answering < transactions->n ? at(transactions, transactions->answering)
                                                     : NULL;
}

void tw_transactions_answer(struct tw_transactions *transactions, int64_t from)
{
    struct tw_exchange *e;

    if (!tw_transactions_awaited(transactions)) {
        int64_t asked = transactions->asked_to,
                now = MAX(transactions->reached[transactions->asker], asked);

        tw_transactions_asked(transactions, now);
        if (!append(transactions, asked, now))
            return;
    }
    e = at(transactions, transactions->answering);
    e->response_from = from;
    e->response_to = TW_OPEN;
    transactions->answer_runs = true;
    transactions->until_close = false;
    if (G_UNLIKELY(transactions->end_hidden[transactions->asker])) {
        tw_transactions_asked(transactions, transactions->reached[transactions->asker]);
        transactions->end_guessed = true;
    }
    transactions->until_turn = transactions->end_hidden[!transactions->asker] = false;
    transactions->answered_to = from;
}

void tw_transactions_status(struct tw_transactions *transactions, uint16_t status)
{
    if (transactions->answer_runs)
        at(transactions, transactions->answering)->status = status;
}

void tw_transactions_interim(struct tw_transactions *transactions)
{
    struct tw_transactions *t = transactions;

    if (!t->end_guessed)
        return;
    at(t, t->n - 1)->request_to = TW_OPEN;
    t->asking = t->end_hidden[t->asker] = true;
    t->end_guessed = false;
}

void tw_transactions_in_pieces(struct tw_transactions *transactions)
{
    if (transactions->answer_runs)
        at(transactions, transactions->answering)->in_pieces = true;
}

void tw_transactions_asks_in_pieces(struct tw_transactions *transactions)
{
    if (transactions->asking)
        at(transactions, transactions->n - 1)->asks_in_pieces = true;
}

void tw_transactions_expect(struct tw_transactions *transactions)
{
    if (transactions->asking)
        at(transactions, transactions->n - 1)->expects = true;
}

void tw_transactions_to_close(struct tw_transactions *transactions)
{
    if (transactions->answer_runs)
        at(transactions, transactions->answering)->to_close = true;
}

void tw_transactions_answered(struct tw_transactions *transactions, int64_t to, bool complete)
{
    struct tw_exchange *e;

    transactions->answered_to = to;
    if (!transactions->answer_runs)
        return;
    e = at(transactions, transactions->answering++);
    e->response_to = to;
    e->complete = complete;
    transactions->answer_runs = transactions->end_hidden[!transactions->asker] = false;
}

void tw_transactions_hide(struct tw_transactions *transactions, enum tcpwhy_side from, int64_t to)
{
    bool open = from == transactions->asker ? transactions->asking : transactions->answer_runs;

    if (open && to > transactions->pass_to[from])
        transactions->end_hidden[from] = true;
}

void tw_transactions_failed(struct tw_transactions *transactions, const char *text)
{
    if (transactions->answer_runs)
        tw_transactions_detail(transactions, transactions->answering, text);
}

void tw_transactions_part(struct tw_transactions *transactions, struct tw_bytes code,
                          struct tw_bytes words)
{
    transactions->facts.parting = tw_transactions_keep_name(transactions, code, words);
    transactions->facts.parting_frame = transactions->now_frame;
    transactions->facts.parting_ns = transactions->now_ns;
}

/* A number of at most so much at *at. @return whether there is one. */
static bool take_number(struct tw_bytes text, size_t *at, uint32_t most, uint32_t *out)
{
    const size_t from = *at;

    for (*out = 0; *at < text.len && g_ascii_isdigit(text.data[*at]) && *out <= most; (*at)++)
        *out = *out * 10 + text.data[*at] - '0';
    return *at > from && *out <= most;
}

void tw_transactions_name_address(struct tw_transactions *transactions, struct tw_bytes text,
                                  const char *setting)
{
    struct tw_named_address named = { .frame = transactions->now_frame, .setting = setting };
    uint32_t number;
    size_t at = 0;

    for (int i = 0; i < 4; i++) {
        if ((i > 0 && tw_u8(text, at++) != '.') || !take_number(text, &at, UINT8_MAX, &number))
            return;
        named.endpoint.address[i] = (uint8_t)number;
    }
    if (tw_u8(text, at++) == ':' && take_number(text, &at, UINT16_MAX, &number))
        named.endpoint.port = (uint16_t)number;
    named.endpoint.version = 4;
    transactions->facts.named = named;
}

void tw_transactions_pass_by(struct tw_transactions *transactions)
{
    if (!transactions->answer_runs && transactions->answering < transactions->n)
        transactions->answering++;
}

void tw_transactions_resume(struct tw_transactions *transactions, bool asks, int64_t at)
{
    if (asks)
        return;
    if (transactions->answer_runs)
        tw_transactions_answered(transactions, at, false);
    tw_transactions_skip_to_newest(transactions);
}

uint32_t tw_transactions_outstanding(const struct tw_transactions *transactions)
{
    return transactions->n - transactions->answering;
}

void tw_transactions_skip_to_newest(struct tw_transactions *transactions)
{
    if (tw_transactions_outstanding(transactions) > 1)
        transactions->answering = transactions->n - 1;
}

const char *tw_transactions_question(const struct tw_transactions *transactions)
{
    return transactions->answer_runs ? at(transactions, transactions->answering)->request : "";
}

uint32_t tw_transactions_open(struct tw_transactions *transactions, int64_t request_from,
                              int64_t request_to)
{
    transactions->interleaved = true;
    if (!append(transactions, request_from, request_to))
        return TW_NO_EXCHANGE;
    return transactions->n - 1;
}

struct tw_exchange *tw_transactions_at(struct tw_transactions *transactions, uint32_t index)
{
    return at(transactions, index);
}

static void need_more(struct tw_transactions *transactions, uint32_t *more)
{
    if (*more == 0) {
        if (transactions->n_more == transactions->more_capacity)
            transactions->more =
                tw_grow_from(transactions->more, NULL, transactions->n_more,
                             &transactions->more_capacity, sizeof *transactions->more);
        transactions->more[transactions->n_more++] = (struct tw_exchange_more) { 0 };
        *more = transactions->n_more;
    }
}

struct tw_exchange_more *tw_transactions_more(struct tw_transactions *transactions, uint32_t index)
{
    struct tw_exchange *e = at(transactions, index);

    need_more(transactions, &e->more);
    return &transactions->more[e->more - 1];
}

void tw_transactions_name_at(struct tw_transactions *transactions, uint32_t index,
                             struct tw_bytes verb, struct tw_bytes object)
{
    at(transactions, index)->request = name_of(transactions, verb, object);
}

static const char *keep_clean(struct tw_transactions *transactions, const char *text)
{
    char clean[MAX_OBJECT + TW_TEXT_END];

    tw_text_clean(clean, MAX_OBJECT, tw_bytes((const uint8_t *)text, strlen(text)));
    return tw_transactions_keep(transactions, clean);
}

void tw_transactions_detail(struct tw_transactions *transactions, uint32_t index, const char *text)
{
    tw_transactions_more(transactions, index)->detail = keep_clean(transactions, text);
}

void tw_transactions_leave_detail(struct tw_transactions *transactions, const char *text)
{
    need_more(transactions, &transactions->inside_more);
    transactions->more[transactions->inside_more - 1].detail = keep_clean(transactions, text);
}

void tw_transactions_switch(struct tw_transactions *transactions, const char *protocol, int64_t at)
{
    transactions->switch_to = protocol;
    transactions->switch_at = at;
    transactions->switch_answer =
        transactions->answer_runs ? transactions->answering : TW_NO_EXCHANGE;
    transactions->answer_runs = false;
}
