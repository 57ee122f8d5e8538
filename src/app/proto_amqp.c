/* SPDX-License-Identifier: MIT */
/*
 * AMQP 0-9-1: a method that has an answer is a request, told by its channel; what is published is
 * one when the server confirms it (RabbitMQ's extension). Deliveries respond to nothing. Routing
 * keys are shown with values only.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/ids.h"
#include "app/protocol.h"

#define HEADER    7 /* type, channel and size; an octet ends the frame */
#define FRAME_END 0xce
#define MAX_FRAME (16 * 1024 * 1024) /* RabbitMQ's frame_max is 131072 */
#define OPENING   8                  /* "AMQP" with its version */
#define MAX_ACKS  65536              /* of publishings by one confirmation */

enum frame_type {
    METHOD = 1,
    CONTENT = 2,
    BODY = 3,
    HEARTBEAT = 8,
};

#define ID(class, method) ((uint32_t)(class) << 16 | (method))

enum {
    CONNECTION_CLOSE = ID(10, 50),
    CHANNEL_FLOW = ID(20, 20),
    CHANNEL_CLOSE = ID(20, 40),
    CHANNEL_CLOSE_OK = ID(20, 41),
    BASIC_PUBLISH = ID(60, 40),
    BASIC_RETURN = ID(60, 50),
    BASIC_DELIVER = ID(60, 60),
    BASIC_GET_OK = ID(60, 71),
    BASIC_GET_EMPTY = ID(60, 72),
    BASIC_ACK = ID(60, 80),
    BASIC_NACK = ID(60, 120),
    TUNE_OK = ID(10, 31),
    CONFIRM_SELECT = ID(85, 10),
};

/* The names that follow a method's first two bytes, which are reserved. */
enum object {
    NOTHING,
    QUEUE,
    EXCHANGE,
};

static const struct method {
    uint32_t id;
    const char *name;
    uint32_t answer; /* method that answers it; 0: none */
    enum object object;
} methods[] = {
    { ID(10, 11), "connection.start-ok", ID(10, 30), NOTHING },
    { ID(10, 21), "connection.secure-ok", ID(10, 30), NOTHING },
    { TUNE_OK, "connection.tune-ok", 0, NOTHING },
    { ID(10, 40), "connection.open", ID(10, 41), NOTHING },
    { ID(10, 50), "connection.close", ID(10, 51), NOTHING },
    { ID(10, 51), "connection.close-ok", 0, NOTHING },
    { ID(20, 10), "channel.open", ID(20, 11), NOTHING },
    { ID(20, 20), "channel.flow", ID(20, 21), NOTHING },
    { ID(20, 40), "channel.close", ID(20, 41), NOTHING },
    { ID(20, 41), "channel.close-ok", 0, NOTHING },
    { ID(40, 10), "exchange.declare", ID(40, 11), EXCHANGE },
    { ID(40, 20), "exchange.delete", ID(40, 21), EXCHANGE },
    { ID(40, 30), "exchange.bind", ID(40, 31), EXCHANGE },
    { ID(40, 40), "exchange.unbind", ID(40, 51), EXCHANGE },
    { ID(50, 10), "queue.declare", ID(50, 11), QUEUE },
    { ID(50, 20), "queue.bind", ID(50, 21), QUEUE },
    { ID(50, 30), "queue.purge", ID(50, 31), QUEUE },
    { ID(50, 40), "queue.delete", ID(50, 41), QUEUE },
    { ID(50, 50), "queue.unbind", ID(50, 51), QUEUE },
    { ID(60, 10), "basic.qos", ID(60, 11), NOTHING },
    { ID(60, 20), "basic.consume", ID(60, 21), QUEUE },
    { ID(60, 30), "basic.cancel", ID(60, 31), NOTHING },
    { ID(60, 40), "basic.publish", 0, EXCHANGE },
    { ID(60, 70), "basic.get", ID(60, 71), QUEUE },
    { ID(60, 80), "basic.ack", 0, NOTHING },
    { ID(60, 90), "basic.reject", 0, NOTHING },
    { ID(60, 110), "basic.recover", ID(60, 111), NOTHING },
    { ID(60, 120), "basic.nack", 0, NOTHING },
    { ID(85, 10), "confirm.select", ID(85, 11), NOTHING },
    { ID(90, 10), "tx.select", ID(90, 11), NOTHING },
    { ID(90, 20), "tx.commit", ID(90, 21), NOTHING },
    { ID(90, 30), "tx.rollback", ID(90, 31), NOTHING },
};

