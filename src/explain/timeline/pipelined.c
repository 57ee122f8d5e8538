/* SPDX-License-Identifier: MIT */
#include "explain/timeline/pipelined.h"

#include <glib.h>

/* The round of a send if a queue stood in it, else NULL. */
static const struct tw_round *full_round_of(const struct tw_rounds *rounds, uint32_t index)
{
    uint32_t low = 0, high = rounds->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (rounds->round[middle].last < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rounds->n && rounds->round[low].queue.standing ? &rounds->round[low] : NULL;
}

bool tw_pipelined_visit_request(struct tw_cursor *w, const struct tw_exchange *e)
{
    const struct tw_record *answer = tw_cursor_record(w, w->at),
                           *request = tw_cursor_record(w, e->request_first);
    const struct tw_sender_timeline *x = &w->context->sends[e->asker];
    uint32_t i;

    if (w->context->rounds[e->asker].capacity <= 0 || e->request_first <= w->at ||
        answer->from == (uint8_t)e->asker || answer->len == 0 ||
        request->ack >= tw_record_end(answer))
        return false;
    i = tw_cursor_send_from(w, e->asker, e->request_first);
    if (i == 0 || i == x->n || x->send[i].record != e->request_first ||
        !full_round_of(&w->context->rounds[e->asker], i - 1))
        return false;
    tw_cursor_visit(w, TW_PHASE_MESSAGE, e->asker, e->request_first, (int64_t)i, false);
    return true;
}

/* The answerer's next record that acknowledges more than it had before; TW_NO_RECORD: it sends
 * something else first, or nothing. */
static uint32_t next_arrival(const struct tw_cursor *w, const struct tw_record *before,
                             uint32_t last)
{
    for (uint32_t i = w->at + 1; i <= last; i++) {
        const struct tw_record *r = tw_cursor_record(w, i);

        if (r->from != before->from || !(r->flags & TW_ACK))
            continue;
        if (r->ack > before->ack)
            return i;
        if (r->len > 0)
            return TW_NO_RECORD;
    }
    return TW_NO_RECORD;
}

/* An ACK covers all data in order when it was sent (RFC 9293, 3.10.7.4): a request that an answer
 * does not acknowledge was on its way. */
void tw_pipelined_visit_arrivals(struct tw_cursor *w, const struct tw_exchange *e)
{
    const struct tw_sender_timeline *x = &w->context->sends[e->asker];
    const struct tw_record *before = tw_cursor_record(w, w->at), *asked;
    tcpwhy_ns soonest_ns;

    if (w->context->rounds[e->asker].capacity <= 0 || w->turns.asked_last == TW_NO_RECORD)
        return;
    asked = tw_cursor_record(w, w->turns.asked_last);
    soonest_ns = asked->time_ns + 2 * w->context->vantage.to_side_ns[tw_other(e->asker)];
    while (before->from != (uint8_t)e->asker && before->flags & TW_ACK &&
           before->ack < tw_record_end(asked)) {
        uint32_t to = next_arrival(w, before, e->response_last);
        uint32_t i =
            to == TW_NO_RECORD ? x->n : tw_sender_timeline_up_to(x, tw_cursor_record(w, to)->ack);

        if (i == x->n || x->send[i].record >= to)
            return;
        w->arrives = full_round_of(&w->context->rounds[e->asker], i);
        if (!w->arrives)
            return;
        w->rest_ns = MAX(0, soonest_ns - before->time_ns);
        tw_cursor_visit(w, TW_PHASE_ARRIVAL, e->asker, to, -1, false);
        w->arrives = NULL;
        before = tw_cursor_record(w, w->at);
    }
}
