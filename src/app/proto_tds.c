/* SPDX-License-Identifier: MIT */
/*
 * TDS, of SQL Server and Sybase ([MS-TDS], section 2.2.3): messages in packets, one answered after
 * the other. Batches and procedures are named, without the values in them.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/protocol.h"
#include "app/sql.h"

#define HEADER         8 /* type, status, length, SPID, packet and window */
#define MAX_PACKET     32767
#define END_OF_MESSAGE 0x01

enum type {
    BATCH = 1,
    LOGIN_5 = 2, /* before TDS 7 */
    RPC = 3,
    RESPONSE = 4,
    ATTENTION = 6,
    BULK = 7,
    TRANSACTION = 14,
    QUERY_5 = 15, /* tokens of TDS 5 */
    LOGIN_7 = 16,
    SSPI = 17,
    PRELOGIN = 18,
};

/* Section 2.2.5.1.1: ALL_HEADERS, where its length is that of its only header. */
#define ALL_HEADERS 22

/* Section 2.2.6.6: procedures that have a number. */
static const char *const procedures[] = {
    NULL,
    "sp_cursor",
    "sp_cursoropen",
    "sp_cursorprepare",
    "sp_cursorexecute",
    "sp_cursorprepexec",
    "sp_cursorunprepare",
    "sp_cursorfetch",
    "sp_cursoroption",
    "sp_cursorclose",
    "sp_executesql",
    "sp_prepare",
    "sp_execute",
    "sp_prepexec",
    "sp_prepexecrpc",
    "sp_unprepare",
};
#define EXECUTESQL 10

/* Section 2.2.7.10; errors have a higher class than messages. */
#define ERROR_TOKEN 0xaa

struct tds {
    struct tw_dialogue dialogue;
    bool goes_on[2]; /* the current message is not at its first packet */
    bool last[2];    /* the packet is the message's last */
};

static bool is_type(uint8_t type)
{
    return (type >= BATCH && type <= RESPONSE) || type == ATTENTION || type == BULK ||
           (type >= TRANSACTION && type <= PRELOGIN);
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    uint8_t type = first.data[0];
    uint16_t len = tw_be16(first, 2);

    (void)state;
    if (!is_type(type) || (type == RESPONSE && asks) ||
        (!asks && type != RESPONSE && type != PRELOGIN))
        return TW_MESSAGE_WRONG;
    if (first.len < HEADER)
        return TW_MESSAGE_MORE;
    return len >= HEADER && len <= MAX_PACKET && !(first.data[1] & 0xe0) ? len : TW_MESSAGE_WRONG;
}

/* Text of UTF-16 as ASCII; other characters become '?'. */
static struct tw_bytes narrow(struct tw_bytes wide, uint8_t *text, size_t room)
{
    size_t len = MIN(wide.len / 2, room);

    for (size_t i = 0; i < len; i++) {
        uint16_t c = tw_le16(wide, 2 * i);

        text[i] = c < 0x80 ? (uint8_t)c : '?';
    }
    return tw_bytes(text, len);
}

/* Packets of logins, batches and procedures. The window is always 0. */
static enum tw_guess guess(struct tw_bytes first)
{
    uint8_t type = tw_u8(first, 0);
    uint16_t len = tw_be16(first, 2);

    if (first.len == 0)
        return TW_GUESS_MORE;
    if (!is_type(type) || (first.len > 1 && first.data[1] & 0xe0))
        return TW_GUESS_NO;
    if (first.len < HEADER + 6)
        return first.len < 4 || (len >= HEADER && len <= MAX_PACKET) ? TW_GUESS_MORE : TW_GUESS_NO;
    if (len < HEADER + 6 || len > MAX_PACKET || first.data[7] != 0)
        return TW_GUESS_NO;
    switch (type) {
    case PRELOGIN: /* its first option is the version, behind the list of options */
        return first.data[HEADER] == 0 && tw_be16(first, HEADER + 1) < len &&
                       tw_be16(first, HEADER + 3) == 6 && tw_be16(first, 4) == 0
                   ? TW_GUESS_ASKER
                   : TW_GUESS_NO;
    case BATCH:
    case RPC:
        return tw_le32(first, HEADER) == ALL_HEADERS &&
                       tw_le32(first, HEADER + 4) == ALL_HEADERS - 4
                   ? TW_GUESS_ASKER
                   : TW_GUESS_NO;
    case LOGIN_7:
        return tw_le32(first, HEADER) == (uint32_t)len - HEADER ? TW_GUESS_ASKER : TW_GUESS_NO;
    case LOGIN_5:
        return len == 512 && first.data[1] == 0 ? TW_GUESS_ASKER : TW_GUESS_NO;
    default:
        return TW_GUESS_NO;
    }
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    if (asks)
        return guess(tw_bytes_first(first, TW_GUESS_BYTES)) == TW_GUESS_ASKER;
    return first.len >= HEADER && length(state, asks, first) > 0 && first.data[7] == 0;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Behind ALL_HEADERS, which TDS 7.2 and later have. */
static struct tw_bytes without_headers(struct tw_bytes head)
{
    struct tw_bytes data = tw_bytes_from(head, HEADER);
    uint32_t len = tw_le32(data, 0);