struct amqp {
    struct tw_dialogue dialogue;
    struct tw_ids asked;
    uint64_t published, confirmed; /* on the channel with confirmations */
    uint32_t content[2];           /* the exchange that content belongs to, plus one */
    uint16_t channel;              /* with confirmations, of which one is followed */
    bool confirms;
    uint8_t type[2];
};

/* ---- frames ---------------------------------------------------------------------------------- */

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t size = tw_be32(first, 3);
    uint8_t type = first.data[0];

    (void)state;
    if (asks && type == 'A')
        return first.len < OPENING
                   ? TW_MESSAGE_MORE
                   : (memcmp(first.data, "AMQP\0\0\x09\x01", OPENING) == 0 ? OPENING
                                                                           : TW_MESSAGE_WRONG);
    if (type != METHOD && type != CONTENT && type != BODY && type != HEARTBEAT)
        return TW_MESSAGE_WRONG;
    if (first.len < HEADER)
        return TW_MESSAGE_MORE;
    if (size > MAX_FRAME || (type == METHOD && size < 4) || (type == CONTENT && size < 14) ||
        (first.len > HEADER + (size_t)size && first.data[HEADER + size] != FRAME_END))
        return TW_MESSAGE_WRONG;
    return (int64_t)HEADER + size + 1;
}

static uint32_t method_of(struct tw_bytes head)
{
    return tw_be32(head, HEADER);
}

static const struct method *find(uint32_t id)
{
    for (size_t i = 0; i < G_N_ELEMENTS(methods); i++)
        if (methods[i].id == id)
            return &methods[i];
    return NULL;
}

/* Both sides have these. */
static bool is_of_both(uint32_t id)
{
    return id == BASIC_ACK || id == BASIC_NACK || id == CHANNEL_CLOSE_OK || id == CHANNEL_FLOW;
}

/* In the middle: a method that ends as it says, or is that long. */
static enum tw_guess guess(struct tw_bytes first)
{
    size_t n = MIN(first.len, OPENING);
    uint32_t size = tw_be32(first, 3), id = method_of(first);

    if (n == 0 || memcmp(first.data, "AMQP\0\0\x09\x01", n) == 0)
        return n == OPENING ? TW_GUESS_ASKER : TW_GUESS_MORE;
    if (first.data[0] != METHOD || first.len < HEADER + 4 || length(NULL, false, first) <= 0 ||
        tw_be16(first, 1) > 2047 || size > 1024)
        return TW_GUESS_NO;
    if (id == BASIC_DELIVER)
        return tw_be16(first, 1) > 0 ? TW_GUESS_ANSWERER : TW_GUESS_NO;
    if (id >> 16 < 20 || tw_be16(first, 1) == 0 || !find(id) || id == CHANNEL_CLOSE)
        return TW_GUESS_NO;
    return is_of_both(id) ? TW_GUESS_EITHER : TW_GUESS_ASKER;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t size = tw_be32(first, 3);

    return first.len > HEADER && tw_u8(first, 0) != 'A' && length(state, asks, first) > 0 &&
           first.len > HEADER + (size_t)size;
}

/* ---- methods --------------------------------------------------------------------------------- */

/* A short string. */
static struct tw_bytes short_at(struct tw_bytes b, size_t at)
{
    return tw_bytes_first(tw_bytes_from(b, at + 1), tw_u8(b, at));
}

static uint64_t key_of(uint16_t channel, uint32_t answer)
{
    return (uint64_t)channel << 32 | answer;
}

/* Publishings on the channel with confirmations, by their number. */
static uint64_t key_of_publishing(uint64_t number)
{
    return UINT64_C(1) << 63 | number;
}

