/* SPDX-License-Identifier: MIT */
/*
 * TLS: the server name of the ClientHello (RFC 6066, section 3). The rest is encrypted, so
 * transactions are turns: handshake flights, then requests and responses; unless there are keys.
 */
#include <string.h>

#include "base/array.h"
#include "app/protocol.h"
#include "app/server_name.h"
#include "app/tls_hello.h"
#include "app/tls_session.h"

/* Content types (RFC 8446, section 5.1) and handshake types (section 4). */
#define CHANGE_CIPHER_SPEC 20
#define HANDSHAKE          22
#define APPLICATION_DATA   23
#define CLIENT_HELLO       1
#define SERVER_HELLO       2

#define RECORD_HEADER 5
#define MAX_RECORD    (16384 + 2048) /* RFC 5246, section 6.2.3 */

/* Limit of a ClientHello to inspect: post-quantum key shares make 2 KiB common. */
#define MAX_HELLO (16 * 1024)

struct tls {
    tw_byte_array *hello; /* handshake bytes of incomplete first records */
    uint8_t header[RECORD_HEADER];
    size_t header_len;
    size_t record_left;
    bool begun;
    int64_t from; /* of the ClientHello */
    struct tw_tls_session *session;
};

static enum tw_guess guess(struct tw_bytes first)
{
    size_t len = tw_be16(first, 3);
    uint8_t type = tw_u8(first, 0), message = tw_u8(first, RECORD_HEADER);

    if (first.len > 0 && (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA))
        return TW_GUESS_NO;
    if ((first.len > 1 && first.data[1] != 3) || (first.len > 2 && first.data[2] > 4))
        return TW_GUESS_NO;
    if (first.len <= RECORD_HEADER)
        return TW_GUESS_MORE;
    if (len == 0 || len > MAX_RECORD)
        return TW_GUESS_NO;
    if (type == HANDSHAKE && message == CLIENT_HELLO)
        return TW_GUESS_ASKER;
    if (type == HANDSHAKE && message == SERVER_HELLO)
        return TW_GUESS_ANSWERER;
    return TW_GUESS_EITHER;
}

/* Of a message with its type and length. */
static struct tw_bytes server_name(struct tw_bytes message)
{
    struct tw_tls_hello hello;

    tw_tls_client_hello(tw_bytes_from(message, 4), &hello);
    return hello.server_name;
}

static bool is_whole(const tw_byte_array *hello)
{
    struct tw_bytes b = tw_bytes(hello->data, hello->len);

    return b.len >= MAX_HELLO || (b.len >= 4 && b.len - 4 >= (tw_be32(b, 0) & 0xffffff));
}

/* Collect handshake bytes from records. @return false if another record type begins. */
static bool gather(struct tls *tls, struct tw_bytes rest)
{
    while (rest.len > 0) {
        struct tw_bytes part;

        if (tls->record_left == 0) {
            part = tw_bytes_first(rest, RECORD_HEADER - tls->header_len);
            memcpy(tls->header + tls->header_len, part.data, part.len);
            tls->header_len += part.len;
            rest = tw_bytes_from(rest, part.len);
            if (tls->header_len < RECORD_HEADER)
                return true;
            if (tls->header[0] != HANDSHAKE)
                return false;
            tls->header_len = 0;
            tls->record_left = tw_be16(tw_bytes(tls->header, RECORD_HEADER), 3);
            continue;
        }
        part = tw_bytes_first(rest, tls->record_left);
        tls->record_left -= part.len;
        rest = tw_bytes_from(rest, part.len);
        part = tw_bytes_first(part, MAX_HELLO - tls->hello->len);
        tw_byte_array_append(tls->hello, part.data, (guint)part.len);
    }
    return true;
}

/* The ClientHello is complete, or will never be. Turns from here on, whatever else is found. */
static void leave(struct tls *tls, struct tw_transactions *transactions)
{
    struct tw_bytes name = { 0 };

    tw_transactions_asks_on(transactions, false);
    if (tls->hello && tls->hello->data)
        name = server_name(tw_bytes(tls->hello->data, tls->hello->len));
    tw_server_name_take(transactions, name);
    if (tls->begun)
        tw_transactions_leave_name(transactions, tw_bytes((const uint8_t *)"ClientHello", 11),
                                   name);
    /* Another protocol may have asked for TLS. */
    tw_transactions_leave(transactions, "tls", tls->begun ? tls->from : INT64_MIN,
                          transactions->n > 0 ? transactions->answered_to : INT64_MIN);
}

static void find_hello(struct tls *tls, struct tw_transactions *transactions, bool asks,
                       const struct tw_piece *p)
{
    if (!asks || p->gap) {
        leave(tls, transactions);
        return;
    }
    if (!tls->begun &&
        (tw_u8(p->bytes, 0) != HANDSHAKE || tw_u8(p->bytes, RECORD_HEADER) != CLIENT_HELLO)) {
        leave(tls, transactions);
        return;
    }
    if (!tls->hello)
        tls->hello = tw_byte_array_new();
    if (!tls->begun)
        tls->from = p->from;
    tls->begun = true;
    tw_transactions_asks_on(transactions, true);
    if (!gather(tls, p->bytes) || is_whole(tls->hello))
        leave(tls, transactions);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct tls *tls = state;

    if (!transactions->opaque)
        find_hello(tls, transactions, asks, p);
    if (tls->begun && !tls->session)
        tls->session = tw_tls_session_new(transactions);
    transactions->listens = tls->session && tw_tls_session_take(tls->session, !asks, p);
}

static void clear(void *state)
{
    struct tls *tls = state;

    tw_tls_session_free(tls->session);

    if (tls->hello)
        tw_byte_array_unref(tls->hello);
}

G_STATIC_ASSERT(sizeof(struct tls) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_tls = {
    .name = "tls",
    .state_size = sizeof(struct tls),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
