/* SPDX-License-Identifier: MIT */
#include "base/clock_step.h"

#include <glib.h>

#include "base/ns.h"

/* Smaller steps are at most a tenth of the shortest material gap (TW_MATERIAL_WAIT). */
#define FINE_NS TCPWHY_US(500)

/* Most capture formats truncate fractional ticks to microseconds. */
#define ROUNDING_NS TCPWHY_US(1)

/* NTP may slew a clock by up to 500 ppm (RFC 5905, MAXFREQ). */
#define SLEW_SHARE 2000

/* Share of a step; beyond it, errors are too large to decide. */
#define TOLD_SHARE 16

/* Unrelated times coincide with a step once in 8 times; this many do not by chance. */
#define ENOUGH_FITS 8
#define EXACT_FIT   3

/* The error of the step is that of a difference divided by its number of steps. */
static void refine(struct tw_clock_step *clock, tcpwhy_ns ns, tcpwhy_ns steps)
{
    tcpwhy_ns error_ns = ROUNDING_NS / steps + ns / steps / SLEW_SHARE + 1;

    if (error_ns > clock->error_ns && clock->step_ns > 0)
        return;
    clock->step_ns = ns / steps;
    clock->error_ns = error_ns;
}

/* If a difference is no multiple of the step, both may be multiples of the remainder (Euclid's
 * algorithm). */
static void take_difference(struct tw_clock_step *clock, tcpwhy_ns ns)
{
    tcpwhy_ns steps = (ns + clock->step_ns / 2) / clock->step_ns;
    tcpwhy_ns rest_ns = ABS(ns - steps * clock->step_ns);
    tcpwhy_ns error_ns = steps * clock->error_ns + ROUNDING_NS;

    if (rest_ns == 0) {
        clock->fits += EXACT_FIT;
    } else if (error_ns > clock->step_ns / TOLD_SHARE) {
        return;
    } else if (steps > 0 && rest_ns <= error_ns) {
        clock->fits++;
        refine(clock, ns, steps);
    } else {
        clock->step_ns = rest_ns;
        clock->error_ns = error_ns;
        clock->fits = 0;
    }
}

void tw_clock_step_look(struct tw_clock_step *clock, tcpwhy_ns time_ns)
{
    tcpwhy_ns ns = time_ns - clock->last_ns;
    bool first = !clock->started;

    clock->started = true;
    clock->last_ns = time_ns;
    if (first || ns <= 0 || ns > TW_NS_MOST)
        return;
    if (clock->step_ns == 0)
        refine(clock, ns, 1);
    else
        take_difference(clock, ns);
    clock->fine = clock->step_ns < FINE_NS;
}

tcpwhy_ns tw_clock_step_ns(const struct tw_clock_step *clock)
{
    return !clock->fine && clock->fits >= ENOUGH_FITS ? clock->step_ns : 0;
}
