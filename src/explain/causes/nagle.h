/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_CAUSES_NAGLE_H
#define TW_EXPLAIN_CAUSES_NAGLE_H

#include "explain/causes/detector.h"

/* With data in flight an ACK lets a partial segment go only behind full ones: asked first, as it is
 * of many. */
static inline bool tw_nagle_fits(const struct tw_gap *w)
{
    return w->flight_empty || (w->ack_clocked && !(w->before->is & TW_SEND_PARTIAL));
}

/*
 * Did the segment that ended the wait leave when, and only when, its partial forerunner was
 * acknowledged? Then party, key frame and confidence of the claim are set.
 */
bool tw_held_by_nagle(const struct tw_gap *gap, struct tw_claim *claim);

/* Did it leave so soon after that ACK that the path's jitter, or a coarse clock, may be all that
 * lies between? */
bool tw_may_be_nagle(const struct tw_gap *gap);

#endif
