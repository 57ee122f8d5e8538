/* SPDX-License-Identifier: MIT */
#include "explain/timeline/app_reaction.h"

#include <glib.h>
#include "explain/thresholds.h"

/* The side's first record after this one with data, FIN or RST; the log's length if there is none.
 * Callers ask for ever later records, so the search continues where it stopped. */
static uint32_t next_talk(struct tw_app_reactions *x, const struct tw_log *log,
                          enum tcpwhy_side side, uint32_t record)
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

/* Was the end of a record's data sent between these two records? It may have been lost and
 * retransmitted. */
static bool was_sent_since(const struct tw_log *log, uint32_t record, uint32_t before,
                           tcpwhy_ns since_ns)
{
    const struct tw_record *said = &log->record[record], *r = &log->record[before - 1];
    const struct tw_record *least = r - MIN(r - said, TW_FAR_RECORDS);
    int64_t end = tw_record_end(said);

    for (; r > least && r->time_ns >= since_ns; r--)
        if (r->from == said->from && r->seq < end && tw_record_end(r) >= end)
            return true;
    return said->time_ns >= since_ns;
}

/* Did the side close between these two records? */
static bool closes_before(const struct tw_log *log, uint32_t record, uint32_t before)
{
    const struct tw_record *said = &log->record[record], *r = &log->record[before];
    const struct tw_record *least = r - MIN(r - said, TW_FAR_RECORDS);

    while (r-- > least)
        if (r->from == said->from && r->flags & TW_FIN)
            return true;
    return false;
}

static bool reacts(struct tw_app_reactions *x, const struct tw_context *context, uint32_t record,
                   bool to_closing)
{
    const struct tw_log *log = context->log;
    const tcpwhy_ns soon_ns = TW_QUIET_NS + tw_min_rtt_ns(&context->vantage);
    const enum tcpwhy_side other = tw_other((enum tcpwhy_side)log->record[record].from);
    uint32_t talk = next_talk(x, log, other, record);

    return talk < log->n &&
           was_sent_since(log, record, talk, log->record[talk].time_ns - soon_ns) &&
           (to_closing || log->record[talk].len > 0 || !closes_before(log, record, talk));
}

bool tw_app_reacted_to(struct tw_app_reactions *x, const struct tw_context *context,
                       uint32_t record)
{
    return reacts(x, context, record, true);
}

bool tw_app_reacted_to_words(struct tw_app_reactions *x, const struct tw_context *context,
                             uint32_t record)
{
    return reacts(x, context, record, false);
}
