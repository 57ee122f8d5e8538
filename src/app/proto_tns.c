/* SPDX-License-Identifier: MIT */
/*
 * Oracle's TNS (as the captures and Wireshark's dissector show it): a response ends when the client
 * sends again. Calls are named; statements are not.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/protocol.h"

#define HEADER 8 /* length, checksum, type, flags, checksum */

/* Packets had at most 32767 bytes, and have 2 MiB since their length takes four bytes. */
#define MAX_PACKET (2 * 1024 * 1024)

enum type {
    CONNECT = 1,
    ACCEPT = 2,
    ACK = 3,
    REFUSE = 4,
    REDIRECT = 5,
    DATA = 6,
    ABORT = 9,
    RESEND = 11,
    MARKER = 12,
    ATTENTION = 13,
    CONTROL = 14,
};

/* Of data: flags take two bytes, then the message's type, and a call's function follows. */
#define DATA_FLAGS    2
#define EOF_FLAG      0x40
#define PROTOCOL      0x01
#define DATA_TYPES    0x02
#define CALL          0x03
#define PIGGYBACK     0x11
#define NETWORK_MAGIC 0xdeadbeefu

static const struct call {
    uint8_t function;
    const char *name;
} calls[] = {
    { 0x02, "open" },     { 0x03, "query" },   { 0x04, "execute" },     { 0x05, "fetch" },
    { 0x08, "close" },    { 0x09, "logoff" },  { 0x0c, "autocommit" },  { 0x0e, "commit" },
    { 0x0f, "rollback" }, { 0x14, "cancel" },  { 0x2b, "describe" },    { 0x3b, "version" },
    { 0x47, "execute" },  { 0x4e, "execute" }, { 0x5e, "execute" },     { 0x60, "lob" },
    { 0x73, "login" },    { 0x76, "login" },   { 0x67, "transaction" }, { 0x68, "transaction" },
    { 0x93, "ping" },
};

struct tns {
    struct tw_dialogue dialogue;
    bool broken;  /* the server interrupts the call: the client's marker asks for the rest */
    bool resumes; /* the current packet of the client is that marker */
};

static uint32_t length_of(struct tw_bytes first)
{
    uint32_t len = tw_be16(first, 0);

    return len ? len : tw_be32(first, 0);
}

static bool is_type(uint8_t type)
{
    return (type >= CONNECT && type <= DATA) || type == ABORT ||
           (type >= RESEND && type <= CONTROL);
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t len = length_of(first);

    (void)state;
    (void)asks;
    if (first.len < HEADER)
        return TW_MESSAGE_MORE;
    return len >= HEADER && len <= MAX_PACKET && is_type(first.data[4]) ? (int64_t)len
                                                                        : TW_MESSAGE_WRONG;
}

/* CONNECT tells versions, and its checksums are 0; in the
 * middle, a call. */
static enum tw_guess guess(struct tw_bytes first)
{
    uint32_t len = length_of(first);

    if (first.len < HEADER + 4)
        return first.len < 5 || (is_type(first.data[4]) && len <= MAX_PACKET) ? TW_GUESS_MORE
                                                                              : TW_GUESS_NO;
    if (length(NULL, true, first) <= 0 || tw_be16(first, 6) != 0)
        return TW_GUESS_NO;
    if (first.data[4] == CONNECT)
        return tw_be16(first, 2) == 0 && len >= 58 && tw_be16(first, 8) >= 300 &&
                       tw_be16(first, 8) < 400 && tw_be16(first, 10) >= 300 &&
                       tw_be16(first, 10) <= tw_be16(first, 8)
                   ? TW_GUESS_ASKER
                   : TW_GUESS_NO;
    return first.data[4] == DATA && (tw_be16(first, 0) == 0 || tw_be16(first, 2) == 0) &&
                   tw_be16(first, HEADER) == 0 && first.data[5] == 0 &&
                   (first.data[HEADER + DATA_FLAGS] == CALL ||
                    first.data[HEADER + DATA_FLAGS] == PIGGYBACK) &&
                   first.data[HEADER + DATA_FLAGS + 1] > 0
               ? TW_GUESS_ASKER
               : TW_GUESS_NO;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    return first.len >= HEADER && length(state, asks, first) > 0 && tw_be16(first, 6) == 0 &&
           (first.data[4] == DATA || first.data[4] == MARKER);
}

static const char *name_of(struct tw_bytes head)
{
    uint8_t kind = tw_u8(head, HEADER + DATA_FLAGS),
            function = tw_u8(head, HEADER + DATA_FLAGS + 1);

    if (head.data[4] == CONNECT)
        return "connect";
    if (head.data[4] == MARKER || head.data[4] == ATTENTION)
        return "break";
    if (head.data[4] != DATA)
        return "packet";
    if (tw_be32(head, HEADER + DATA_FLAGS) == NETWORK_MAGIC)
        return "services";
    if (kind == PROTOCOL || kind == DATA_TYPES)
        return "negotiate";
    if (kind == CALL)
        for (size_t i = 0; i < G_N_ELEMENTS(calls); i++)
            if (calls[i].function == function)
                return calls[i].name;
    return kind == CALL || kind == PIGGYBACK ? "call" : "data";
}

/* The client sends again: what came since its request was the response. But after a marker of the
 * server the client sends one, and only then the server says what failed. */
static void asked(struct tns *tns, struct tw_transactions *t, const struct tw_message *f)
{
    tns->resumes = tns->broken && t->answer_runs && f->head.data[4] == MARKER;
    tns->broken = false;
    if (tns->resumes)
        return;
    if (t->answer_runs)
        tw_transactions_answered(t, t->answered_to, true);
    else if (tw_transactions_awaited(t))
        return; /* more of the same request */
    tw_transactions_ask(t, f->from);
    tw_transactions_call(t, name_of(f->head));
    if (f->head.data[4] == MARKER || f->head.data[4] == ATTENTION)
        tw_transactions_wait(t); /* a break need not be answered */
    if (f->head.data[4] == DATA && tw_be16(f->head, HEADER) & EOF_FLAG) {
        tw_transactions_call(t, "close");
        tw_transactions_one_way(t);
    }
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct tns *tns = state;

    if (f->asks) {
        asked(tns, t, f);
        return;
    }
    if (!t->answer_runs)
        tw_transactions_answer(t, f->from);
    if (f->head.data[4] == MARKER) {
        tns->broken = true;
        tw_transactions_failed(t, "break");
    }
    if (f->head.data[4] == REFUSE)
        tw_transactions_failed(t, "refused");
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    const struct tns *tns = state;
    struct tw_exchange *e = tw_transactions_awaited(t);

    if (f->asks && tns->resumes) {
        t->asked_to = f->to;
    } else if (f->asks && e) {
        if (t->asking)
            tw_transactions_asked(t, f->to);
        e->request_to = t->asked_to = f->to;
    } else if (f->asks) {
        tw_transactions_asked(t, f->to);
    } else {
        t->answered_to = f->to;
        t->until_turn = true;
    }
}

static void resume(void *state, struct tw_transactions *t, bool asks, int64_t at)
{
    (void)state;
    tw_transactions_resume(t, asks, at);
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct tns *)state)->dialogue, &rules, state, t, asks, p);
}

G_STATIC_ASSERT(sizeof(struct tns) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_tns = {
    .name = "tns",
    .state_size = sizeof(struct tns),
    .guess = guess,
    .piece = piece,
};
