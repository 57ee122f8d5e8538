/* SPDX-License-Identifier: MIT */
#include "explain/model/cwnd.h"

#include <glib.h>

/* A congestion control is dropped after this many contradictions, and this many times more than
 * another has. */
#define SURELY_CONTRADICTED 8
#define CLEARLY             4

/* More was sent than any loss-based sender may: with exact times, once may be chance. */
#define SENT_TOO_MUCH 2

void tw_cwnd_begin(struct tw_cwnd *c, struct tw_interval initial, tcpwhy_ns at_ns)
{
    *c = (struct tw_cwnd) { 0 };
    for (int i = 0; i < TW_N_CONGESTIONS; i++) {
        tw_cwnd_path_begin(&c->path[i][TW_BOUND_LOW], (enum tw_congestion)i, TW_BOUND_LOW,
                           initial.lo, at_ns);
        tw_cwnd_path_begin(&c->path[i][TW_BOUND_HIGH], (enum tw_congestion)i, TW_BOUND_HIGH,
                           initial.hi, at_ns);
    }
}

/* A smaller window that had time to grow may pass the larger one, which stays the bound. */
static void order(struct tw_cwnd *c)
{
    for (int i = 0; i < TW_N_CONGESTIONS; i++) {
        struct tw_cwnd_path *low = &c->path[i][TW_BOUND_LOW], *high = &c->path[i][TW_BOUND_HIGH];

        low->cwnd = MIN(low->cwnd, high->cwnd);
    }
}

/* Data after an idle time, before its first ACK: exactly what a restart allows is no chance, and
 * more excludes a restart. */
static void judge_restart(struct tw_cwnd *c)
{
    if (c->restarted_cwnd == 0)
        return;
    c->restarted += ABS(c->flight - c->restarted_cwnd) <= 1;
    c->kept += c->flight > c->halved_cwnd + TW_CWND_DEFERRED;
    c->restarted_cwnd = 0;
}

void tw_cwnd_hear(struct tw_cwnd *c, const struct tw_cwnd_event *e)
{
    if (e->news->data_acked)
        judge_restart(c);
    for (int i = 0; i < TW_N_CONGESTIONS; i++) {
        int64_t least = c->path[i][TW_BOUND_LOW].cwnd;

        for (int b = 0; b < 2; b++)
            tw_cwnd_path_hear(&c->path[i][b], e, least);
    }
    order(c);
}

void tw_cwnd_change(struct tw_cwnd *c, const struct tw_cwnd_event *e)
{
    for (int i = 0; i < TW_N_CONGESTIONS; i++)
        for (int b = 0; b < 2; b++)
            tw_cwnd_path_change(&c->path[i][b], e);
}

void tw_cwnd_send(struct tw_cwnd *c, const struct tw_cwnd_event *e, int64_t packets, bool fresh)
{
    int64_t flight = tw_pipe_in_flight(e->pipe).packets - e->unsure;

    for (int i = 0; i < TW_N_CONGESTIONS; i++) {
        struct tw_cwnd_path *low = &c->path[i][TW_BOUND_LOW], *high = &c->path[i][TW_BOUND_HIGH];

        for (int b = 0; b < 2; b++)
            if (e->state == TW_CA_CWR || e->state == TW_CA_RECOVERY)
                c->path[i][b].prr_out += packets;
        if (!fresh)
            continue;
        tw_cwnd_path_raise(low, flight);
        if (flight > high->cwnd + TW_CWND_DEFERRED)
            c->over[i]++;
        tw_cwnd_path_raise(high, flight);
    }
    c->flight = MAX(flight, 0);
    order(c);
}

void tw_cwnd_settle(struct tw_cwnd *c, const struct tw_cwnd_event *e, bool room, bool clocked)
{
    int64_t flight = tw_pipe_in_flight(e->pipe).packets;
    bool stopped = room && clocked && e->state == TW_CA_OPEN;

    for (int i = 0; i < TW_N_CONGESTIONS; i++) {
        if (stopped && flight + TW_CWND_DEFERRED < c->path[i][TW_BOUND_LOW].cwnd * 2 / 3)
            c->short_of[i]++;
        for (int b = 0; b < 2; b++)
            tw_cwnd_path_settle(&c->path[i][b], e, clocked);
    }
    order(c);
}

