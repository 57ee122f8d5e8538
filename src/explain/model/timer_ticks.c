/* SPDX-License-Identifier: MIT */
#include "explain/model/timer_ticks.h"

#include <glib.h>
#include <math.h>
#include "explain/thresholds.h"

/* 4 ms at HZ=250, 10 ms at HZ=100. At HZ=1000, timers above 63 ms fire on every eighth tick
 * (LVL_GRAN(), kernel/time/timer.c). */
static const tcpwhy_ns tick_ns[] = { TCPWHY_MS(4), TCPWHY_MS(8), TCPWHY_MS(10) };

#define N_TICKS (sizeof tick_ns / sizeof tick_ns[0])

/* Held segments whose send time is kept: enough to see a beat. */
#define REMEMBERED 32

static const double full_turn = 2 * 3.14159265358979323846;

/* Sums of the phases of held segments relative to each tick. */
struct phases {
    double c[N_TICKS], s[N_TICKS];
    tcpwhy_ns left_ns[REMEMBERED];
    tcpwhy_ns held_ns[REMEMBERED];
    tcpwhy_ns longest_ns; /* longer waits are not counted */
    unsigned n, sooner;   /* held segments, and partial segments that were not held */
};

static void add(struct phases *p, tcpwhy_ns sent_ns, tcpwhy_ns held_ns)
{
    if (p->n < REMEMBERED) {
        p->left_ns[p->n] = sent_ns;
        p->held_ns[p->n] = held_ns;
    }
    p->n++;
    for (unsigned t = 0; t < N_TICKS; t++) {
        double phase = full_turn * (double)(sent_ns % tick_ns[t]) / (double)tick_ns[t];

        p->c[t] += cos(phase);
        p->s[t] += sin(phase);
    }
}

/* The time at which a send left, or passed here; times from TSval lie on its ticks, whatever
 * released the segment. */
static tcpwhy_ns time_of(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    return x->heard && x->clock.tick_ns < tick_ns[0] ? s->sent_ns : x->record[s->record].time_ns;
}

/* A close releases data without a timer (tcp_send_fin()), and the log's first record has no known
 * trigger. */
static bool may_be_held(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    return (s->is & (TW_SEND_PARTIAL | TW_SEND_REPEAT)) == TW_SEND_PARTIAL && s->record > 0 &&
           !(x->record[s->record].flags & TW_FIN);
}

static void add_held(struct phases *p, const struct tw_sender_timeline *x, uint32_t first,
                     uint32_t end)
{
    for (uint32_t i = first; i < end && i < x->n; i++) {
        const struct tw_send *s = &x->send[i];
        tcpwhy_ns left_ns, held_ns;

        if (!may_be_held(x, s))
            continue;
        left_ns = time_of(x, s);
        held_ns = left_ns - (i > 0 ? time_of(x, s - 1) : x->record[0].time_ns);
        if (held_ns < TW_RTO_SEEN_NS)
            p->sooner++;
        else if (held_ns <= p->longest_ns)
            add(p, left_ns, held_ns);
    }
}

/* Do n phases with this squared resultant agree? */
static bool agree(double square, unsigned n)
{
    return square >= TW_AGREEMENT * TW_AGREEMENT * n * n ||
           (square >= TW_MOST_AGREE * TW_MOST_AGREE * n * n && square >= TW_NO_CHANCE * n);
}

/* Distance of a send from the nearest tick; negative before it. phase is the ticks' offset from
 * time 0. */
static double beside_tick_ns(tcpwhy_ns left_ns, unsigned t, double phase)
{
    double tick = (double)tick_ns[t], off = (double)(left_ns % tick_ns[t]) - phase;

    return off - tick * round(off / tick);
}

/* Do they drift across the ticks, each from the phase of the previous one? A program with a period
 * that is nearly a whole number of ticks does. */
