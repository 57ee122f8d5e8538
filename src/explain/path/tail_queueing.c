/* SPDX-License-Identifier: MIT */
#include "explain/path/tail_queueing.h"

#include "base/ns.h"

/* An ACK covers all data in order when it was sent (RFC 9293, 3.10.7.4), however late: the rest had
 * not arrived. An ACK with nothing new may wait for lost data. */
static bool tells_lack(const struct tw_record *r, uint8_t receiver, int64_t acked, int64_t end)
{
    return r->from == receiver && (r->flags & (TW_ACK | TW_RST)) == TW_ACK && r->ack > acked &&
           r->ack < end;
}

/* Data in order from the first of those ACKs to the newest; at that rate, the rest takes this
 * long. */
static tcpwhy_ns time_of_rest(const struct tw_record *first, const struct tw_record *newest,
                              int64_t end)
{
    int64_t came = newest->ack - first->ack;

    if (came <= 0)
        return 0;
    return tw_ns_from((double)(newest->time_ns - first->time_ns) * (double)(end - newest->ack) /
                      (double)came);
}

/* Does it report data beyond a hole (RFC 2018)? */
static bool tells_hole(const struct tw_log *log, const struct tw_record *r)
{
    return r->n_sack > 0 && !(r->facts & TW_FACT_DSACK) && log->sack[r->sack].from > r->ack;
}

/* The receiver acknowledges at once what fills a reported hole (RFC 5681, 4.2), whether the capture
 * holds the report or not. The last such in a message before another record, or NULL. */
static const struct tw_record *find_filled(const struct tw_log *log,
                                           const struct tw_record *message, uint32_t before)
{
    const int64_t end = tw_record_end(message);
    bool hole = false;

    for (const struct tw_record *r = message + 1; r < &log->record[before]; r++) {
        if (r->from == message->from || !(r->flags & TW_ACK))
            continue;
        if (r->ack >= end)
            return hole ? r : NULL;
        hole = tells_hole(log, r);
    }
    return NULL;
}

tcpwhy_ns tw_tail_queueing_lacked_ns(const struct tw_log *log, const struct tw_vantage *vantage,
                                     uint32_t last, uint32_t before, bool *hole)
{
    const struct tw_record *message = &log->record[last], *first = NULL, *newest = NULL;
    const struct tw_record *filled = find_filled(log, message, before);
    const uint8_t receiver = !message->from;
    const int64_t end = tw_record_end(message);

    *hole = filled;
    if (filled)
        return filled->time_ns - message->time_ns;
    for (const struct tw_record *r = message + 1; r < &log->record[before]; r++)
        if (tells_lack(r, receiver, newest ? newest->ack : 0, end)) {
            first = first ? first : r;
            newest = r;
        }
    if (!newest || newest->time_ns - message->time_ns <= 2 * vantage->to_side_ns[receiver])
        return 0;
    return newest->time_ns - message->time_ns + time_of_rest(first, newest, end);
}

/* The longest silence before an ACK, compared with the time its bytes take at the mean rate. */
static bool is_uneven(const struct tw_record *first, const struct tw_record *newest,
                      tcpwhy_ns silence_ns, int64_t bytes)
{
    double all_ns = (double)(newest->time_ns - first->time_ns);

    return silence_ns > TW_JOINED_NS && (double)silence_ns * (double)(newest->ack - first->ack) >
                                            TW_UNEVEN * all_ns * (double)bytes;
}

bool tw_tail_queueing_watch(const struct tw_log *log, const struct tw_vantage *vantage,
                            const struct tw_round *round, uint32_t last, uint32_t before,
                            struct tw_tail_queueing *out)
{
    const struct tw_record *message = &log->record[last], *first = NULL, *newest = NULL;
    const uint8_t receiver = !message->from;
    const tcpwhy_ns soonest_ns = message->time_ns + 2 * vantage->to_side_ns[receiver];
    tcpwhy_ns silence_ns = 0;
    int64_t acked = 0, late = 0;

    if (!round->queue.standing)
        return false;
    for (const struct tw_record *r = message + 1; r < &log->record[before]; r++) {
        if (!tells_lack(r, receiver, acked, tw_record_end(message)))
            continue;
        acked = r->ack;
        if (r->time_ns <= soonest_ns)
            continue;
        if (!first) {
            first = r;
        } else if (r->time_ns - newest->time_ns > silence_ns) {
            silence_ns = r->time_ns - newest->time_ns;
            late = r->ack - newest->ack;
        }
        newest = r;
    }
    if (!first || silence_ns > tw_even_queue_ns(round))
        return false;
    *out = (struct tw_tail_queueing) {
        .newest = (uint32_t)(newest - log->record),
        .uneven = is_uneven(first, newest, silence_ns, late),
        .rest_ns = time_of_rest(first, newest, tw_record_end(message)),
    };
    return true;
}
