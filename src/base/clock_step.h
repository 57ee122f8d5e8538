/* SPDX-License-Identifier: MIT */
/*
 * The step in which a clock goes, from the times that it gave: old systems and converted captures
 * have times of a millisecond, of 1/64 or 1/100 of a second. What is shorter reads as nothing, or
 * as one step.
 */
#ifndef TW_BASE_CLOCK_STEP_H
#define TW_BASE_CLOCK_STEP_H

#include <stdbool.h>

#include <tcpwhy/types.h>

/* Times of fewer steps may have been nothing, or nearly. */
#define TW_CLOCK_TOLD_STEPS 2

/* Begins as zeros. */
struct tw_clock_step {
    tcpwhy_ns last_ns;
    tcpwhy_ns step_ns;  /* of what all differences so far may be multiples ... */
    tcpwhy_ns error_ns; /* ... and by how much it may be wrong */
    unsigned fits;      /* how many differences were, that need not have been */
    bool started, fine; /* fine: it goes in smaller steps than anybody asks for */
};

/* Once a clock is known to be fine it need not be looked at. */
void tw_clock_step_look(struct tw_clock_step *clock, tcpwhy_ns time_ns);

/* 0: a fine one, or too few times to tell. */
tcpwhy_ns tw_clock_step_ns(const struct tw_clock_step *clock);

#endif