    return len >= ALL_HEADERS && len < 256 && tw_le32(data, 4) <= len - 4 ? tw_bytes_from(data, len)
                                                                          : data;
}

static void name_by_statement(struct tw_transactions *t, const char *verb, struct tw_bytes wide,
                              bool more)
{
    uint8_t narrowed[TW_MESSAGE_HEAD / 2];
    char text[TW_SQL_TEXT + 4];
    struct tw_bytes sql = narrow(wide, narrowed, sizeof narrowed);

    if (t->values) {
        tw_transactions_call(
            t, tw_transactions_keep_name(t, tw_bytes((const uint8_t *)verb, strlen(verb)), sql));
        return;
    }
    tw_sql_shorten(text, sql, (struct tw_sql_dialect) { false, true, false }, more);
    tw_transactions_call(t, tw_transactions_keep_text(t, verb, text));
}

/* The first parameter of sp_executesql: name, status, type NVARCHAR or NTEXT with what it has, and
 * the text (section 2.2.6.6). */
static struct tw_bytes statement_of(struct tw_bytes data, bool *whole)
{
    size_t at = (size_t)tw_u8(data, 0) * 2 + 2;
    uint8_t type = tw_u8(data, at);
    uint16_t most = tw_le16(data, at + 1);
    uint32_t len = 0;

    if (type == 0xe7 && most == UINT16_MAX) {
        at += 8 + 8;
        len = tw_le32(data, at);
        at += 4;
    } else if (type == 0xe7) {
        at += 8;
        len = tw_le16(data, at);
        at += 2;
    } else if (type == 0x63) {
        at += 10;
        len = tw_le32(data, at);
        at += 4;
    }
    data = tw_bytes_from(data, at);
    *whole = data.len >= len;
    return tw_bytes_first(data, len);
}

static void name_procedure(struct tw_transactions *t, struct tw_bytes data)
{
    uint16_t len = tw_le16(data, 0), number = tw_le16(data, 2);
    struct tw_bytes wide;
    uint8_t text[128];
    bool whole;

    if (len != UINT16_MAX) {
        wide = tw_bytes_first(tw_bytes_from(data, 2), (size_t)len * 2);
        tw_transactions_name(t, tw_bytes((const uint8_t *)"rpc", 3),
                             narrow(wide, text, sizeof text));
        return;
    }
    if (number == 0 || number >= G_N_ELEMENTS(procedures)) {
        tw_transactions_call(t, "rpc");
        return;
    }
    wide = tw_bytes_from(data, 6);
    if (number == EXECUTESQL && (wide = statement_of(wide, &whole)).len > 0)
        name_by_statement(t, "execute", wide, !whole);
    else
        tw_transactions_call(t, procedures[number]);
}

static void name(struct tw_transactions *t, const struct tw_message *f)
{
    static const char *const names[] = {
        [LOGIN_5] = "login",     [BULK] = "bulk load", [TRANSACTION] = "transaction",
        [QUERY_5] = "query",     [LOGIN_7] = "login",  [SSPI] = "login",
        [PRELOGIN] = "prelogin",
    };
    uint8_t type = f->head.data[0];
    bool more = f->from + (int64_t)f->head.len < f->to || !(f->head.data[1] & END_OF_MESSAGE);

    if (type == BATCH)
        name_by_statement(t, "batch", without_headers(f->head), more);
    else if (type == RPC)
        name_procedure(t, without_headers(f->head));
    else if (type < G_N_ELEMENTS(names) && names[type])
        tw_transactions_call(t, names[type]);
}

/* ---- messages -------------------------------------------------------------------------------- */

static void tell_error(struct tw_transactions *t, struct tw_bytes head)
{
    char text[sizeof "error 4294967295"];

    if (tw_u8(head, HEADER) != ERROR_TOKEN || !tw_bytes_has(head, HEADER + 3, 4))
        return;
    g_snprintf(text, sizeof text, "error %u", tw_le32(head, HEADER + 3));
    tw_transactions_failed(t, text);
}

/* A message that cancels a request is answered within its response. */
static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct tds *s = state;
    int way = !f->asks;
    bool first = !s->goes_on[way];

    s->last[way] = tw_u8(f->head, 1) & END_OF_MESSAGE;
    s->goes_on[way] = !s->last[way];
    if (!first)
        return;
    if (f->asks) {
        tw_transactions_ask(t, f->from);
        name(t, f);
        if (f->head.data[0] == ATTENTION) {
            tw_transactions_call(t, "attention");
            tw_transactions_one_way(t);
        }
    } else {
        tw_transactions_answer(t, f->from);
        tell_error(t, f->head);
    }
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    const struct tds *s = state;

    if (f->asks && s->last[0])
        tw_transactions_asked(t, f->to);
    else if (!f->asks && s->last[1])
        tw_transactions_answered(t, f->to, true);
}

static void resume(void *state, struct tw_transactions *t, bool asks, int64_t at)
{
    ((struct tds *)state)->goes_on[!asks] = false;
    tw_transactions_resume(t, asks, at);
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct tds *)state)->dialogue, &rules, state, t, asks, p);
}

G_STATIC_ASSERT(sizeof(struct tds) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_tds = {
    .name = "tds",
    .state_size = sizeof(struct tds),
    .guess = guess,
    .piece = piece,
};
