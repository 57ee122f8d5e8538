/* SPDX-License-Identifier: MIT */
/*
 * MongoDB's wire protocol: a message answers the one whose requestID it repeats. A command is named
 * by its verb and its collection; its documents are not shown.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/ids.h"
#include "app/protocol.h"

#define HEADER      16
#define MAX_MESSAGE 48000000 /* maxMessageSizeBytes */

#define OP_REPLY      1
#define OP_QUERY      2004
#define OP_COMPRESSED 2012
#define OP_MSG        2013

/* OP_MSG's flags; those below 1 << 16 must be known. */
#define MORE_TO_COME 0x2u
#define KNOWN_FLAGS  0x10003u

/* Elements of a document to look at, and the most common width of a name. */
#define MAX_ELEMENTS 32
#define MAX_NAME     24

struct mongodb {
    struct tw_dialogue dialogue;
    struct tw_ids asked;
};

/* ---- BSON ------------------------------------------------------------------------------------ */

struct element {
    uint8_t type;
    struct tw_bytes name, value; /* value: what is there from its begin on */
};

/* Size of a value; 0: not known. */
static size_t size_of(uint8_t type, struct tw_bytes value)
{
    switch (type) {
    case 0x01: /* double */
    case 0x09: /* date */
    case 0x11: /* timestamp */
    case 0x12: /* int64 */
        return 8;
    case 0x02: /* string */
        return (size_t)tw_le32(value, 0) + 4;
    case 0x03: /* document */
    case 0x04: /* array */
        return tw_le32(value, 0);
    case 0x05: /* binary */
        return (size_t)tw_le32(value, 0) + 5;
    case 0x07: /* ObjectId */
        return 12;
    case 0x08: /* bool */
        return 1;
    case 0x10: /* int32 */
        return 4;
    case 0x13: /* decimal128 */
        return 16;
    default:
        return 0;
    }
}

/* Take the next element off a document behind its length. */
static bool next_element(struct tw_bytes *rest, struct element *e)
{
    const uint8_t *nul;
    size_t size;

    if (!rest->data)
        return false;
    e->type = tw_u8(*rest, 0);
    *rest = tw_bytes_from(*rest, 1);
    nul = e->type && rest->len > 0 ? memchr(rest->data, 0, rest->len) : NULL;
    if (!nul)
        return false;
    e->name = tw_bytes_first(*rest, (size_t)(nul - rest->data));
    e->value = tw_bytes_from(*rest, e->name.len + 1);
    size = size_of(e->type, e->value);
    *rest = tw_bytes_from(e->value, size > 0 || e->type == 0x0a ? size : e->value.len);
    return true;
}

static bool is_name(struct tw_bytes name, const char *text)
{
    return name.len == strlen(text) && memcmp(name.data, text, name.len) == 0;
}

