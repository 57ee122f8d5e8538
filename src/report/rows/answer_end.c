/* SPDX-License-Identifier: MIT */
#include "report/rows/answer_end.h"

#include <glib.h>

/* The first ACK of the whole answer, up to the record `to`; TW_NO_RECORD: there is none. */
static uint32_t find_ack(const struct tw_log *log, const struct tw_exchange *e, uint32_t to)
{
    for (uint32_t i = e->response_last + 1; i <= to; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == (uint8_t)e->asker && r->flags & TW_ACK && r->ack >= e->response_to)
            return i;
    }
    return TW_NO_RECORD;
}

/* Let the answer end with its side's last data up to the record `to`. */
static void end_at(const struct tw_log *log, uint32_t to, struct tw_exchange *e)
{
    uint32_t record = to;
    const struct tw_record *r = &log->record[record];

    while (record > e->response_first && (r->from == (uint8_t)e->asker || r->len == 0))
        r = &log->record[--record];
    e->response_last = record;
    e->response_to = CLAMP(tw_record_end(r), e->response_from, e->response_to);
    e->response_acked = find_ack(log, e, to);
}

const struct tw_exchange *tw_answer_end(const struct tw_connection_result *result,
                                        const struct tw_exchange *e, uint32_t *span,
                                        struct tw_exchange *copy)
{
    const struct tw_explanation *x = result->explanation;

    if (e->framed || e->response_last >= result->log->n || e->response_first >= e->response_last)
        return e;
    while (*span < x->n_spans && x->span[*span].last_record <= e->response_first)
        ++*span;
    for (uint32_t i = *span; i < x->n_spans && x->span[i].last_record <= e->response_last; i++) {
        if (x->span[i].cause != TCPWHY_CLIENT_IDLE || x->span[i].first_record < e->response_first)
            continue;
        *copy = *e;
        end_at(result->log, x->span[i].first_record, copy);
        return copy;
    }
    return e;
}
