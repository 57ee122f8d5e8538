/* SPDX-License-Identifier: MIT */
#include "explain/ticks.h"

#include <math.h>

/* Fewer held segments than this agree by chance. */
#define MIN_HELD 3

/* Mean resultant length of the phases, 1 when all agree: chance gives about 1 / sqrt(n). Of many
 * some may be late, on a busy host or a way that varies: chance has most agree once in 100 (exp(-n
 * r^2), Rayleigh's test). */
#define AGREEMENT 0.97
#define MOST      0.8
#define NO_CHANCE 4.6

/* Only segments that waited about as long as the timer are asked. */
#define HELD_FROM TCPWHY_MS(195)
#define HELD_TO   TCPWHY_MS(1000)

static const tcpwhy_ns tick_ns[] = { TCPWHY_MS(4), TCPWHY_MS(10) };

#define N_TICKS (sizeof tick_ns / sizeof tick_ns[0])

/* The phases of held segments against each tick, summed. */
struct phases {
    double c[N_TICKS], s[N_TICKS];
    unsigned n;
};

static void add(struct phases *p, tcpwhy_ns sent_ns)
{
    p->n++;
    for (unsigned t = 0; t < N_TICKS; t++) {
        double phase =
            2 * 3.14159265358979323846 * (double)(sent_ns % tick_ns[t]) / (double)tick_ns[t];

        p->c[t] += cos(phase);
        p->s[t] += sin(phase);
    }
}

/* When a send left, or came here: what is told by timestamps lies on their ticks, whatever let it
 * go. */
static tcpwhy_ns time_of(const struct tw_sends *x, const struct tw_send *s)
{
    return x->clock.tick_ns >= tick_ns[0] ? x->record[s->record].time_ns : s->sent_ns;
}

/* Of some sends, of which the first is not the sender's first. */
static void add_held(struct phases *p, const struct tw_sends *x, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && i < x->n; i++) {
        const struct tw_send *s = &x->send[i];
        tcpwhy_ns held = s->sent_ns - s[-1].sent_ns;

        if (held >= HELD_FROM && held <= HELD_TO &&
            (s->is & (TW_SEND_PARTIAL | TW_SEND_REPEAT)) == TW_SEND_PARTIAL)
            add(p, time_of(x, s));
    }
}

/* Of n phases the resultant's square. */
static bool agree(double square, unsigned n)
{
    return square >= AGREEMENT * AGREEMENT * n * n ||
           (square >= MOST * MOST * n * n && square >= NO_CHANCE * n);
}

bool tw_ticks_shown(const struct tw_sends *x, const struct tw_rounds *rounds)
{
    struct phases p = { 0 };

    for (uint32_t i = 0; i < rounds->n; i++)
        if (rounds->round[i].max_gap_ns >= HELD_FROM)
            add_held(&p, x, rounds->round[i].first + 1, rounds->round[i].last + 2);
    if (rounds->n == 0)
        add_held(&p, x, 1, x->n);
    for (unsigned t = 0; p.n >= MIN_HELD && t < N_TICKS; t++)
        if (agree(p.c[t] * p.c[t] + p.s[t] * p.s[t], p.n))
            return true;
    return false;
}
