/* SPDX-License-Identifier: MIT */
/*
 * Detects the resolution of a clock from its timestamps. Old systems and converted captures have
 * steps of 1 ms, 1/64 s or 1/100 s.
 */
#ifndef TW_BASE_CLOCK_STEP_H
#define TW_BASE_CLOCK_STEP_H

#include <stdbool.h>

#include <tcpwhy/types.h>

/* Intervals of fewer steps are not reliable. */
#define TW_CLOCK_TOLD_STEPS 2

/* Zero-initialised. */
struct tw_clock_step {
    tcpwhy_ns last_ns;
    tcpwhy_ns step_ns;  /* common divisor of all differences so far ... */
    tcpwhy_ns error_ns; /* ... and its possible error */
    unsigned fits;      /* differences that would fit by chance only */
    bool started, fine; /* finer than any caller needs */
};

/* A fine clock needs no further samples. */
void tw_clock_step_look(struct tw_clock_step *clock, tcpwhy_ns time_ns);

/* 0: a fine clock, or too few samples. */
tcpwhy_ns tw_clock_step_ns(const struct tw_clock_step *clock);

#endif
