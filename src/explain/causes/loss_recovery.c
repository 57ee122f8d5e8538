/* SPDX-License-Identifier: MIT */
/*
 * Data was lost, and the gap lies in its repair (RFC 5681, RFC 6298, RFC 6675, RFC 8985). While the
 * path carries all that it can, the loss costs nothing.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;

    if (w->busy && w->phase == TW_PHASE_MESSAGE)
        return "the path carried all that it can during the repair";
    r->party = w->context->vantage.both_ends ? tw_party_of(tw_other(e->sender)) : TCPWHY_PARTY_PATH;
    r->from = e->sender;
    r->key_record = e->repair_record;
    /* A loss before the vantage may be a late write; a retransmission of data that had arrived may
     * be a late ACK. */
    r->odds =
        e->unseen || e->arrived || w->context->vantage.both_ends ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_loss_recovery = { TCPWHY_LOSS_RECOVERY, TW_NEEDS_EPISODE,
                                                           weigh };
