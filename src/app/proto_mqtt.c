/* SPDX-License-Identifier: MIT */
/*
 * MQTT 3.1, 3.1.1 and 5: packets of the client are requests, answered by their packet identifier;
 * what the server publishes responds to nothing. Topics are shown with values only.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/ids.h"
#include "app/protocol.h"

enum type {
    CONNECT = 1,
    CONNACK,
    PUBLISH,
    PUBACK,
    PUBREC,
    PUBREL,
    PUBCOMP,
    SUBSCRIBE,
    SUBACK,
    UNSUBSCRIBE,
    UNSUBACK,
    PINGREQ,
    PINGRESP,
    DISCONNECT,
    AUTH,
};

/* Indexed by type. asks: the type that answers it, if it has the same identifier. */
static const struct packet {
    const char *name;
    uint8_t answer;
    bool has_id;
} packets[16] = {
    { "", 0, false },
    { "connect", CONNACK, false },
    { "connack", 0, false },
    { "publish", PUBACK, true },
    { "puback", 0, true },
    { "pubrec", 0, true },
    { "pubrel", PUBCOMP, true },
    { "pubcomp", 0, true },
    { "subscribe", SUBACK, true },
    { "suback", 0, true },
    { "unsubscribe", UNSUBACK, true },
    { "unsuback", 0, true },
    { "pingreq", PINGRESP, false },
    { "pingresp", 0, false },
    { "disconnect", 0, false },
    { "auth", 0, false },
};

/* Section 2.2.3: from here on a reason code tells of a failure; MQTT 3's CONNACK has 1 to 5. */
#define FAILURE 0x80

struct mqtt {
    struct tw_dialogue dialogue;
    struct tw_ids asked;
    uint8_t version; /* 0: unknown */
};

/* Length of the fixed header, with the rest in *rest; 0: too few bytes; -1: malformed (2.2.3). */
static int header_len(struct tw_bytes b, uint32_t *rest)
{
    *rest = 0;
    for (size_t i = 1; i <= 4; i++) {
        if (i >= b.len)
            return 0;
        *rest |= (uint32_t)(b.data[i] & 0x7f) << (7 * (i - 1));
        if (!(b.data[i] & 0x80))
            return (int)i + 1;
    }
    return -1;
}

static uint8_t type_of(struct tw_bytes b)
{
    return tw_u8(b, 0) >> 4;
}

static uint8_t qos_of(struct tw_bytes b)
{
    return tw_u8(b, 0) >> 1 & 3;
}

/* Sections 2.1.3 and 3: flags are fixed but for PUBLISH, and so are some lengths. */
static bool is_valid(struct tw_bytes b, uint32_t rest)
{
    uint8_t flags = b.data[0] & 0xf;

    switch (type_of(b)) {
    case 0:
        return false;
    case PUBLISH:
        return qos_of(b) < 3 && rest >= 2;
    case PUBREL:
    case SUBSCRIBE:
    case UNSUBSCRIBE:
        return (flags & ~1u) == 2 && rest >= 2; /* 3.1 may repeat them */
    case PINGREQ:
    case PINGRESP:
        return flags == 0 && rest == 0;
    default:
        return flags == 0;
    }
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t rest;
    int header = header_len(first, &rest);

    (void)state;
    (void)asks;
    if (header == 0)
        return TW_MESSAGE_MORE;
    return header > 0 && is_valid(first, rest) ? (int64_t)header + rest : TW_MESSAGE_WRONG;
}

static bool is_topic(struct tw_bytes b)
{
    size_t len = tw_be16(b, 0);

    if (len == 0 || b.len < 6)
        return false;
    for (size_t i = 2; i < b.len && i < 2 + len; i++)
        if (b.data[i] < 0x20 || b.data[i] == 0x7f || b.data[i] == '#' || b.data[i] == '+')
            return false;
    return true;
}

/* A connection begins with CONNECT, and its protocol's name; a capture may with PUBLISH. */
static enum tw_guess guess(struct tw_bytes first)
{
    uint32_t rest;
    int header = header_len(first, &rest);
    struct tw_bytes body = tw_bytes_from(first, (size_t)MAX(header, 0));

    if (first.len == 0 || (header == 0 && first.len < 5))
        return first.len == 0 || first.data[0] == 0x10 ? TW_GUESS_MORE : TW_GUESS_NO;
    if (header <= 0 || !is_valid(first, rest))
        return TW_GUESS_NO;
    if (first.data[0] == 0x10 && rest >= 10 && body.len < 8)
        return TW_GUESS_MORE;
    if (first.data[0] == 0x10)
        return memcmp(body.data, "\0\4MQTT", 6) == 0 || memcmp(body.data, "\0\6MQIsdp", 8) == 0
                   ? TW_GUESS_ASKER
                   : TW_GUESS_NO;
    return type_of(first) == PUBLISH && tw_be16(body, 0) + 2u <= rest && tw_be16(body, 0) >= 8 &&
                   is_topic(body) &&
                   memchr(body.data, '/', tw_bytes_first(body, 2u + tw_be16(body, 0)).len)
               ? TW_GUESS_EITHER
               : TW_GUESS_NO;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t rest;
    int header = header_len(first, &rest);