/* A number as a small integer; -1: none. */
static int64_t integer(const struct element *e)
{
    uint64_t bits = tw_le64(e->value, 0);
    double number;

    if (e->type == 0x10 && tw_bytes_has(e->value, 0, 4))
        return (int64_t)tw_le32(e->value, 0);
    if (e->type != 0x01 || !tw_bytes_has(e->value, 0, 8))
        return -1;
    memcpy(&number, &bits, sizeof number);
    return number >= 0 && number < 1e6 ? (int64_t)number : -1;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The document of a message, behind its length; empty: it is not there. */
static struct tw_bytes document_of(struct tw_bytes head)
{
    size_t at = HEADER + 5;
    bool whole;

    switch (tw_le32(head, 12)) {
    case OP_MSG:
        return tw_u8(head, HEADER + 4) == 0 ? tw_bytes_from(head, at + 4) : tw_bytes(NULL, 0);
    case OP_REPLY:
        return tw_bytes_from(head, HEADER + 20 + 4);
    case OP_QUERY:
        for (at = HEADER + 4, whole = false; !whole && at < head.len; at++)
            whole = head.data[at] == 0;
        return tw_bytes_from(head, at + 8 + 4);
    default:
        return tw_bytes(NULL, 0);
    }
}

static bool is_known(uint32_t code)
{
    return code == OP_REPLY || (code >= 2001 && code <= OP_MSG);
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t len = tw_le32(first, 0);

    (void)state;
    (void)asks;
    if (first.len < HEADER)
        return TW_MESSAGE_MORE;
    return len > HEADER && len <= MAX_MESSAGE && is_known(tw_le32(first, 12)) ? (int64_t)len
                                                                              : TW_MESSAGE_WRONG;
}

/* Small codes are too common elsewhere. */
static bool is_telling(uint32_t code)
{
    return code == OP_MSG || code == OP_COMPRESSED || code == OP_QUERY;
}

static enum tw_guess guess(struct tw_bytes first)
{
    uint32_t code = tw_le32(first, 12);

    if (first.len == 0 || (first.len < HEADER && first.len >= 4 && tw_u8(first, 3) > 2))
        return first.len == 0 ? TW_GUESS_MORE : TW_GUESS_NO;
    if (first.len < HEADER + 5)
        return first.len < HEADER || (length(NULL, true, first) > 0 && is_telling(code))
                   ? TW_GUESS_MORE
                   : TW_GUESS_NO;
    if (length(NULL, true, first) <= 0 || !is_telling(code))
        return TW_GUESS_NO;
    if (code == OP_MSG && (tw_le32(first, HEADER) & ~KNOWN_FLAGS || first.data[HEADER + 4] > 1))
        return TW_GUESS_NO;
    if (code == OP_COMPRESSED && !is_known(tw_le32(first, HEADER)))
        return TW_GUESS_NO;
    if (code == OP_QUERY && !g_ascii_isalnum(tw_u8(first, HEADER + 4)))
        return TW_GUESS_NO;
    return tw_le32(first, 8) == 0 ? TW_GUESS_ASKER : TW_GUESS_ANSWERER;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    return guess(tw_bytes_first(first, TW_GUESS_BYTES)) ==
           (asks ? TW_GUESS_ASKER : TW_GUESS_ANSWERER);
}

/* Commands that wait for news: tailing cursors, and hello with a topology that is known. */
static bool waits(struct tw_bytes document)
{
    struct element e;
    bool may_wait = false;

    for (int i = 0; i < MAX_ELEMENTS && next_element(&document, &e); i++) {
        if (i == 0)
            may_wait = is_name(e.name, "getMore") || is_name(e.name, "hello") ||
                       is_name(e.name, "isMaster") || is_name(e.name, "ismaster");
        if (may_wait && (is_name(e.name, "maxAwaitTimeMS") || is_name(e.name, "maxTimeMS")))
            return true;
    }
    return false;
}

/* A command's first element is its verb, and that one's value its collection; getMore has that in
 * its second. */
static void name(struct tw_transactions *t, uint32_t index, struct tw_bytes head)
{
    static const char packed[] = "compressed";
    struct tw_bytes document = document_of(head), collection = tw_bytes(NULL, 0);
    struct element verb, e;

    if (tw_le32(head, 12) == OP_COMPRESSED) {
        tw_transactions_name_at(t, index, tw_bytes((const uint8_t *)packed, sizeof packed - 1),
                                collection);
        return;
    }
    if (!next_element(&document, &verb))
        return;
    e = verb;
    if (is_name(verb.name, "getMore") && !next_element(&document, &e))
        e = verb;
    if (e.type == 0x02 && tw_le32(e.value, 0) > 0)
        collection = tw_bytes_first(tw_bytes_from(e.value, 4), tw_le32(e.value, 0) - 1);
    tw_transactions_name_at(t, index, verb.name, collection);
}

static void asked(struct mongodb *m, struct tw_transactions *t, const struct tw_message *f)
{
    uint32_t index = tw_ids_ask(&m->asked, t, tw_le32(f->head, 4), f->from, f->to);
    struct tw_exchange *e;

    if (index == TW_NO_EXCHANGE)
        return;
    name(t, index, f->head);
    e = tw_transactions_at(t, index);
    e->one_way = tw_le32(f->head, 12) == OP_MSG && tw_le32(f->head, HEADER) & MORE_TO_COME;
    e->stands = e->at_will = waits(document_of(f->head));
}

/* The number of an error, or of the first one of those of writes. */
static void tell_error(struct tw_transactions *t, uint32_t index, struct tw_bytes document)
{
    char text[sizeof "error 1000000"];
    bool failed = false;
    struct element e;

    for (int i = 0; i < MAX_ELEMENTS && next_element(&document, &e); i++) {
        if (is_name(e.name, "ok"))
            failed = integer(&e) == 0;
        if (is_name(e.name, "code") && failed && integer(&e) > 0 && integer(&e) < 1000000) {
            g_snprintf(text, sizeof text, "error %d", (int)integer(&e));
            tw_transactions_detail(t, index, text);
        }
    }
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct mongodb *m = state;
    uint32_t index;

    if (f->asks) {
        asked(m, t, f);
        return;
    }
    index = tw_ids_answer(&m->asked, t, tw_le32(f->head, 8), f->from, f->to);
    if (index != TW_NO_EXCHANGE)
        tell_error(t, index, document_of(f->head));
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (!f->asks)
        tw_ids_answered(&((struct mongodb *)state)->asked, t);
}

static const struct tw_message_rules rules = { length, begin, end, NULL, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct mongodb *)state)->dialogue, &rules, state, t, asks, p);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct mongodb *)state)->asked);
}

G_STATIC_ASSERT(sizeof(struct mongodb) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_mongodb = {
    .name = "mongodb",
    .state_size = sizeof(struct mongodb),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
