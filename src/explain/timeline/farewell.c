/* SPDX-License-Identifier: MIT */
#include "explain/timeline/farewell.h"

#include <glib.h>

#include "explain/thresholds.h"

/* The first record of the side's final FINs and RSTs, or NULL. */
static const struct tw_record *closing(const struct tw_log *log, enum tcpwhy_side side)
{
    const struct tw_record *end = log->record + log->n, *found = NULL;
    const struct tw_record *least = end - MIN(log->n, TW_FAR_RECORDS);

    for (const struct tw_record *r = end; r-- > least;)
        if (r->from == (uint8_t)side && r->flags & (TW_FIN | TW_RST))
            found = r;
    return found;
}

/* The side's last send up to that record; the number of its sends if there is none. */
static uint32_t last_send_to(const struct tw_context *context, enum tcpwhy_side side,
                             uint32_t record)
{
    const struct tw_sender_timeline *x = &context->sends[side];
    uint32_t i = x->n;

    while (i > 0 && x->send[i - 1].record > record)
        i--;
    return i > 0 ? i - 1 : x->n;
}

struct tw_farewell tw_farewell_find(const struct tw_context *context, enum tcpwhy_side side)
{
    const struct tw_sender_timeline *x = &context->sends[side];
    const struct tw_record *record = context->log->record, *end = closing(context->log, side);
    struct tw_farewell found = { .first = TW_NO_RECORD };
    uint32_t bytes = 0, i;

    if (!end)
        return found;
    found.close = (uint32_t)(end - record);
    i = last_send_to(context, side, found.close);
    for (; i < x->n; i--) { /* an index below 0 wraps beyond n */
        const struct tw_send *s = &x->send[i];

        if (end->time_ns - record[s->record].time_ns >= TW_QUIET_NS)
            break;
        bytes += s->len;
        if (bytes >= TW_SMALLEST_MSS || s->is & TW_SEND_REPEAT)
            return (struct tw_farewell) { .first = TW_NO_RECORD };
        if (s->len > 0)
            found.first = s->record;
    }
    return found;
}

bool tw_farewell_answers_fin(const struct tw_context *context, uint32_t from, uint32_t to)
{
    const struct tw_record *record = context->log->record, *last = &record[to];
    const struct tw_record *least = last - MIN(to - from, TW_NEAR_RECORDS);
    const tcpwhy_ns soon_ns = TW_QUIET_NS + tw_min_rtt_ns(&context->vantage);

    if (last->time_ns - record[from].time_ns < TW_QUIET_NS)
        return false;
    for (const struct tw_record *r = last; r-- > least + 1;)
        if (r->from != last->from && r->flags & TW_FIN)
            return last->time_ns - r->time_ns <= soon_ns &&
                   r->time_ns - record[from].time_ns >= TW_QUIET_NS;
    return false;
}
