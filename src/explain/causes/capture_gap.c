/* SPDX-License-Identifier: MIT */
/*
 * Frames are missing from the capture here: data was acknowledged that it does not hold. No
 * verdict.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    (void)w;
    r->party = TCPWHY_PARTY_NONE;
    r->odds = TW_ODDS_PROVEN;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_capture_gap = { TCPWHY_CAPTURE_GAP, TW_NEEDS_GAP, weigh };
