/* SPDX-License-Identifier: MIT */
#include "app/messages.h"

#include <glib.h>

/* A message and its record fields. */
struct message {
    int64_t from, to;
    uint32_t *first, *last;
};

static struct message message_of(struct tw_exchange *e, bool request)
{
    if (request)
        return (struct message) { e->request_from, e->request_to, &e->request_first,
                                  &e->request_last };
    return (struct message) { e->response_from, e->response_to, &e->response_first,
                              &e->response_last };
}

static struct message message_at(const struct tw_messages *m, uint32_t at)
{
    return message_of(&m->all->exchange[at], m->requests);
}

/* The next non-empty message, from at on. */
static uint32_t not_empty(const struct tw_messages *m, uint32_t at)
{
    for (; at < m->n; at++) {
        struct message message = message_at(m, at);

        if (message.from < message.to)
            break;
    }
    return at;
}

static void next_message(struct tw_messages *m)
{
    struct message message;

    m->at = m->then;
    m->from = INT64_MAX;
    if (m->at == m->n)
        return;
    message = message_at(m, m->at);
    m->from = message.from;
    m->to = m->upto = message.to;
    m->then = not_empty(m, m->at + 1);
    if (m->then < m->n)
        m->upto = MIN(m->to, message_at(m, m->then).from);
}

void tw_messages_begin(struct tw_messages *m, struct tw_exchanges *all, bool requests, int64_t end)
{
    m->all = all;
    m->n = all->n;
    m->requests = requests;
    m->end = m->n > 0 ? end : INT64_MIN;
    m->last = TW_NO_RECORD;
    m->then = not_empty(m, 0);
    next_message(m);
}

static void note(struct tw_messages *m, uint32_t record)
{
    struct message message = message_at(m, m->at);

    if (*message.first == TW_NO_RECORD)
        *message.first = record;
    *message.last = record;
}

void tw_messages_take(struct tw_messages *m, int64_t from, int64_t to, uint32_t record)
{
    if (from < m->end)
        m->last = record;
    while (to > m->from) {
        if (from < m->to)
            note(m, record);
        if (to <= m->upto)
            return;
        next_message(m);
    }
}

/* Start of a record's new bytes. */
static int64_t begin_of(const struct tw_log *log, uint32_t record)
{
    return log->record[record].seq + !!(log->record[record].flags & TW_SYN);
}

static void add_late(const struct message *message, const struct tw_log *log,
                     struct tw_byte_to_frame *byte_to_frame)
{
    struct tw_late lowest;
    uint32_t last;

    if (!tw_byte_to_frame_find_late(byte_to_frame, message->from, message->to, &lowest, &last))
        return;
    if (*message->first == TW_NO_RECORD || lowest.from < begin_of(log, *message->first))
        *message->first = lowest.record;
    *message->last = *message->last == TW_NO_RECORD ? last : MAX(*message->last, last);
}

void tw_messages_settle(const struct tw_messages *m, struct tw_exchange *e,
                        const struct tw_log *log, struct tw_byte_to_frame *byte_to_frame)
{
    struct message message = message_of(e, m->requests);

    if (*message.first != TW_NO_RECORD && message.to == m->end)
        *message.last = m->last;
    add_late(&message, log, byte_to_frame);
}
