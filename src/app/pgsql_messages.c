/* SPDX-License-Identifier: MIT */
#include "app/pgsql_messages.h"

#include <string.h>

#include "app/dialogue.h"

#define MAX_STARTUP 10000 /* MAX_STARTUP_PACKET_LENGTH */
#define MAX_LENGTH  0x3fffffffu

static bool is_startup(uint32_t code)
{
    return code == TW_PGSQL_PROTOCOL_3 || code == TW_PGSQL_SSL || code == TW_PGSQL_GSSENC ||
           code == TW_PGSQL_CANCEL;
}

/* Printable up to a NUL, or the end of what is there. */
static size_t text_len(struct tw_bytes b, size_t from)
{
    size_t i = from;

    while (i < b.len && b.data[i] >= 0x20 && b.data[i] != 0x7f)
        i++;
    return i < b.len && b.data[i] != 0 ? SIZE_MAX : i - from;
}

static bool is_statement(struct tw_bytes b, size_t from)
{
    uint8_t c;

    while (from < b.len && g_ascii_isspace(b.data[from]))
        from++;
    c = tw_u8(b, from);
    return g_ascii_isalpha(c) || c == '(' || c == '/' || c == '-';
}

static enum tw_guess guess_asker(struct tw_bytes b, uint32_t length)
{
    size_t name = text_len(b, TW_PGSQL_HEADER);

    if (b.data[0] == 'Q')
        return length > 4 && is_statement(b, TW_PGSQL_HEADER) ? TW_GUESS_ASKER : TW_GUESS_NO;
    if (name == SIZE_MAX || TW_PGSQL_HEADER + name + 2 > b.len)
        return TW_GUESS_NO;
    if (b.data[0] == 'P')
        return is_statement(b, TW_PGSQL_HEADER + name + 1) ? TW_GUESS_ASKER : TW_GUESS_NO;
    name += 1 + text_len(tw_bytes_from(b, TW_PGSQL_HEADER + name + 1), 0);
    return b.data[0] == 'B' && length >= 12 && TW_PGSQL_HEADER + name + 3 <= b.len &&
                   tw_be16(b, TW_PGSQL_HEADER + name + 1) <= 1
               ? TW_GUESS_ASKER
               : TW_GUESS_NO;
}

static enum tw_guess guess_answerer(struct tw_bytes b, uint32_t length)
{
    uint8_t next = tw_u8(b, TW_PGSQL_HEADER);

    switch (b.data[0]) {
    case 'Z':
        return length == 5 && (next == 'I' || next == 'T' || next == 'E') ? TW_GUESS_ANSWERER
                                                                          : TW_GUESS_NO;
    case 'R':
        return length >= 8 && length < MAX_STARTUP &&
                       tw_be32(b, TW_PGSQL_HEADER) <= TW_PGSQL_SASL_FINAL
                   ? TW_GUESS_ANSWERER
                   : TW_GUESS_NO;
    case '1':
    case '2':
        return length == 4 && next && strchr("2tTnDC", next) ? TW_GUESS_ANSWERER : TW_GUESS_NO;
    case 'T':
        return length > 6 && tw_be16(b, TW_PGSQL_HEADER) > 0 &&
                       tw_be16(b, TW_PGSQL_HEADER) <= 1664 &&
                       g_ascii_isgraph(tw_u8(b, TW_PGSQL_HEADER + 2))
                   ? TW_GUESS_ANSWERER
                   : TW_GUESS_NO;
    default:
        return TW_GUESS_NO;
    }
}

enum tw_guess tw_pgsql_guess(struct tw_bytes first)
{
    uint32_t code = tw_be32(first, 4), length;
    enum tw_guess asker;

    if (first.len == 0)
        return TW_GUESS_MORE;
    if (first.data[0] == 0) {
        if (first.len < 8)
            return tw_u8(first, 1) == 0 ? TW_GUESS_MORE : TW_GUESS_NO;
        return is_startup(code) && tw_be32(first, 0) >= 8 && tw_be32(first, 0) <= MAX_STARTUP &&
                       (code != TW_PGSQL_PROTOCOL_3 || g_ascii_islower(tw_u8(first, 8)))
                   ? TW_GUESS_ASKER
                   : TW_GUESS_NO;
    }
    length = tw_be32(first, 1);
    if (first.len <= TW_PGSQL_HEADER || length < 4 || first.data[1] != 0)
        return TW_GUESS_NO;
    asker = guess_asker(first, length);
    return asker != TW_GUESS_NO ? asker : guess_answerer(first, length);
}

static bool is_type(bool asks, uint8_t type)
{
    static const char asked[] = "BCDEFHPQSXcdfp", answered[] = "123ACDEGHIKNRSTVWZcdnstv";

    return asks ? memchr(asked, type, sizeof asked - 1)
                : memchr(answered, type, sizeof answered - 1);
}

int64_t tw_pgsql_untyped_length(struct tw_bytes first)
{
    uint32_t len = tw_be32(first, 0);

    if (first.len < 8)
        return TW_MESSAGE_MORE;
    return len >= 8 && len <= MAX_STARTUP && is_startup(tw_be32(first, 4)) ? (int64_t)len
                                                                           : TW_MESSAGE_WRONG;
}

int64_t tw_pgsql_typed_length(bool asks, struct tw_bytes first)
{
    uint32_t len = tw_be32(first, 1);

    if (!is_type(asks, first.data[0]))
        return TW_MESSAGE_WRONG;
    if (first.len < TW_PGSQL_HEADER)
        return TW_MESSAGE_MORE;
    return len >= 4 && len <= MAX_LENGTH ? (int64_t)len + 1 : TW_MESSAGE_WRONG;
}

bool tw_pgsql_is_chain(bool asks, struct tw_bytes bytes)
{
    size_t at = 0;
    unsigned n = 0;

    for (; at + TW_PGSQL_HEADER <= bytes.len; n++) {
        uint32_t len = tw_be32(bytes, at + 1);

        if (!is_type(asks, bytes.data[at]) || len < 4 || len > MAX_LENGTH)
            return false;
        at += (size_t)len + 1;
    }
    return n > 1 || (n == 1 && at == bytes.len);
}
