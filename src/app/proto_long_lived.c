/* SPDX-License-Identifier: MIT */
/*
 * Standing requests (subscriptions): channel messages, the next job of a queue. Other
 * requests of these protocols are separated by turns.
 */
#include <string.h>

#include "app/protocol.h"

/* Usual limit of tags, statement names and numbers. */
#define LONGEST 16

/* Consume a keyword, case-insensitively. */
static bool take_text(struct tw_bytes *rest, const char *text)
{
    const size_t len = strlen(text);

    if (!tw_bytes_has(*rest, 0, len) ||
        g_ascii_strncasecmp((const char *)rest->data, text, len) != 0)
        return false;
    *rest = tw_bytes_from(*rest, len);
    return true;
}

/* Consume through a terminator. */
static bool take_to(struct tw_bytes *rest, uint8_t last)
{
    const size_t most = MIN(rest->len, LONGEST + 1);
    const uint8_t *at = most > 0 ? memchr(rest->data, last, most) : NULL;

    if (!at)
        return false;
    *rest = tw_bytes_from(*rest, (size_t)(at - rest->data) + 1);
    return true;
}

/* ---- Redis: its protocol's arrays of strings (RESP) ------------------------------------------ */

/* A number after its type byte. */
static bool take_number(struct tw_bytes *rest, uint8_t mark)
{
    struct tw_bytes number = tw_bytes_from(*rest, 1);

    if (tw_u8(*rest, 0) != mark || !g_ascii_isdigit(tw_u8(number, 0)) || !take_to(rest, '\r'))
        return false;
    return take_text(rest, "\n");
}

static bool is_redis_request(struct tw_bytes first)
{
    return take_number(&first, '*') && tw_u8(first, 0) == '$' && g_ascii_isdigit(tw_u8(first, 1));
}

/* Stream reads with BLOCK. */
static bool is_blocking_read(struct tw_bytes arguments)
{
    static const char block[] = "\nBLOCK\r";
    const size_t len = sizeof block - 1;

    for (size_t i = 0; i + len <= arguments.len; i++)
        if (g_ascii_strncasecmp((const char *)arguments.data + i, block, len) == 0)
            return true;
    return false;
}

/* Commands that subscribe, monitor, or block. */
static bool stands_in_redis(struct tw_bytes said)
{
    static const char *const commands[] = {
        "SUBSCRIBE\r", "PSUBSCRIBE\r", "SSUBSCRIBE\r", "MONITOR\r",    "PSYNC\r",
        "SYNC\r",      "BLPOP\r",      "BRPOP\r",      "BRPOPLPUSH\r", "BLMOVE\r",
        "BLMPOP\r",    "BZPOPMIN\r",   "BZPOPMAX\r",   "BZMPOP\r",
    };

    if (!take_number(&said, '*') || !take_number(&said, '$'))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (take_text(&said, commands[i]))
            return true;
    return (take_text(&said, "XREAD\r") || take_text(&said, "XREADGROUP\r")) &&
           is_blocking_read(said);
}

/* ---- PostgreSQL: its documentation, "Message Formats" and "Asynchronous Operations" ------------
 */

/* StartupMessage of version 3, SSLRequest or GSSENCRequest. */
static bool is_postgres_startup(struct tw_bytes first)
{
    static const char ssl[] = "\0\0\0\x08\x04\xd2\x16";

    if (tw_bytes_has(first, 0, 8) && memcmp(first.data, ssl, sizeof ssl - 1) == 0)
        return first.data[7] == 0x2f || first.data[7] == 0x30;
    return tw_be16(first, 0) == 0 && tw_be32(first, 4) == 3 << 16 &&
           g_ascii_islower(tw_u8(first, 8));
}

/* A Query, or the statement of a Parse after its name. */
static bool stands_in_postgres(struct tw_bytes said)
{
    const uint8_t type = tw_u8(said, 0);

    said = tw_bytes_from(said, 5);
    if (type != 'Q' && !(type == 'P' && take_to(&said, '\0')))
        return false;
    return take_text(&said, "LISTEN ") || take_text(&said, "START_REPLICATION ");
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Longer payload is never needed: these commands are short. */
static enum tw_guess guess(struct tw_bytes first)
{
    return is_redis_request(first) || is_postgres_startup(first) ? TW_GUESS_ASKER : TW_GUESS_NO;
}

/* Such a request is alone in its segment, or first. */
static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    (void)state;
    if (asks && !p->gap && (stands_in_redis(p->bytes) || stands_in_postgres(p->bytes)))
        tw_transactions_stand(transactions, p->from, p->to);
}

/* Transactions are turns. */
const struct tw_app_protocol tw_app_protocol_long_lived = {
    .name = "turn",
    .guess = guess,
    .piece = piece,
};
