/* SPDX-License-Identifier: MIT */
/*
 * While the connection waited, its host's link was full of what others had asked for: nothing could
 * have come sooner without something else coming later. It needs a path of which no timestamps tell
 * how long the segment was under way.
 */
#include "explain/causes/hypothesis.h"

/* The other side acknowledged what it was asked when more of the wait was to come: that was not
 * under way. */
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
