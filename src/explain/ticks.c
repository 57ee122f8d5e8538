/* SPDX-License-Identifier: MIT */
#include "explain/ticks.h"

#include <math.h>

/* Fewer held segments than this agree by chance. */
#define MIN_HELD 3

/* Mean resultant length of the phases, 1 when all agree: chance gives about 1 / sqrt(n). */
#define AGREEMENT 0.97

/* Only segments that waited about as long as the timer are asked. */
#define HELD_FROM TCPWHY_MS(195)
#define HELD_TO   TCPWHY_MS(1000)

static const tcpwhy_ns tick_ns[] = { TCPWHY_MS(4), TCPWHY_MS(10) };

#define N_TICKS (sizeof tick_ns / sizeof tick_ns[0])

bool tw_ticks_shown(const struct tw_sends *x)
{
    double c[N_TICKS] = { 0 }, s[N_TICKS] = { 0 };
    unsigned n = 0;

    for (uint32_t i = 1; i < x->n; i++) {
        tcpwhy_ns held = x->send[i].sent_ns - x->send[i - 1].sent_ns;

        if (!x->send[i].partial || x->send[i].repeat || held < HELD_FROM || held > HELD_TO)
            continue;
        n++;
        for (unsigned t = 0; t < N_TICKS; t++) {
            double phase = 2 * 3.14159265358979323846 * (double)(x->send[i].sent_ns % tick_ns[t]) /
                           (double)tick_ns[t];

            c[t] += cos(phase);
            s[t] += sin(phase);
        }
    }
    for (unsigned t = 0; n >= MIN_HELD && t < N_TICKS; t++)
        if (sqrt(c[t] * c[t] + s[t] * s[t]) >= AGREEMENT * n)
            return true;
    return false;
}
