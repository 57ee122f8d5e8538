/* SPDX-License-Identifier: MIT */
/*
 * Modbus/TCP (Modbus Messaging on TCP/IP 1.0b): a header with a transaction identifier and a length
 * before each message. Each request has an answer: where none comes, the device behind the server
 * is silent, and the client asks again after its own timeout.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/ids.h"
#include "app/protocol.h"

/* Identifiers, length, unit and function; the length counts the last two and what follows. */
#define BEFORE_UNIT 6
#define HEADER      8
#define MAX_LENGTH  254
#define EXCEPTION   0x80

/* Requests with data end as a count of bytes says, which stands at such an offset. */
static const struct function {
    const char *name;   /* NULL: not looked at */
    uint8_t length;     /* of a request, without the data that it counts */
    uint8_t count;      /* offset of that count in a request; 0: none */
    bool counts_answer; /* an answer begins with a count of its bytes */
} functions[] = {
    [1] = { "read_coils", 6, 0, true },
    [2] = { "read_discrete_inputs", 6, 0, true },
    [3] = { "read_holding_registers", 6, 0, true },
    [4] = { "read_input_registers", 6, 0, true },
    [5] = { "write_coil", 6, 0, false },
    [6] = { "write_register", 6, 0, false },
    [15] = { "write_coils", 7, 12, false },
    [16] = { "write_registers", 7, 12, false },
    [22] = { "mask_write_register", 8, 0, false },
    [23] = { "read_write_registers", 11, 16, true },
};

static const char *const exceptions[] = {
    [1] = "illegal function",
    [2] = "illegal data address",
    [3] = "illegal data value",
    [4] = "server device failure",
    [5] = "acknowledge",
    [6] = "server device busy",
    [8] = "memory parity error",
    [10] = "gateway path unavailable",
    [11] = "gateway target device failed to respond",
};

struct modbus {
    struct tw_dialogue dialogue;
    struct tw_ids ids; /* exchanges by transaction identifier */
};

static const struct function *function_of(struct tw_bytes first)
{
    const uint8_t code = tw_u8(first, 7) & (uint8_t)~EXCEPTION;

    return code < G_N_ELEMENTS(functions) && functions[code].name ? &functions[code] : NULL;
}

static bool is_header(struct tw_bytes first)
{
    return tw_be16(first, 2) == 0 && tw_be16(first, 4) >= 2 && tw_be16(first, 4) <= MAX_LENGTH;
}

static bool is_request(struct tw_bytes first)
{
    const struct function *f = function_of(first);
    uint16_t length = tw_be16(first, 4);

    if (!f || !is_header(first) || tw_u8(first, 7) & EXCEPTION)
        return false;
    if (f->count > 0 && first.len > f->count)
        return length == f->length + tw_u8(first, f->count);
    return f->count > 0 ? length > f->length : length == f->length;
}

static bool is_answer(struct tw_bytes first)
{
    const struct function *f = function_of(first);
    uint16_t length = tw_be16(first, 4);

    if (!f || !is_header(first))
        return false;
    if (tw_u8(first, 7) & EXCEPTION)
        return length == 3;
    return f->counts_answer ? first.len > HEADER && length == 3 + tw_u8(first, HEADER)
                            : length == 6 || length == 8;
}

static enum tw_guess guess(struct tw_bytes first)
{
    if (first.len > 3 && tw_be16(first, 2) != 0)
        return TW_GUESS_NO;
    if (first.len <= HEADER)
        return TW_GUESS_MORE;
    if (is_request(first))
        return is_answer(first) ? TW_GUESS_EITHER : TW_GUESS_ASKER;
    return is_answer(first) ? TW_GUESS_ANSWERER : TW_GUESS_NO;
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    (void)asks;
    if (first.len < BEFORE_UNIT)
        return TW_MESSAGE_MORE;
    return is_header(first) ? (int64_t)BEFORE_UNIT + tw_be16(first, 4) : TW_MESSAGE_WRONG;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    return asks ? is_request(first) : is_answer(first);
}

static void name(struct tw_transactions *t, uint32_t index, struct tw_bytes head)
{
    const struct function *f = function_of(head);
    const char *verb = f ? f->name : "request";
    char unit[sizeof "unit 255"];

    g_snprintf(unit, sizeof unit, "unit %u", tw_u8(head, 6));
    tw_transactions_name_at(t, index, tw_bytes((const uint8_t *)verb, strlen(verb)),
                            tw_bytes((const uint8_t *)unit, strlen(unit)));
}

/* A gateway sends what is for unit 0 to all, of which none answers (Modbus over serial line, 2.1);
 * other servers take it for themselves. */
static bool is_broadcast(struct tw_bytes head)
{
    const struct function *f = function_of(head);

    return tw_u8(head, 6) == 0 && (!f || !f->counts_answer);
}

static void asked(struct modbus *m, struct tw_transactions *t, const struct tw_message *f)
{
    uint32_t index = tw_ids_ask(&m->ids, t, tw_be16(f->head, 0), f->from, f->to);

    if (index == TW_NO_EXCHANGE)
        return;
    name(t, index, f->head);
    tw_transactions_at(t, index)->lapsed = !is_broadcast(f->head);
}

static void answered(struct modbus *m, struct tw_transactions *t, const struct tw_message *f)
{
    uint32_t index = tw_ids_answer(&m->ids, t, tw_be16(f->head, 0), f->from, f->to);
    uint8_t code = tw_u8(f->head, HEADER);

    if (index != TW_NO_EXCHANGE && tw_u8(f->head, 7) & EXCEPTION &&
        code < G_N_ELEMENTS(exceptions) && exceptions[code])
        tw_transactions_detail(t, index, exceptions[code]);
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    (f->asks ? asked : answered)(state, t, f);
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (!f->asks)
        tw_ids_answered(&((struct modbus *)state)->ids, t);
}

static const struct tw_message_rules rules = { length, begin, end, NULL, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    struct modbus *m = state;

    tw_dialogue_take(&m->dialogue, &rules, m, t, asks, p);
    t->state_bytes = tw_ids_bytes(&m->ids);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct modbus *)state)->ids);
}

G_STATIC_ASSERT(sizeof(struct modbus) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_modbus = {
    .name = "modbus",
    .state_size = sizeof(struct modbus),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
