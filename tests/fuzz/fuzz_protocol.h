/* SPDX-License-Identifier: MIT */
/*
 * One dissector alone, without recognition. One byte of the input says whose bytes follow and what
 * becomes of them, one how many; PROTOCOL names the dissector.
 */
#ifndef TW_TESTS_FUZZ_PROTOCOL_H
#define TW_TESTS_FUZZ_PROTOCOL_H

#include <assert.h>
#include <string.h>

#include <glib.h>

#include "base/memory.h"
#include "app/plain.h"
#include "app/protocol.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

struct dissection {
    struct tw_transactions transactions;
    _Alignas(max_align_t) uint8_t state[TW_PROTOCOL_STATE];
};

static void give(struct dissection *d, const struct tw_app_protocol *protocol, struct input *in)
{
    uint8_t code = input_u8(in), len = input_u8(in);
    enum tcpwhy_side from = code & 1 ? TCPWHY_SERVER : TCPWHY_CLIENT;
    struct tw_bytes bytes = input_bytes(in, code & 2 ? len * 8u : len);
    uint8_t *copy = tw_memdup2(bytes.data, bytes.len);
    int64_t at = d->transactions.reached[from];
    struct tw_piece piece = { .from = at, .to = at + (int64_t)bytes.len };

    piece.gap = (code & 12) == 12;
    piece.cut = piece.gap && code & 16;
    if (!piece.gap)
        piece.bytes = tw_bytes(copy, bytes.len);
    d->transactions.now_ns += TCPWHY_MS(1);
    d->transactions.reached[from] = piece.to;
    if (piece.from < piece.to && piece.to >= d->transactions.pass_to[from])
        protocol->piece(d->state, &d->transactions, from == d->transactions.asker, &piece);
    tw_free(copy);
}

static int dissect(const struct tw_app_protocol *protocol, const struct tw_tls_keys *keys,
                   const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    struct dissection d = { .transactions = { 0 } };

    tw_transactions_init(&d.transactions);
    d.transactions.protocol = protocol->name;
    d.transactions.keys = keys;
    d.transactions.reached[0] = d.transactions.reached[1] = 1;
    while (in.rest.len > 0 && (!d.transactions.opaque || d.transactions.listens) &&
           !d.transactions.switch_to)
        give(&d, protocol, &in);
    for (uint32_t i = 0; i < d.transactions.n; i++) {
        const struct tw_exchange *e = &d.transactions.exchange[i];

        assert(g_utf8_validate(e->request, -1, NULL));
        assert(e->request_from <= e->request_to && e->response_from <= e->response_to);
    }
    if (protocol->clear)
        protocol->clear(d.state);
    tw_plain_free(d.transactions.plain);
    tw_transactions_clear(&d.transactions);
    return 0;
}

#define FUZZ_PROTOCOL(protocol)                                                                    \
    extern const struct tw_app_protocol tw_app_protocol_##protocol;                                \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                   \
    {                                                                                              \
        return dissect(&tw_app_protocol_##protocol, NULL, data, size);                             \
    }                                                                                              \
    MUTATE_PIECES(0, turn_piece)

#endif
