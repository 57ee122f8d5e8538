/* SPDX-License-Identifier: MIT */
/*
 * The receiver's view: what came shows that it lacks what was sent before, and that never comes as
 * far as is seen. Where it was as large as segments may be, none of that size may pass.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_context *context = w->context;

    if (!tw_gap_hole_stays(w) || context->vantage.to_side_ns[w->sender] == 0)
        return false;
    c->party = TCPWHY_PARTY_PATH;
    /* What stands behind the hole ends the wait, and when it was lost nothing tells. */
    if (context->prescan.last_beyond[w->sender] > &context->log->record[w->first_record])
        tw_claim_add_rival(c, tw_think_of(w->sender));
    else if (context->hole_bytes[w->sender] >= (int64_t)context->sends[w->sender].agreed_bytes)
        tw_claim_add_rival(c, TCPWHY_MTU_BLACK_HOLE);
    return true;
}

const struct tw_detector tw_detect_unrepaired_loss = { TCPWHY_LOSS_RECOVERY, claim,
                                                       TW_NEEDS_TURN | TW_NEEDS_HOLE };
