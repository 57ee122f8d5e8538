/* SPDX-License-Identifier: MIT */
/*
 * Standing requests (subscriptions): new mail. Other requests of this protocol are separated by
 * turns.
 */
#include <string.h>

#include "app/protocol.h"

/* Usual limit of tags. */
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

/* IMAP: RFC 9051, sections 2.2.1, 6.3.13 and 7.1; RFC 2177. */

static bool is_imap_greeting(struct tw_bytes first)
{
    return take_text(&first, "* OK ") || take_text(&first, "* PREAUTH ");
}

/* The complete payload. */
static bool is_imap_idle(struct tw_bytes said)
{
    const uint8_t begin = tw_u8(said, 0);

    return g_ascii_isalnum(begin) && take_to(&said, ' ') && take_text(&said, "IDLE\r\n") &&
           said.len == 0;
}

static enum tw_guess guess(struct tw_bytes first)
{
    if (is_imap_greeting(first))
        return TW_GUESS_ANSWERER;
    return is_imap_idle(first) ? TW_GUESS_ASKER : TW_GUESS_NO;
}

/* Such a request is alone in its segment, or first. */
static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    (void)state;
    if (asks && !p->gap && is_imap_idle(p->bytes))
        tw_transactions_stand(transactions, p->from, p->to);
}

/* Transactions are turns. */
const struct tw_app_protocol tw_app_protocol_long_lived = {
    .name = "turn",
    .guess = guess,
    .piece = piece,
};
