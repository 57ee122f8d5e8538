/* SPDX-License-Identifier: MIT */
/*
 * The receiver's view: what came shows that it lacks what was sent before, and that never comes as
 * far as is seen. Where it was as large as segments may be, none of that size may pass.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_context *context = w->context;
    const struct tw_record *first = &context->log->record[w->first_record];

    if (!tw_gap_hole_stays(w) || context->vantage.to_side_ns[w->sender] == 0)
        return "no data of the sender is missing to the end";
    r->party = TCPWHY_PARTY_PATH;
    /* What stands behind the hole ends the wait, and when it was lost nothing tells. */
    r->odds = context->prescan.last_beyond[w->sender] > first ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_unrepaired_loss = { TCPWHY_LOSS_RECOVERY,
                                                             TW_NEEDS_TURN | TW_NEEDS_HOLE, weigh };