static void name(struct tw_transactions *t, uint32_t index, const struct method *m,
                 struct tw_bytes head)
{
    struct tw_bytes object = tw_bytes(NULL, 0), key;
    char text[2 * 255 + 2];

    if (m->object != NOTHING)
        object = short_at(head, HEADER + 6);
    if (t->values && m->id == BASIC_PUBLISH) {
        key = short_at(head, HEADER + 6 + 1 + object.len);
        if (object.len > 0)
            memcpy(text, object.data, object.len);
        text[object.len] = ' ';
        if (key.len > 0)
            memcpy(text + object.len + 1, key.data, key.len);
        object = tw_bytes((const uint8_t *)text, object.len + 1 + key.len);
    }
    tw_transactions_name_at(t, index, tw_bytes((const uint8_t *)m->name, strlen(m->name)), object);
}

static uint32_t publish(struct amqp *a, struct tw_transactions *t, const struct tw_message *f)
{
    if (a->confirms && tw_be16(f->head, 1) == a->channel)
        return tw_ids_ask(&a->asked, t, key_of_publishing(++a->published), f->from, f->to);
    return tw_ids_tell(&a->asked, t, true, f->from, f->to);
}

static void asked(struct amqp *a, struct tw_transactions *t, const struct tw_message *f)
{
    static const struct method unknown = { 0, "method", 0, NOTHING };
    const struct method *m = find(method_of(f->head));
    uint16_t channel = tw_be16(f->head, 1);
    uint32_t index;

    m = m ? m : &unknown;
    if (m->id == BASIC_PUBLISH)
        index = publish(a, t, f);
    else if (m->answer)
        index = tw_ids_ask(&a->asked, t, key_of(channel, m->answer), f->from, f->to);
    else
        index = tw_ids_tell(&a->asked, t, true, f->from, f->to);
    if (index == TW_NO_EXCHANGE)
        return;
    if (m->id == TUNE_OK) {
        t->facts.keep_alive_s = tw_be16(f->head, HEADER + 10);              /* behind two limits */
        t->facts.keep_alive_limit_ns = 2 * TCPWHY_S(t->facts.keep_alive_s); /* AMQP 0-9-1, 4.2.7 */
    }
    if (m->id == CONFIRM_SELECT && !a->confirms) {
        a->confirms = true;
        a->channel = channel;
    }
    a->content[0] = m->id == BASIC_PUBLISH ? index + 1 : 0;
    tw_transactions_at(t, index)->one_way =
        !m->answer && !(m->id == BASIC_PUBLISH && a->confirms && channel == a->channel);
    name(t, index, m, f->head);
}

/* Confirmations: of one publishing, or of all up to it. */
static void confirm(struct amqp *a, struct tw_transactions *t, const struct tw_message *f)
{
    uint64_t tag = tw_be64(f->head, HEADER + 4), n;
    bool multiple = tw_u8(f->head, HEADER + 12) & 1;
    uint32_t index;

    if (tag > a->published || tag == 0)
        return;
    n = multiple ? MAX(a->confirmed + 1, tag > MAX_ACKS ? tag - MAX_ACKS : 1) : tag;
    for (; n <= tag; n++) {
        if (!tw_ids_find(&a->asked, key_of_publishing(n)))
            continue;
        index = tw_ids_answer(&a->asked, t, key_of_publishing(n), f->from, f->to);
        tw_ids_answered(&a->asked, t);
        if (index != TW_NO_EXCHANGE && method_of(f->head) == BASIC_NACK)
            tw_transactions_detail(t, index, "nack");
    }
    if (multiple)
        a->confirmed = tag;
}

/* The server closes for a reason: what was asked last on the channel has failed. */
static void closed(struct amqp *a, struct tw_transactions *t, const struct tw_message *f)
{
    char text[sizeof "reply-code 65535"];
    uint16_t channel = tw_be16(f->head, 1);
    uint32_t index = TW_NO_EXCHANGE;

    for (size_t i = 0; i < G_N_ELEMENTS(methods) && index == TW_NO_EXCHANGE; i++)
        if (methods[i].answer && tw_ids_find(&a->asked, key_of(channel, methods[i].answer)))
            index = tw_ids_answer(&a->asked, t, key_of(channel, methods[i].answer), f->from, f->to);
    if (index == TW_NO_EXCHANGE)
        index = tw_ids_tell(&a->asked, t, false, f->from, f->to);
    if (index == TW_NO_EXCHANGE)
        return;
    g_snprintf(text, sizeof text, "reply-code %u", tw_be16(f->head, HEADER + 4));
    tw_transactions_detail(t, index, text);
}

