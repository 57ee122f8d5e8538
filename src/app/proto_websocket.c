/* SPDX-License-Identifier: MIT */
/*
 * WebSocket (RFC 6455), behind an upgrade of HTTP: counts the messages of both sides for the
 * request that asked for it. Either side sends at will: what follows the upgrade is turns, of which
 * PING, PONG and Close are no part.
 */
#include <string.h>

#include "app/protocol.h"

/* A frame's header, section 5.2: with the longest length; a key follows, or the payload. */
#define HEADER  10
#define FIN     0x80
#define MASKED  0x80
#define CONTROL 0x08
#define CLOSE   0x08

/* Section 5.5. */
#define MOST_CONTROL 125

struct way {
    uint8_t head[HEADER];
    uint8_t head_len;
    int64_t from, frame_to; /* of the current frame */
    bool lost;
};

struct websocket {
    struct way way[2];
    uint32_t upgrade; /* the exchange, or TW_NO_EXCHANGE */
    bool begun;
};

/* No protocol begins so: only an upgrade leads here. */
static enum tw_guess guess(struct tw_bytes first)
{
    (void)first;
    return TW_GUESS_NO;
}

/* Bytes of the header that its second byte announces. */
static size_t header_len(const struct way *way)
{
    const uint8_t len = way->head[1] & 0x7f;

    return len == 127 ? 10 : len == 126 ? 4 : 2;
}

static int64_t payload_len(const struct way *way)
{
    struct tw_bytes head = tw_bytes(way->head, HEADER);
    const uint8_t len = way->head[1] & 0x7f;

    if (len < 126)
        return len;
    return len == 126 ? tw_be16(head, 2) : (int64_t)MIN(tw_be64(head, 2), (uint64_t)INT64_MAX / 2);
}

static void tell_frame(const struct websocket *websocket, struct tw_transactions *transactions,
                       bool asks, const struct way *way)
{
    if ((way->head[0] & 0x0f) == CLOSE)
        transactions->facts.websocket_closed = true;
    if (way->head[0] & CONTROL && payload_len(way) <= MOST_CONTROL)
        tw_transactions_put_aside(transactions, asks ? transactions->asker : !transactions->asker,
                                  way->from, way->frame_to);
    if (websocket->upgrade == TW_NO_EXCHANGE || !(way->head[0] & FIN) || way->head[0] & CONTROL)
        return;
    tw_transactions_more(transactions, websocket->upgrade)->messages[!asks]++;
}

/* Reserved bits and codes that no extension in use takes (section 5.2; RFC 7692 takes the first).
 */
static bool is_frame(const struct way *way)
{
    const uint8_t opcode = way->head[0] & 0x0f;

    return !(way->head[0] & 0x30) && (opcode <= 2 || (opcode >= CLOSE && opcode <= 10));
}

static void take(struct websocket *websocket, struct tw_transactions *transactions, bool asks,
                 const struct tw_piece *p)
{
    struct way *way = &websocket->way[!asks];
    struct tw_bytes rest = p->bytes;

    while (rest.len > 0 && !way->lost) {
        const int64_t at = p->to - (int64_t)rest.len;

        if (at < way->frame_to) {
            rest = tw_bytes_from(rest, (size_t)MIN(way->frame_to - at, (int64_t)rest.len));
            continue;
        }
        if (way->head_len == 0)
            way->from = at;
        way->head[way->head_len++] = rest.data[0];
        rest = tw_bytes_from(rest, 1);
        if (way->head_len < 2 || way->head_len < header_len(way))
            continue;
        way->lost = !is_frame(way);
        way->frame_to = at + 1 + (way->head[1] & MASKED ? 4 : 0) + payload_len(way);
        if (!way->lost)
            tell_frame(websocket, transactions, asks, way);
        way->head_len = 0;
    }
}

/* A frame that begins behind a gap is not told from its middle. */
static void take_gap(struct way *way, const struct tw_piece *gap)
{
    way->lost |= gap->to > way->frame_to || way->head_len > 0;
}

static void begin(struct websocket *websocket, struct tw_transactions *transactions)
{
    websocket->begun = true;
    websocket->upgrade = transactions->switch_answer;
    transactions->at_will = true;
    tw_transactions_leave(transactions, "websocket", transactions->asked_to,
                          transactions->answered_to);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct websocket *websocket = state;

    if (!websocket->begun)
        begin(websocket, transactions);
    if (p->gap)
        take_gap(&websocket->way[!asks], p);
    else
        take(websocket, transactions, asks, p);
    transactions->facts.websocket = !websocket->way[0].lost && !websocket->way[1].lost;
    transactions->listens = !websocket->way[0].lost || !websocket->way[1].lost;
}

G_STATIC_ASSERT(sizeof(struct websocket) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_websocket = {
    .name = "websocket",
    .state_size = sizeof(struct websocket),
    .guess = guess,
    .piece = piece,
};
