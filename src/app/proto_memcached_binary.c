/* SPDX-License-Identifier: MIT */
/*
 * memcached's binary protocol (its protocol_binary.h): each packet has a header with the lengths of
 * what follows. Quiet reads are answered only if there is a value: they are one request with the
 * first packet behind them that is not quiet.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/protocol.h"

#define HEADER   24
#define REQUEST  0x80
#define RESPONSE 0x81

/* Keys have up to 250 bytes, values at most 1 GiB (-I). */
#define MAX_KEY  250
#define MAX_BODY (1 << 30)

enum opcode {
    STAT = 0x10,
};

enum quiet {
    LOUD,
    QUIET_READ,  /* answered if there is a value */
    QUIET_WRITE, /* answered if it fails */
};

static const struct command {
    const char *name; /* NULL: no such opcode */
    uint8_t extras;   /* bytes between the header and the key */
    bool key;
    enum quiet quiet;
} commands[] = {
    [0x00] = { "get", 0, true, LOUD },
    [0x01] = { "set", 8, true, LOUD },
    [0x02] = { "add", 8, true, LOUD },
    [0x03] = { "replace", 8, true, LOUD },
    [0x04] = { "delete", 0, true, LOUD },
    [0x05] = { "incr", 20, true, LOUD },
    [0x06] = { "decr", 20, true, LOUD },
    [0x07] = { "quit", 0, false, LOUD },
    [0x08] = { "flush_all", 0, false, LOUD },
    [0x09] = { "get", 0, true, QUIET_READ },
    [0x0a] = { "noop", 0, false, LOUD },
    [0x0b] = { "version", 0, false, LOUD },
    [0x0c] = { "get", 0, true, LOUD },
    [0x0d] = { "get", 0, true, QUIET_READ },
    [0x0e] = { "append", 0, true, LOUD },
    [0x0f] = { "prepend", 0, true, LOUD },
    [STAT] = { "stats", 0, false, LOUD },
    [0x11] = { "set", 8, true, QUIET_WRITE },
    [0x12] = { "add", 8, true, QUIET_WRITE },
    [0x13] = { "replace", 8, true, QUIET_WRITE },
    [0x14] = { "delete", 0, true, QUIET_WRITE },
    [0x15] = { "incr", 20, true, QUIET_WRITE },
    [0x16] = { "decr", 20, true, QUIET_WRITE },
    [0x17] = { "quit", 0, false, QUIET_WRITE },
    [0x18] = { "flush_all", 0, false, QUIET_WRITE },
    [0x19] = { "append", 0, true, QUIET_WRITE },
    [0x1a] = { "prepend", 0, true, QUIET_WRITE },
    [0x1c] = { "touch", 4, true, LOUD },
    [0x1d] = { "gat", 4, true, LOUD },
    [0x1e] = { "gat", 4, true, QUIET_READ },
    [0x20] = { "sasl_list_mechs", 0, false, LOUD },
    [0x21] = { "sasl_auth", 0, true, LOUD },
    [0x22] = { "sasl_step", 0, true, LOUD },
    [0x23] = { "gat", 4, true, LOUD },
    [0x24] = { "gat", 4, true, QUIET_READ },
};

/* Responses with these statuses are failures; misses and lost races are none. */
static const struct {
    uint8_t status;
    const char *name;
} errors[] = {
    { 0x03, "E2BIG" },      { 0x04, "EINVAL" },          { 0x06, "DELTA_BADVAL" },
    { 0x20, "AUTH_ERROR" }, { 0x81, "UNKNOWN_COMMAND" }, { 0x82, "ENOMEM" },
};

struct memcached {
    struct tw_dialogue dialogue;
    bool joins; /* quiet reads wait for a packet that is answered */
    bool ends;  /* the packet is a response's last */
};

static const struct command *command_of(uint8_t opcode)
{
    return opcode < G_N_ELEMENTS(commands) && commands[opcode].name ? &commands[opcode] : NULL;
}

/* The header as far as it is there: nothing speaks against it. */
static bool is_header(struct tw_bytes first)
{
    const struct command *command = command_of(tw_u8(first, 1));
    uint16_t key = tw_be16(first, 2);

    return command && key <= MAX_KEY && tw_u8(first, 5) == 0 && tw_be32(first, 8) <= MAX_BODY &&
           (first.len < HEADER || tw_be32(first, 8) >= (uint32_t)key + tw_u8(first, 4));
}

