/* SPDX-License-Identifier: MIT */
/*
 * A side that answers nothing any more: from one segment on all that the other sends is repeated in
 * vain.
 */
#ifndef TW_FAILURES_SILENCE_H
#define TW_FAILURES_SILENCE_H

#include "failures/cut.h"

/* Bursts of loss are shorter, and so is a capture that happens to end there: three repeats have
 * doubled the timer three times (RFC 6298, 5.5). */
#define TW_SILENCE_NS TCPWHY_S(3)

struct tw_silence {
    uint32_t first,
        last; /* records of the sender: the first in vain, and the last of its repeats */
    uint32_t repeats;
    bool probes;  /* they are keep-alive probes, and there was no data to send */
    uint32_t rst; /* of the silent side, after the last retransmission; or TW_NO_RECORD */
};

/* @return whether the log ends so for what that side sent. */
bool tw_silence_repeats(const struct tw_cut *cut, enum tcpwhy_side sender, struct tw_silence *out);

/* The same, and it is not for their size that segments were lost. */
bool tw_silence_find(const struct tw_cut *cut, enum tcpwhy_side sender, struct tw_silence *out);

/* Add the clue of the repeats. */
void tw_silence_tell_repeats(const struct tw_cut *cut, const struct tw_silence *silence,
                             struct tw_failure *out);

/* Add its frames, its time and its clues. */
void tw_silence_tell(const struct tw_cut *cut, const struct tw_silence *silence,
                     struct tw_failure *out);

#endif