static bool drift(const struct phases *p, unsigned t)
{
    const unsigned n = MIN(p->n, REMEMBERED);
    const double phase = atan2(p->s[t], p->c[t]) / full_turn * (double)tick_ns[t];
    double steps = 0, sum = 0, squares = 0, before = 0, least = INFINITY, most = -INFINITY;

    if (n < TW_HABIT)
        return false;
    for (unsigned i = 0; i < n; i++) {
        double off = beside_tick_ns(p->left_ns[i], t, phase);

        steps += i > 0 ? (off - before) * (off - before) : 0;
        sum += off;
        squares += off * off;
        least = MIN(least, off);
        most = MAX(most, off);
        before = off;
    }

    const tcpwhy_ns by_clocks_ns = (p->left_ns[n - 1] - p->left_ns[0]) / TW_CRYSTAL_DRIFT_SHARE;

    return most - least > (double)(TW_KERNEL_NS + by_clocks_ns) && steps < squares - sum * sum / n;
}

/* Were most held for about the same time? */
static bool are_alike(const struct phases *p)
{
    const unsigned n = MIN(p->n, REMEMBERED);
    tcpwhy_ns least_ns = INT64_MAX;
    unsigned alike = 0;

    for (unsigned i = 0; i < n; i++)
        least_ns = MIN(least_ns, p->held_ns[i]);
    for (unsigned i = 0; i < n; i++)
        alike += p->held_ns[i] <= 2 * least_ns;
    return TW_QUARTER * (n - alike) <= n;
}

static bool is_multiple(tcpwhy_ns ns, tcpwhy_ns of_ns)
{
    return (ns + TW_HOST_NS) % of_ns <= 2 * TW_HOST_NS;
}

/* Did all leave at a program's period, or some at twice that? That lies on ticks, too. */
static bool keep_beat(const struct phases *p)
{
    const unsigned n = MIN(p->n, REMEMBERED);
    tcpwhy_ns beat_ns = INT64_MAX;

    for (unsigned i = 1; i < n; i++)
        beat_ns = MIN(beat_ns, p->left_ns[i] - p->left_ns[i - 1]);
    for (unsigned i = 1; i < n; i++)
        if (!is_multiple(p->left_ns[i] - p->left_ns[i - 1], beat_ns))
            return false;
    return is_multiple(beat_ns, TW_BEAT_NS);
}

/* Are they a persistent cork's? With fewer, drift does not show. */
static bool is_sure(const struct phases *p)
{
    return p->n >= TW_HABIT && p->n >= TW_QUARTER * p->sooner && are_alike(p) && !keep_beat(p);
}

static enum tw_timer_ticks tell(const struct phases *p, unsigned t)
{
    double square = p->c[t] * p->c[t] + p->s[t] * p->s[t];

    /* on a path this long, programs may have had a part in it */
    if (p->n < (p->longest_ns > TW_INITIAL_RTO_NS ? TW_FEWEST : TW_OFTEN) || !agree(square, p->n) ||
        drift(p, t))
        return TW_TIMER_TICKS_NONE;
    return is_sure(p) ? TW_TIMER_TICKS_SURE : TW_TIMER_TICKS_SHOWN;
}

enum tw_timer_ticks tw_timer_ticks_find(const struct tw_sender_timeline *x,
                                        const struct tw_rounds *rounds, tcpwhy_ns rtt_ns,
                                        tcpwhy_ns step_ns)
{
    struct phases p = { .longest_ns =
                            rtt_ns == TCPWHY_NS_UNKNOWN
                                ? TW_INITIAL_RTO_NS
                                : MAX(TW_INITIAL_RTO_NS, TW_FIRST_TIMEOUT_TRIPS * rtt_ns) };
    enum tw_timer_ticks told = TW_TIMER_TICKS_NONE;

    for (uint32_t i = 0; i < rounds->n; i++)
        if (rounds->round[i].max_gap_ns >= TW_RTO_SEEN_NS)
            add_held(&p, x, rounds->round[i].first + 1, rounds->round[i].last + 2);
    if (rounds->n == 0)
        add_held(&p, x, 0, x->n);
    for (unsigned t = 0; t < N_TICKS; t++)
        if (2 * step_ns <= tick_ns[t])
            told = MAX(told, tell(&p, t));
    return told;
}
