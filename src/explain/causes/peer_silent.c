/* SPDX-License-Identifier: MIT */
/*
 * From one moment on a side answers nothing, and everything that is sent to it is repeated in vain:
 * its host is gone, or something between forgot the connection. Nothing was repaired.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* Does the side that should acknowledge send nothing but RSTs from that record on? */
static bool is_silent(const struct tw_log *log, enum tcpwhy_side side, uint32_t from)
{
    for (uint32_t i = log->n; i-- > from;)
        if (log->record[i].from == side && !(log->record[i].flags & TW_RST))
            return false;
    return true;
}

/* A side that never said anything may not be in the capture. */
static bool was_heard(const struct tw_log *log, enum tcpwhy_side side, uint32_t before)
{
    for (uint32_t i = 0; i < before; i++)
        if (log->record[i].from == side)
            return true;
    return false;
}

static bool weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;
    const struct tw_recovery *all = &w->context->recovery[e->sender];
    enum tcpwhy_side other = tw_other(e->sender);
    const struct tw_log *log = w->context->log;

    if (e != &all->episode[all->n - 1] || e->repeats < TW_R1_REPEATS || e->unseen || e->arrived ||
        e->black_hole || e->too_large || !is_silent(log, other, e->first_record + 1) ||
        !was_heard(log, other, e->first_record))
        return false;
    r->party = TCPWHY_PARTY_PATH;
    r->from = e->sender;
    r->key_record = e->repair_record;
    r->odds = TW_ODDS_PROVEN;
    return true;
}

const struct tw_hypothesis tw_hypothesis_peer_silent = { TCPWHY_PEER_SILENT, TW_NEEDS_EPISODE,
                                                         weigh };
