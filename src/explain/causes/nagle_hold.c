/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm held a partial segment for a round trip: the ACK came in its normal time.
 */
#include "explain/causes/nagle.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    return tw_held_by_nagle(w, c);
}

const struct tw_detector tw_detect_nagle_hold = { TCPWHY_NAGLE_HOLD, claim,
                                                  TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                      TW_NEEDS_PARTIAL | TW_NEEDS_DRAINED };
