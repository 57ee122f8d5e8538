/* SPDX-License-Identifier: MIT */
#include "explain/reaction.h"

/* The side's first record after that one with data, FIN or RST; the log's length when there is
 * none. It is asked for ever later ones, so that the search goes on where it stopped. */
static uint32_t next_talk(struct tw_reactions *x, const struct tw_log *log, enum tcpwhy_side side,
                          uint32_t record)
{
    uint32_t *talk = &x->talk[side];

    if (record < x->asked[side] || *talk <= record)
        *talk = record + 1;
    x->asked[side] = record;
    for (; *talk < log->n; (*talk)++) {
        const struct tw_record *r = &log->record[*talk];

        if (r->from == side && (r->len || (r->flags & (TW_FIN | TW_RST))))
            break;
    }
    return *talk;
}

/* When what a record ends with was sent the last time before another record: it may have been lost.
 */
static tcpwhy_ns last_sent_ns(const struct tw_log *log, uint32_t record, uint32_t before)
{
    const struct tw_record *said = &log->record[record], *r = &log->record[before - 1];
    int64_t end = tw_record_end(said);

    while (r > said && (r->from != said->from || r->seq >= end || tw_record_end(r) < end))
        r--;
    return r->time_ns;
}

bool tw_reacted_to(struct tw_reactions *x, const struct tw_scene *scene, uint32_t record)
{
    const struct tw_log *log = scene->log;
    const struct tw_record *said = &log->record[record];
    uint32_t talk = next_talk(x, log, tw_other((enum tcpwhy_side)said->from), record);

    return talk < log->n && log->record[talk].time_ns - last_sent_ns(log, record, talk) <=
                                TW_QUIET_NS + tw_shortest_trip_ns(&scene->vantage);
}
