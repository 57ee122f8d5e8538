/* SPDX-License-Identifier: MIT */
#include "explain/path/utilization.h"

#include <glib.h>
#include "explain/thresholds.h"

/* Bytes sent in a window. */
static int64_t sent_within(struct tw_utilization *b, const struct tw_sender_timeline *x,
                           tcpwhy_ns since_ns, tcpwhy_ns until_ns)
{
    const struct tw_send *from = x->send + b->from, *to = x->send + b->to, *end = x->send + x->n;
    int64_t bytes = b->bytes;

    for (; to < end && to->sent_ns <= until_ns; to++)
        bytes += to->len;
    for (; from < to && from->sent_ns < since_ns; from++)
        bytes -= from->len;
    b->from = (uint32_t)(from - x->send);
    b->to = (uint32_t)(to - x->send);
    b->bytes = bytes;
    return bytes;
}

/*
 * Bytes known to have arrived by an ACK, and how far arrivals reach: a receiver with a hole
 * acknowledges each segment (RFC 5681, 4.2), and what is acknowledged beyond all before, also by
 * SACK, is new.
 */
static int64_t arrived_by(const struct tw_log *log, const struct tw_sender_timeline *x,
                          const struct tw_record *r, int64_t *reached)
{
    int64_t from = *reached, to = r->ack, bytes;

    if (r->from == x->from || r->len > 0 || (r->flags & (TW_ACK | TW_SYN | TW_RST)) != TW_ACK ||
        r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
        return 0;
    for (unsigned i = 0; i < r->n_sack; i++) {
        const struct tw_range *sack = &log->sack[r->sack + i];

        if (sack->to > to) {
            to = sack->to;
            from = MAX(*reached, sack->from);
        }
    }
    bytes = MAX(to - from, (int64_t)x->mss_bytes);
    *reached = MAX(*reached, to);
    return bytes;
}

/* Records before a window beyond the last one are passed once, not at both ends. */
static void skip_until(struct tw_utilization *b, const struct tw_log *log,
                       const struct tw_sender_timeline *x, tcpwhy_ns since_ns)
{
    const struct tw_record *r = log->record + b->ack_to, *end = log->record + log->n;
    int64_t reached = b->reached_to;

    if (r == end || r->time_ns >= since_ns)
        return;
    for (; r < end && r->time_ns < since_ns; r++)
        arrived_by(log, x, r, &reached);
    b->ack_from = b->ack_to = (uint32_t)(r - log->record);
    b->reached_from = b->reached_to = reached;
    b->arrived = 0;
}

/* The same for the ACKs in a window. A sender in recovery sends less, and the queue it filled
 * drains meanwhile. */
static int64_t arrived_within(struct tw_utilization *b, const struct tw_log *log,
                              const struct tw_sender_timeline *x, tcpwhy_ns since_ns,
                              tcpwhy_ns until_ns)
{
    const struct tw_record *r = log->record;

    skip_until(b, log, x, since_ns);
    for (; b->ack_to < log->n && r[b->ack_to].time_ns <= until_ns; b->ack_to++)
        b->arrived += arrived_by(log, x, &r[b->ack_to], &b->reached_to);
    for (; b->ack_from < b->ack_to && r[b->ack_from].time_ns < since_ns; b->ack_from++)
        b->arrived -= arrived_by(log, x, &r[b->ack_from], &b->reached_from);
    return b->arrived;
}

static bool is_enough(const struct tw_rounds *rounds, int64_t bytes, tcpwhy_ns within_ns)
{
    return (double)bytes >= rounds->capacity * TW_BUSY_RATE * (double)within_ns / 1e9;
}

bool tw_utilization_at(struct tw_utilization *b, const struct tw_log *log,
                       const struct tw_sender_timeline *x, const struct tw_rounds *rounds,
                       const struct tw_vantage *vantage, uint32_t index, tcpwhy_ns waited_ns)
{
    const tcpwhy_ns window_ns = MAX(vantage->rtt_min_ns, TW_WORTH_NS), half = window_ns / 2;
    const tcpwhy_ns sent_ns = x->send[index].sent_ns;
    const bool silent = waited_ns > window_ns;
    tcpwhy_ns since_ns = sent_ns - half, until_ns = sent_ns + half;

    if (rounds->capacity <= 0)
        return false;
    if (!silent && is_enough(rounds, sent_within(b, x, since_ns, until_ns), until_ns - since_ns))
        return true;
    if (x->to_sender > 0 || rounds->growth != TW_GROWTH_QUEUES)
        return false;
    if (silent) {
        since_ns = sent_ns - waited_ns;
        until_ns = sent_ns;
    }
    return is_enough(rounds, arrived_within(b, log, x, since_ns, until_ns), until_ns - since_ns);
}
