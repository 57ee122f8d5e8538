/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <glib.h>

#include "explain/causes/hypothesis.h"

/* Pauses of programs are equally likely in each octave from a microsecond to a minute. Unit: nats.
 * Source: ln(60 s / 1 us) = 17.9. */
#define PAUSE_NATS 18.0

/* log10 of the ratio of two densities. Of a reaction: 2 s^2 / (t + s)^3, with a median below s / 2
 * and one in a hundred above 9 s. Of a pause: 1 / (t * nats). */
double tw_odds_of_moment(tcpwhy_ns after_ns, tcpwhy_ns gap_ns, tcpwhy_ns reaction_ns)
{
    double s = (double)reaction_ns, t = (double)MAX(after_ns, 0), gap = (double)MAX(gap_ns, 1);

    return log10(PAUSE_NATS * gap * 2 * s * s / ((t + s) * (t + s) * (t + s)));
}