    (void)state;
    (void)asks;
    return header > 0 && is_valid(first, rest) &&
           (type_of(first) != PUBLISH || is_topic(tw_bytes_from(first, (size_t)header))) &&
           (type_of(first) == PUBLISH || (size_t)header + rest <= first.len);
}

static uint16_t id_of(struct tw_bytes head, size_t header)
{
    size_t at = header;

    if (type_of(head) == PUBLISH)
        at += 2 + (size_t)tw_be16(head, header);
    return tw_be16(head, at);
}

static uint64_t key_of(uint8_t answer, uint16_t id)
{
    return (uint64_t)answer << 16 | id;
}

static void asked(struct mqtt *m, struct tw_transactions *t, const struct tw_message *f,
                  size_t header)
{
    uint8_t type = type_of(f->head), answer = packets[type].answer;
    struct tw_bytes topic = tw_bytes(NULL, 0);
    uint16_t id = packets[type].has_id ? id_of(f->head, header) : 0;
    uint32_t index;

    if (type == CONNECT) {
        const size_t behind_name = header + 2 + tw_be16(f->head, header);

        m->version = tw_u8(f->head, behind_name);
        t->facts.keep_alive_s = tw_be16(f->head, behind_name + 2); /* behind version and flags */
        t->facts.keep_alive_limit_ns = TCPWHY_S(t->facts.keep_alive_s) * 3 / 2; /* 3.1.2.10 */
    }
    if (type == PUBLISH)
        answer = qos_of(f->head) == 0 ? 0 : qos_of(f->head) == 1 ? PUBACK : PUBREC;
    if (t->values && type == PUBLISH)
        topic = tw_bytes_first(tw_bytes_from(f->head, header + 2), tw_be16(f->head, header));
    index = answer ? tw_ids_ask(&m->asked, t, key_of(answer, id), f->from, f->to)
                   : tw_ids_tell(&m->asked, t, true, f->from, f->to);
    if (index == TW_NO_EXCHANGE)
        return;
    tw_transactions_at(t, index)->one_way = !answer;
    tw_transactions_name_at(
        t, index, tw_bytes((const uint8_t *)packets[type].name, strlen(packets[type].name)), topic);
}

/* A reason code that tells of a failure; before MQTT 5 only CONNACK and SUBACK have one. */
static void tell_error(const struct mqtt *m, struct tw_transactions *t, uint32_t index,
                       struct tw_bytes head, size_t header)
{
    uint8_t type = type_of(head), code = 0;
    char text[sizeof "reason 0xff"];

    if (type == CONNACK)
        code = tw_u8(head, header + 1);
    else if (type == SUBACK && m->version < 5)
        code = tw_u8(head, header + 2);
    else if (m->version >= 5 && packets[type].has_id && type != SUBACK && type != UNSUBACK)
        code = tw_u8(tw_bytes_first(head, header + 3), header + 2);
    if (code >= FAILURE || (type == CONNACK && code > 0)) {
        g_snprintf(text, sizeof text, "reason 0x%02x", code);
        tw_transactions_detail(t, index, text);
    }
}

static void answered(struct mqtt *m, struct tw_transactions *t, const struct tw_message *f,
                     size_t header)
{
    uint8_t type = type_of(f->head);
    uint16_t id = packets[type].has_id ? id_of(f->head, header) : 0;
    bool pushes = type == PUBLISH || type == DISCONNECT || type == PUBREL;
    uint32_t index = pushes ? tw_ids_tell(&m->asked, t, false, f->from, f->to)
                            : tw_ids_answer(&m->asked, t, key_of(type, id), f->from, f->to);

    if (index == TW_NO_EXCHANGE)
        return;
    if (pushes)
        tw_transactions_at(t, index)->request = packets[type].name;
    else
        tell_error(m, t, index, f->head, header);
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    uint32_t rest;
    int header = header_len(f->head, &rest);

    if (f->asks)
        asked(state, t, f, (size_t)MAX(header, 0));
    else
        answered(state, t, f, (size_t)MAX(header, 0));
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (!f->asks)
        tw_ids_answered(&((struct mqtt *)state)->asked, t);
}

static const struct tw_message_rules rules = { length, begin, end, NULL, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct mqtt *)state)->dialogue, &rules, state, t, asks, p);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct mqtt *)state)->asked);
}

G_STATIC_ASSERT(sizeof(struct mqtt) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_mqtt = {
    .name = "mqtt",
    .state_size = sizeof(struct mqtt),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