/* The flight to expect if the sender restarts; if that is little less, it shows nothing. */
static void expect_restart(struct tw_cwnd *c, const struct tw_cwnd_event *e, tcpwhy_ns idle_ns)
{
    int64_t before = c->path[TW_CONGESTION_CUBIC][TW_BOUND_LOW].cwnd;
    int64_t after = tw_cwnd_restarted(before, e->initial.hi, e->rto_ns, idle_ns);

    c->restarted_cwnd = before >= 2 * after ? after : 0;
    c->halved_cwnd = before / 2;
    c->flight = 0;
}

void tw_cwnd_restart(struct tw_cwnd *c, const struct tw_cwnd_event *e, tcpwhy_ns idle_ns)
{
    expect_restart(c, e, idle_ns);
    for (int i = 0; i < TW_N_CONGESTIONS; i++)
        for (int b = 0; b < 2; b++) {
            struct tw_cwnd_path *p = &c->path[i][b];

            tw_cubic_pause(&p->cubic, idle_ns);
            if (c->restart == TW_RESTARTS ||
                (c->restart == TW_RESTART_UNKNOWN && b == TW_BOUND_LOW))
                tw_cwnd_path_restart(p, e, idle_ns);
        }
}

enum tw_restart tw_cwnd_tell_restart(const struct tw_cwnd *c)
{
    if (c->kept > 0 && c->restarted > 0)
        return TW_RESTART_UNKNOWN;
    return c->kept > 0 ? TW_KEEPS : c->restarted > 0 ? TW_RESTARTS : TW_RESTART_UNKNOWN;
}

static uint32_t contradicted(const struct tw_cwnd *c, int i)
{
    return c->over[i] + c->short_of[i];
}

static bool fits(const struct tw_cwnd *c, int i)
{
    uint32_t least = MIN(contradicted(c, TW_CONGESTION_CUBIC), contradicted(c, TW_CONGESTION_RENO));

    if (c->known)
        return c->congestion == (enum tw_congestion)i;
    return contradicted(c, i) < SURELY_CONTRADICTED || contradicted(c, i) <= CLEARLY * least;
}

bool tw_cwnd_tell(const struct tw_cwnd *c, bool exact, enum tw_congestion *out)
{
    uint32_t over = MIN(c->over[TW_CONGESTION_CUBIC], c->over[TW_CONGESTION_RENO]);
    bool cubic = fits(c, TW_CONGESTION_CUBIC), reno = fits(c, TW_CONGESTION_RENO);

    if (over >= (exact ? SENT_TOO_MUCH : SURELY_CONTRADICTED))
        *out = TW_N_CONGESTIONS;
    else if (cubic != reno)
        *out = cubic ? TW_CONGESTION_CUBIC : TW_CONGESTION_RENO;
    else
        return false;
    return true;
}

struct tw_interval tw_cwnd_bounds(const struct tw_cwnd *c)
{
    struct tw_interval bounds = { INT64_MAX, 0 };

    if (c->known && c->congestion == TW_N_CONGESTIONS)
        return (struct tw_interval) { c->flight, TW_NO_SSTHRESH };
    for (int i = 0; i < TW_N_CONGESTIONS; i++)
        if (fits(c, i)) {
            bounds.lo = MIN(bounds.lo, c->path[i][TW_BOUND_LOW].cwnd);
            bounds.hi = MAX(bounds.hi, c->path[i][TW_BOUND_HIGH].cwnd);
        }
    return bounds;
}

struct tw_interval tw_cwnd_ssthresh(const struct tw_cwnd *c)
{
    struct tw_interval bounds = { INT64_MAX, 0 };

    if (c->known && c->congestion == TW_N_CONGESTIONS)
        return (struct tw_interval) { 0, TW_NO_SSTHRESH };
    for (int i = 0; i < TW_N_CONGESTIONS; i++)
        if (fits(c, i))
            for (int b = 0; b < 2; b++) {
                bounds.lo = MIN(bounds.lo, c->path[i][b].ssthresh);
                bounds.hi = MAX(bounds.hi, c->path[i][b].ssthresh);
            }
    return bounds;
}