static void delivered(struct amqp *a, struct tw_transactions *t, const struct tw_message *f,
                      uint64_t answers)
{
    uint32_t index = answers ? tw_ids_answer(&a->asked, t, answers, f->from, f->to)
                             : tw_ids_tell(&a->asked, t, false, f->from, f->to);

    a->content[1] = index == TW_NO_EXCHANGE ? 0 : index + 1;
    if (!answers && index != TW_NO_EXCHANGE)
        tw_transactions_at(t, index)->request =
            method_of(f->head) == BASIC_RETURN ? "basic.return" : "basic.deliver";
}

static void answered(struct amqp *a, struct tw_transactions *t, const struct tw_message *f)
{
    uint16_t channel = tw_be16(f->head, 1);
    uint32_t id = method_of(f->head), key;

    a->content[1] = 0;
    switch (id) {
    case BASIC_DELIVER:
    case BASIC_RETURN:
        delivered(a, t, f, 0);
        return;
    case BASIC_GET_OK:
        delivered(a, t, f, key_of(channel, BASIC_GET_OK));
        return;
    case BASIC_ACK:
    case BASIC_NACK:
        confirm(a, t, f);
        return;
    case CONNECTION_CLOSE:
    case CHANNEL_CLOSE:
        closed(a, t, f);
        return;
    default:
        break;
    }
    key = id == BASIC_GET_EMPTY ? BASIC_GET_OK : id;
    if (id == ID(10, 20)) /* secure, in place of tune */
        key = ID(10, 30);
    tw_ids_answer(&a->asked, t, key_of(channel, key), f->from, f->to);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Content belongs to the method before it. Channels may interleave: then it is of the last one. */
static void extend(struct amqp *a, struct tw_transactions *t, const struct tw_message *f)
{
    uint32_t index = a->content[!f->asks];
    struct tw_exchange *e;

    if (index == 0)
        return; /* the method was not seen */
    e = tw_transactions_at(t, index - 1);
    if (f->asks)
        e->request_to = f->to;
    else
        e->response_to = f->to;
    if (!f->asks)
        a->asked.open = index;
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct amqp *a = state;
    uint8_t type = f->head.data[0];
    uint32_t index;

    if (type == 'A') {
        index = tw_ids_ask(&a->asked, t, key_of(0, ID(10, 10)), f->from, f->to);
        if (index != TW_NO_EXCHANGE)
            tw_transactions_at(t, index)->request = "connect";
    } else if (type == METHOD && f->asks) {
        asked(a, t, f);
    } else if (type == METHOD) {
        answered(a, t, f);
    } else if (type == HEARTBEAT) {
        index = tw_ids_tell(&a->asked, t, f->asks, f->from, f->to);
        if (index != TW_NO_EXCHANGE) {
            tw_transactions_at(t, index)->request = "heartbeat";
            tw_transactions_at(t, index)->one_way = true;
        }
    } else {
        extend(a, t, f);
    }
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (!f->asks)
        tw_ids_answered(&((struct amqp *)state)->asked, t);
}

/* The content behind a hole may be another method's, and publishings in it are not counted: which
 * one a confirmation means is not known from there on. */
static void resume(void *state, struct tw_transactions *t, bool asks, int64_t at)
{
    struct amqp *a = state;

    (void)t;
    (void)at;
    a->content[!asks] = 0;
    a->confirms &= !asks;
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct amqp *)state)->dialogue, &rules, state, t, asks, p);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct amqp *)state)->asked);
}

G_STATIC_ASSERT(sizeof(struct amqp) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_amqp = {
    .name = "amqp",
    .state_size = sizeof(struct amqp),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
