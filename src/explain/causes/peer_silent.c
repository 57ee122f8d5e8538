/* SPDX-License-Identifier: MIT */
/*
 * From one moment on a side answers nothing, and everything that is sent to it is repeated in vain:
 * its host is gone, or something between forgot the connection. Nothing was repaired.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The last record of a side that is no RST; TW_NO_RECORD where it never said anything, and may not
 * be in the capture. */
static uint32_t last_heard(const struct tw_log *log, enum tcpwhy_side side)
{
    for (uint32_t i = log->n; i-- > 0;)
        if (log->record[i].from == side && !(log->record[i].flags & TW_RST))
            return i;
    return TW_NO_RECORD;
}

static uint32_t repeats_behind(const struct tw_log *log, enum tcpwhy_side side, uint32_t heard)
{
    uint32_t n = 0;

    for (uint32_t i = heard + 1; i < log->n; i++)
        n += log->record[i].from == side &&
             log->record[i].frame_class == TCPWHY_CLASS_RETRANSMISSION;
    return n;
}

static bool weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;
    const struct tw_recovery *all = &w->context->recovery[e->sender];
    enum tcpwhy_side other = tw_other(e->sender);
    const struct tw_log *log = w->context->log;
    uint32_t heard;

    if (e != &all->episode[all->n - 1] || e->unseen || e->black_hole || e->too_large)
        return false;
    heard = last_heard(log, other);
    if (heard == TW_NO_RECORD || heard > e->repair_record ||
        repeats_behind(log, e->sender, heard) < TW_R1_REPEATS)
        return false;
    r->party = TCPWHY_PARTY_PATH;
    r->from = e->sender;
    r->key_record = e->repair_record;
    /* Where the repeats may have arrived, the answers may be missing instead. */
    r->odds = e->arrived ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return true;
}

const struct tw_hypothesis tw_hypothesis_peer_silent = { TCPWHY_PEER_SILENT, TW_NEEDS_EPISODE,
                                                         weigh };
