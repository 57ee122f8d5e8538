/* SPDX-License-Identifier: MIT */
#include "app/plain.h"

#include <string.h>

#include "base/array.h"
#include "app/protocol.h"

/* Plaintext [from, ...) came with the record [wire_from, wire_to). */
struct stretch {
    int64_t from, wire_from, wire_to;
};

struct tw_plain {
    struct tw_transactions transactions;
    const struct tw_app_protocol *protocol;
    tw_array *stretches[2]; /* by side */
    _Alignas(max_align_t) uint8_t state[TW_PROTOCOL_STATE];
};

struct tw_plain *tw_plain_new(enum tcpwhy_side asker, bool values)
{
    struct tw_plain *plain = tw_new0(struct tw_plain, 1);

    tw_transactions_init(&plain->transactions);
    plain->transactions.asker = asker;
    plain->transactions.values = values;
    for (int i = 0; i < 2; i++) {
        plain->stretches[i] = tw_array_new(FALSE, FALSE, sizeof(struct stretch));
        plain->transactions.reached[i] = 1;
    }
    return plain;
}

void tw_plain_handshake(struct tw_plain *plain, const struct tw_exchange *handshake,
                        struct tw_bytes name)
{
    static const char verb[] = "ClientHello";
    struct tw_transactions *t = &plain->transactions;
    uint32_t i = tw_transactions_open(t, handshake->request_from, handshake->request_to);
    struct tw_exchange *e = tw_transactions_at(t, i);

    e->protocol = "tls";
    e->framed = e->complete = true;
    e->response_from = handshake->response_from;
    e->response_to = handshake->response_to;
    tw_transactions_name_at(t, i, tw_bytes((const uint8_t *)verb, sizeof verb - 1), name);
    t->answering = t->n;
}

/* Those that tell messages of their own. */
static bool is_inner(const struct tw_app_protocol *protocol)
{
    return strcmp(protocol->name, "turn") != 0 && strcmp(protocol->name, "tls") != 0 &&
           strcmp(protocol->name, "ssh") != 0;
}

static void recognise(struct tw_plain *plain, struct tw_bytes bytes)
{
    struct tw_bytes first = tw_bytes_first(bytes, TW_GUESS_BYTES);

    for (size_t i = 0; tw_app_protocols[i] && !plain->protocol; i++) {
        enum tw_guess guess = tw_app_protocols[i]->guess(first);

        if (is_inner(tw_app_protocols[i]) && guess != TW_GUESS_NO && guess != TW_GUESS_MORE)
            plain->protocol = tw_app_protocols[i];
    }
    if (plain->protocol)
        plain->transactions.protocol = plain->protocol->name;
}

/* The first call has no bytes. */
static void deliver(struct tw_plain_sink *sink, enum tcpwhy_side asker, enum tcpwhy_side from,
                    uint32_t frame, struct tw_bytes bytes)
{
    if (!sink || !sink->fn || sink->stopped)
        return;
    if (!sink->announced)
        sink->stopped = !sink->fn(sink->user, sink->stream, asker, frame, NULL, 0);
    sink->announced = true;
    if (!sink->stopped)
        sink->stopped = !sink->fn(sink->user, sink->stream, from, frame, bytes.data, bytes.len);
}

void tw_plain_take(struct tw_plain *plain, enum tcpwhy_side from, struct tw_bytes bytes,
                   int64_t wire_from, int64_t wire_to, const struct tw_transactions *outer)
{
    struct tw_transactions *t = &plain->transactions;
    int64_t at = t->reached[from];
    struct stretch stretch = { at, wire_from, wire_to };
    struct tw_piece piece = { .from = at, .to = at + (int64_t)bytes.len, .bytes = bytes };

    if (bytes.len == 0)
        return;
    tw_array_append_val(plain->stretches[from], stretch);
    t->reached[from] = piece.to;
    t->now_ns = outer->now_ns;
    t->now_frame = outer->now_frame;
    deliver(outer->plain_sink, t->asker, from, outer->now_frame, bytes);
    if (!plain->protocol)
        recognise(plain, bytes);
    if (plain->protocol && !t->opaque && !t->switch_to)
        plain->protocol->piece(plain->state, t, from == t->asker, &piece);
}

struct tw_transactions *tw_plain_transactions(struct tw_plain *plain)
{
    return &plain->transactions;
}

/* The stretch with that byte, or the nearest. */
static const struct stretch *stretch_of(const tw_array *stretches, int64_t offset)
{
    guint low = 0, high = stretches->len;

    while (high - low > 1) {
        guint middle = low + (high - low) / 2;

        if (tw_array_index(stretches, struct stretch, middle).from <= offset)
            low = middle;
        else
            high = middle;
    }
    return &tw_array_index(stretches, struct stretch, low);
}

void tw_plain_on_wire(const struct tw_plain *plain, enum tcpwhy_side side, int64_t *from,
                      int64_t *to)
{
    const tw_array *stretches = plain->stretches[side];
    bool empty = *from >= *to;

    if (stretches->len == 0) {
        *from = *to = 0;
        return;
    }
    *to = empty ? 0 : stretch_of(stretches, *to - 1)->wire_to;
    *from = stretch_of(stretches, *from)->wire_from;
    if (empty)
        *to = *from;
}

int64_t tw_plain_sealed_bytes(const struct tw_plain *plain, enum tcpwhy_side side, int64_t offset)
{
    const struct stretch *stretch;

    if (plain->stretches[side]->len == 0)
        return 0;
    stretch = stretch_of(plain->stretches[side], offset);
    return stretch->wire_to - stretch->wire_from;
}

size_t tw_plain_bytes(const struct tw_plain *plain)
{
    return sizeof *plain + tw_transactions_bytes(&plain->transactions) +
           (plain->stretches[0]->len + plain->stretches[1]->len) * sizeof(struct stretch);
}

void tw_plain_end(struct tw_plain *plain)
{
    if (plain->protocol && plain->protocol->clear)
        plain->protocol->clear(plain->state);
    plain->protocol = NULL;
    plain->transactions.opaque = true;
}

void tw_plain_free(struct tw_plain *plain)
{
    if (!plain)
        return;
    tw_plain_end(plain);
    tw_transactions_clear(&plain->transactions);
    for (int i = 0; i < 2; i++)
        tw_array_unref(plain->stretches[i]);
    tw_free(plain);
}
