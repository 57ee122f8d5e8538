/* SPDX-License-Identifier: MIT */
/*
 * The capture lacks frames here: something was acknowledged that it does not hold. No verdict.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    (void)w;
    c->party = TCPWHY_PARTY_NONE;
    return true;
}

const struct tw_detector tw_detect_capture_gap = { TCPWHY_CAPTURE_GAP, claim, TW_NEEDS_GAP };
