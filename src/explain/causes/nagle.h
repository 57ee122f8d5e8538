/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_CAUSES_NAGLE_H
#define TW_EXPLAIN_CAUSES_NAGLE_H

#include "explain/causes/hypothesis.h"

/*
 * Did the segment leave when, and only when, the partial one before it was acknowledged? Then
 * party, key frame and odds are set. @return NULL, or what refutes it.
 */
const char *tw_nagle_weigh(const struct tw_gap *gap, struct tw_release *release);

/* The newest partial segment unacknowledged when the previous one was sent, or NULL. */
const struct tw_send *tw_nagle_partial_before(const struct tw_gap *gap);

/* No ACK seems to have ended the pause: may one have that is missing from the capture, or came
 * later than the one-way delays explain? */
bool tw_nagle_is_possible(const struct tw_gap *gap);

#endif
