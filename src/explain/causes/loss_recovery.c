/* SPDX-License-Identifier: MIT */
/*
 * Data was lost, and the wait lies in its repair (RFC 5681, RFC 6298, RFC 6675, RFC 8985). While
 * the path is still carrying all that it can, the loss costs nothing of its own.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    if (w->busy && w->phase == TW_PHASE_MESSAGE)
        return false;
    c->party = TCPWHY_PARTY_PATH;
    c->from = w->episode->sender;
    c->key_record = w->episode->repair_record;
    if (w->episode->unseen)
        tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    else if (w->episode->first)
        tw_claim_add_rival(c, TCPWHY_CONNECT_RETRY);
    else if (w->episode->arrived)
        tw_claim_add_rival(c, TCPWHY_DELAYED_ACK);
    else if (w->episode->too_large)
        tw_claim_add_rival(c, TCPWHY_MTU_BLACK_HOLE);
    return true;
}

const struct tw_detector tw_detect_loss_recovery = { TCPWHY_LOSS_RECOVERY, claim,
                                                     TW_NEEDS_EPISODE };
