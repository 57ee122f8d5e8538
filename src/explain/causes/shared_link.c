/* SPDX-License-Identifier: MIT */
/*
 * While this connection waited, its host's link was full of other connections' data: nothing could
 * have come sooner without delaying something else. Asked only if no timestamps show how long the
 * segment was in transit.
 */
#include "explain/causes/hypothesis.h"

/* The request was acknowledged in the first half of the gap: it was not in transit. */
static bool was_acknowledged(const struct tw_gap *w, const struct tw_record *from,
                             const struct tw_record *to)
{
    for (const struct tw_record *r = from + 1; r < to; r++)
        if (r->from == w->sender && r->ack >= tw_record_end(from))
            return 2 * (r->time_ns - from->time_ns) < to->time_ns - from->time_ns;
    return false;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_log *log = w->context->log;
    const struct tw_record *from = &log->record[w->first_record],
                           *to = &log->record[w->last_record];
    enum tcpwhy_side here = tw_other(w->sender);

    if (!tw_link_was_full(log, here, from, to) ||
        tw_came_between(from, to, here) < to->len + w->context->sends[w->sender].mss_bytes)
        return "the link was not full of other connections' segments";
    if (was_acknowledged(w, from, to))
        return "the request was acknowledged early in the gap";
    r->party = TCPWHY_PARTY_PATH;
    tw_release_behind_way(r, w);
    r->odds = TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_shared_link = {
    TCPWHY_BANDWIDTH_LIMITED, TW_NEEDS_AWAITED | TW_NEEDS_LINK | TW_NEEDS_WHOLE, weigh
};
