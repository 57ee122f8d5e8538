/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_CAUSES_NAGLE_H
#define TW_EXPLAIN_CAUSES_NAGLE_H

#include "explain/causes/hypothesis.h"

/*
 * Did the segment that ended the wait leave when, and only when, its partial forerunner was
 * acknowledged? Then party, key frame and odds are set. @return NULL, or what refutes it.
 */
const char *tw_nagle_weigh(const struct tw_gap *gap, struct tw_release *release);

/* Behind a pause that no ACK seems to have ended: may one have, that the capture lacks or that came
 * later than the ways tell? */
bool tw_nagle_is_possible(const struct tw_gap *gap);

#endif
