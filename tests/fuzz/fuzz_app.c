/* SPDX-License-Identifier: MIT */
/*
 * The dissectors of application protocols. The input is both directions' bytes, cut into segments
 * at places of its own choice, some of them lost, late, doubled, or cut by a snap length.
 */
#include <assert.h>
#include <string.h>

#include <glib.h>

#include "base/memory.h"
#include "app/app.h"
#include "app/follow.h"
#include "log/log.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

struct talk {
    struct tw_connection connection;
    struct tw_log *log;
    struct tw_app app;
    struct tw_follow *follow;
    int64_t next[2], acked[2];
    tcpwhy_ns now;
    uint32_t frame;
};

static bool follow(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                   const uint8_t *bytes, size_t len)
{
    uint64_t *sum = user;

    for (size_t i = 0; i < len; i++)
        *sum += bytes[i];
    *sum += stream + from + frame;
    return true;
}

static void push(struct talk *t, enum tcpwhy_side from, int64_t seq, struct tw_bytes bytes,
                 size_t captured, uint16_t flags)
{
    uint8_t *copy = tw_memdup2(bytes.data, captured);
    struct tw_segment s = { .seq = (uint32_t)seq,
                            .ack = (uint32_t)t->acked[!from],
                            .flags = flags,
                            .len = (uint32_t)bytes.len,
                            .payload = tw_bytes(copy, captured) };
    struct tw_tracked tracked = { .connection = &t->connection,
                                  .segment = &s,
                                  .frame = ++t->frame,
                                  .time_ns = t->now += 1000,
                                  .from = from,
                                  .frame_class = bytes.len ? TCPWHY_CLASS_DATA : TCPWHY_CLASS_ACK,
                                  .seq = seq,
                                  .ack = t->acked[!from] };

    t->connection.side[!from].acked = MAX(t->connection.side[!from].acked, tracked.ack);
    tw_log_append(t->log, &tracked);
    tw_app_push(&t->app, &tracked);
    tw_follow_push(t->follow, &tracked);
    tw_free(copy);
}

/* One byte says whose segment it is and what becomes of it, one how long it is. */
static void step(struct talk *t, struct input *in)
{
    uint8_t code = input_u8(in), len = input_u8(in);
    enum tcpwhy_side from = code & 1 ? TCPWHY_SERVER : TCPWHY_CLIENT;
    struct tw_bytes bytes = input_bytes(in, code & 2 ? len * 8u : len);
    int64_t seq = t->next[from];
    size_t captured = code & 4 && code & 8 ? bytes.len / 2 : bytes.len;

    t->next[from] += (int64_t)bytes.len;
    if (code & 16)
        t->acked[!from] = t->next[!from];
    if ((code & 0xe0) == 0xe0)
        return; /* lost */
    if ((code & 0xe0) == 0xc0 && seq > 40)
        push(t, from, seq - 40, bytes, captured, TW_ACK);
    if ((code & 0xe0) == 0xa0)
        t->next[from] += len; /* a hole behind it */
    push(t, from, seq, bytes, captured, TW_ACK | ((code & 0xe0) == 0x80 ? TW_FIN : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    uint64_t sum = 0;
    struct talk t = { .log = tw_log_new(),
                      .follow = tw_follow_new(follow, &sum),
                      .next = { 1, 1 },
                      .acked = { 1, 1 } };
    struct tw_exchanges all = { 0 };

    if (input_u8(&in) & 1) {
        push(&t, TCPWHY_CLIENT, 0, tw_bytes(data, 0), 0, TW_SYN);
        push(&t, TCPWHY_SERVER, 0, tw_bytes(data, 0), 0, TW_SYN | TW_ACK);
    }
    while (in.rest.len > 0)
        step(&t, &in);
    tw_app_end(&t.app);
    tw_exchanges_build(t.log, &t.app, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const struct tw_exchange *e = &all.exchange[i];

        assert(g_utf8_validate(e->request, -1, NULL));
        assert(e->request_from <= e->request_to && e->response_from <= e->response_to);
        sum += (uint64_t)tw_exchange_arrival(t.log, e, 1000);
    }
    tw_exchanges_clear(&all);
    tw_follow_free(t.follow);
    tw_app_clear(&t.app);
    tw_log_free(t.log);
    __asm__ volatile("" : : "r"(sum));
    return 0;
}

MUTATE_PIECES(1, turn_piece)
