/* SPDX-License-Identifier: MIT */
/*
 * None of the others: said, not guessed.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    (void)w;
    c->party = TCPWHY_PARTY_NONE;
    c->confidence = TCPWHY_AMBIGUOUS;
    return true;
}

const struct tw_detector tw_detect_unknown = { TCPWHY_UNKNOWN, claim, TW_NEEDS_NOTHING };
