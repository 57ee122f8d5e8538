/* SPDX-License-Identifier: MIT */
/*
 * The receiver's view: later data shows a hole that is not filled as long as the capture lasts. If
 * the hole is a full segment, segments of that size may not pass.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_context *context = w->context;
    const struct tw_record *first = &context->log->record[w->first_record];

    if (!tw_gap_hole_stays(w) || context->vantage.to_side_ns[w->sender] == 0)
        return "no data of the sender is missing to the end";
    r->party = TCPWHY_PARTY_PATH;
    /* Data beyond the hole ends the gap, and nothing shows when the hole was lost. */
    r->odds = context->beyond[w->sender] > first ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_unrepaired_loss = { TCPWHY_LOSS_RECOVERY,
                                                             TW_NEEDS_TURN | TW_NEEDS_HOLE, weigh };
