/* SPDX-License-Identifier: MIT */
/*
 * TLS: the server name of the ClientHello (RFC 6066, section 3). The rest is encrypted, so
 * transactions are turns: handshake flights, then requests and responses.
 */
#include <string.h>

#include "app/protocol.h"

/* Content types (RFC 8446, section 5.1) and handshake types (section 4). */
#define CHANGE_CIPHER_SPEC 20
#define HANDSHAKE          22
#define APPLICATION_DATA   23
#define CLIENT_HELLO       1
#define SERVER_HELLO       2
#define SERVER_NAME        0 /* the extension, and the host_name type */

#define RECORD_HEADER 5
#define MAX_RECORD    (16384 + 2048) /* RFC 5246, section 6.2.3 */

/* Limit of a ClientHello to inspect: post-quantum key shares make 2 KiB common. */
#define MAX_HELLO (16 * 1024)

struct tls {
    GByteArray *hello; /* handshake bytes of incomplete first records */
    uint8_t header[RECORD_HEADER];
    size_t header_len;
    size_t record_left;
    bool begun;
    int64_t from; /* of the ClientHello */
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

/* Take n bytes off the front; if there are fewer, nothing is left. */
static struct tw_bytes take(struct tw_bytes *rest, size_t n)
{
    struct tw_bytes taken = tw_bytes_first(*rest, n);

    *rest = tw_bytes_from(*rest, taken.len);
    return taken.len == n ? taken : tw_bytes_first(taken, 0);
}

/* A vector with a length prefix of one or two bytes; truncated if incomplete. */
static struct tw_bytes take_vector(struct tw_bytes *rest, size_t length_bytes)
{
    struct tw_bytes length = take(rest, length_bytes);
    size_t n = length_bytes == 1 ? tw_u8(length, 0) : tw_be16(length, 0);
    struct tw_bytes taken = tw_bytes_first(*rest, n);

    *rest = tw_bytes_from(*rest, taken.len);
    return taken;
}

static struct tw_bytes host_name(struct tw_bytes extension)
{
    struct tw_bytes list = take_vector(&extension, 2);

    while (list.len > 3) {
        uint8_t type = tw_u8(take(&list, 1), 0);
        struct tw_bytes name = take_vector(&list, 2);

        if (type == SERVER_NAME)
            return name;
    }
    return tw_bytes(NULL, 0);
}

/* RFC 8446, section 4.1.2. */
static struct tw_bytes server_name(struct tw_bytes hello)
{
    struct tw_bytes extensions;

    take(&hello, 4 + 2 + 32); /* type and length, version, random */
    take_vector(&hello, 1);   /* session id */
    take_vector(&hello, 2);   /* cipher suites */
    take_vector(&hello, 1);   /* compression methods */
    extensions = take_vector(&hello, 2);
    while (extensions.len >= 4) {
        uint16_t type = tw_be16(take(&extensions, 2), 0);
        struct tw_bytes body = take_vector(&extensions, 2);

        if (type == SERVER_NAME)
            return host_name(body);
    }
    return tw_bytes(NULL, 0);
}

static bool is_whole(const GByteArray *hello)
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
        g_byte_array_append(tls->hello, part.data, (guint)part.len);
    }
    return true;
}

/* The ClientHello is complete, or will never be. */
static void leave(struct tls *tls, struct tw_transactions *transactions)
{
    struct tw_bytes name = { 0 };

    if (tls->hello && tls->hello->data)
        name = server_name(tw_bytes(tls->hello->data, tls->hello->len));
    if (tls->begun)
        tw_transactions_leave_name(transactions, tw_bytes((const uint8_t *)"ClientHello", 11),
                                   name);
    tw_transactions_leave(transactions, "tls", tls->begun ? tls->from : INT64_MIN, INT64_MIN);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct tls *tls = state;

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
        tls->hello = g_byte_array_new();
    if (!tls->begun)
        tls->from = p->from;
    tls->begun = true;
    if (!gather(tls, p->bytes) || is_whole(tls->hello))
        leave(tls, transactions);
}

static void clear(void *state)
{
    struct tls *tls = state;

    if (tls->hello)
        g_byte_array_unref(tls->hello);
}

G_STATIC_ASSERT(sizeof(struct tls) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_tls = {
    .name = "tls",
    .state_size = sizeof(struct tls),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
