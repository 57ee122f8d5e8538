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

static bool agree(const struct tw_sends *x, tcpwhy_ns tick)
{
    double c = 0, s = 0;
    unsigned n = 0;

    for (uint32_t i = 1; i < x->n; i++) {
        tcpwhy_ns held = x->send[i].sent_ns - x->send[i - 1].sent_ns;

        if (!x->send[i].partial || x->send[i].repeat || held < HELD_FROM || held > HELD_TO)
            continue;

        double phase =
            2 * 3.14159265358979323846 * (double)(x->send[i].sent_ns % tick) / (double)tick;

        c += cos(phase);
        s += sin(phase);
        n++;
    }
    return n >= MIN_HELD && sqrt(c * c + s * s) >= AGREEMENT * n;
}

bool tw_ticks_shown(const struct tw_sends *x)
{
    for (unsigned i = 0; i < sizeof tick_ns / sizeof tick_ns[0]; i++)
        if (agree(x, tick_ns[i]))
            return true;
    return false;
}
