/* SPDX-License-Identifier: MIT */
/*
 * When a response was whole at the host that asked, judged from a vantage elsewhere on the path:
 * not before its bytes can have come there, not after their acknowledgement left.
 *
 *      vantage            asker
 *         |--- last byte --->|  earliest: one way later (or when a repeat of it comes)
 *         |                  |
 *         |<------ ACK ------|  latest: one way before the vantage sees it
 *
 * An ACK without payload that leaves long before any delayed-ACK timer could run out was sent when
 * the host took the bytes in, so the truth is there: queues and the host's own time are in it. A
 * later one may have been delayed, and one with payload waited for the application: then the
 * earliest counts, unless the two are next to each other.
 */
#include "app/app.h"

#include <glib.h>

/* Reaction time of a busy host between receiving and acknowledging at once; the shortest
 * delayed-ACK timer in use is 40 ms. */
#define PROMPT_NS TCPWHY_MS(1)

/* A next request within this fraction of the RTT leaves no time for thinking. */
#define AT_ONCE 16

/* Limit of records between a response and its ACK; real responses have far fewer. */
#define MAX_LOOK 1024

static bool repeats(const struct tw_record *r, const struct tw_exchange *e)
{
    return r->from != e->asker && r->len > 0 && r->seq < e->response_to &&
           r->seq + r->len > e->response_from;
}

/* The last retransmission of any byte of the response before it was acknowledged. */
static tcpwhy_ns last_sent(const struct tw_log *log, const struct tw_exchange *e)
{
    uint32_t i = e->response_acked;

    for (int n = 0; i > e->response_last && n < MAX_LOOK; i--, n++)
        if (repeats(&log->record[i], e))
            return log->record[i].time_ns;
    return log->record[e->response_last].time_ns;
}

/* When the asker acknowledged all but the end of the response; or unknown. */
static tcpwhy_ns part_acked(const struct tw_log *log, const struct tw_exchange *e)
{
    uint32_t i = e->response_acked;

    for (int n = 0; i > e->response_first && n < MAX_LOOK; n++) {
        const struct tw_record *r = &log->record[--i];

        if (r->from == e->asker && r->flags & TW_ACK)
            return r->ack > e->response_from ? r->time_ns : TCPWHY_NS_UNKNOWN;
    }
    return TCPWHY_NS_UNKNOWN;
}

/* Maximum delay between arrival and departure of such a record, unless it was held up. */
static tcpwhy_ns promptness(const struct tw_record *ack, tcpwhy_ns to_asker_ns)
{
    bool pure = ack->len == 0 && !(ack->flags & (TW_SYN | TW_FIN | TW_RST));

    return pure ? PROMPT_NS : 2 * to_asker_ns / AT_ONCE;
}

tcpwhy_ns tw_exchange_arrival(const struct tw_log *log, const struct tw_exchange *e,
                              tcpwhy_ns to_asker_ns)
{
    const struct tw_record *ack;
    tcpwhy_ns earliest, latest, part;

    if (e->response_last == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;
    earliest = log->record[e->response_last].time_ns + to_asker_ns;
    if (e->response_acked == TW_NO_RECORD)
        return earliest;
    ack = &log->record[e->response_acked];
    latest = MAX(ack->time_ns - to_asker_ns, earliest);
    earliest = MIN(last_sent(log, e) + to_asker_ns, latest);
    part = part_acked(log, e);
    if (part != TCPWHY_NS_UNKNOWN)
        earliest = CLAMP(part - to_asker_ns, earliest, latest);
    return latest - earliest <= promptness(ack, to_asker_ns) ? latest : earliest;
}