static bool is_request(struct tw_bytes first)
{
    const struct command *command = command_of(tw_u8(first, 1));
    uint8_t extras = tw_u8(first, 4);
    bool flush = command && command->name[0] == 'f';

    return is_header(first) && first.data[0] == REQUEST &&
           (extras == command->extras || (flush && extras == 4)) &&
           (tw_be16(first, 2) > 0 || !command->key);
}

/* Flags stand before a value. */
static bool is_response(struct tw_bytes first)
{
    uint8_t extras = tw_u8(first, 4);

    return is_header(first) && first.data[0] == RESPONSE && (extras == 0 || extras == 4) &&
           tw_be16(first, 6) <= 0xff;
}

static enum tw_guess guess(struct tw_bytes first)
{
    if (first.len == 0)
        return TW_GUESS_MORE;
    if (first.data[0] != REQUEST && first.data[0] != RESPONSE)
        return TW_GUESS_NO;
    if (first.len < HEADER)
        return first.len == 1 || is_header(first) ? TW_GUESS_MORE : TW_GUESS_NO;
    if (is_request(first))
        return TW_GUESS_ASKER;
    return is_response(first) ? TW_GUESS_ANSWERER : TW_GUESS_NO;
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    if (first.data[0] != (asks ? REQUEST : RESPONSE))
        return TW_MESSAGE_WRONG;
    if (first.len < HEADER)
        return TW_MESSAGE_MORE;
    return tw_be32(first, 8) <= MAX_BODY ? (int64_t)HEADER + tw_be32(first, 8) : TW_MESSAGE_WRONG;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    return first.len >= HEADER && (asks ? is_request(first) : is_response(first));
}

static void asked(struct memcached *m, struct tw_transactions *t, const struct tw_message *f)
{
    uint8_t opcode = tw_u8(f->head, 1);
    const struct command *command = command_of(opcode);
    const char *name = command ? command->name : "command";
    struct tw_bytes key = tw_bytes(NULL, 0);

    if (!m->joins) {
        tw_transactions_ask(t, f->from);
        if (t->values)
            key = tw_bytes_first(tw_bytes_from(f->head, HEADER + (size_t)tw_u8(f->head, 4)),
                                 tw_be16(f->head, 2));
        tw_transactions_name(t, tw_bytes((const uint8_t *)name, strlen(name)), key);
    }
    if (!t->asking)
        return;
    if (!m->joins && command && command->quiet == QUIET_WRITE)
        tw_transactions_one_way(t);
    m->joins = command && (command->quiet == QUIET_READ || (m->joins && command->quiet != LOUD));
}

static void tell_error(struct tw_transactions *t, uint16_t status)
{
    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++)
        if (errors[i].status == status)
            tw_transactions_failed(t, errors[i].name);
}

/* A quiet write that failed has no request of its own any more. */
static void answered(struct memcached *m, struct tw_transactions *t, const struct tw_message *f)
{
    uint8_t opcode = tw_u8(f->head, 1);
    const struct command *command = command_of(opcode);
    uint16_t status = tw_be16(f->head, 6);

    m->ends = false;
    if (command && command->quiet == QUIET_WRITE)
        return;
    if (!t->answer_runs)
        tw_transactions_answer(t, f->from);
    m->ends = (!command || command->quiet == LOUD) &&
              (opcode != STAT || status != 0 || tw_be16(f->head, 2) == 0);
    tell_error(t, status);
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    (f->asks ? asked : answered)(state, t, f);
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    const struct memcached *m = state;

    if (f->asks && !m->joins)
        tw_transactions_asked(t, f->to);
    else if (!f->asks && m->ends)
        tw_transactions_answered(t, f->to, true);
}

static void resume(void *state, struct tw_transactions *t, bool asks, int64_t at)
{
    if (asks)
        ((struct memcached *)state)->joins = false;
    tw_transactions_resume(t, asks, at);
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct memcached *)state)->dialogue, &rules, state, t, asks, p);
}

G_STATIC_ASSERT(sizeof(struct memcached) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_memcached_binary = {
    .name = "memcached",
    .state_size = sizeof(struct memcached),
    .guess = guess,
    .piece = piece,
};
