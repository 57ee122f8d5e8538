/* SPDX-License-Identifier: MIT */
#include "explain/model/rto.h"

#include <glib.h>

/* Floors in use: from 20 ms (rto_min of a route, tcp_rto_min_us) or less to Windows' 300 ms; the
 * second of BSD and RFC 6298 (2.4) is above what Linux's default of 200 ms (TCP_RTO_MIN) adds. */
#define FLOOR_LOWEST_NS  TCPWHY_MS(1)
#define FLOOR_LIKELY_NS  TCPWHY_MS(200)
#define FLOOR_HIGHEST_NS TCPWHY_S(1)

/* Timer ticks: none, Linux's at HZ=250, at HZ=100. */
#define TICK_LIKELY_NS  TCPWHY_MS(4)
#define TICK_LONGEST_NS TCPWHY_MS(10)

/* A timer may find the host busy, or the socket locked by its program (TCP_RESOURCE_PROBE_INTERVAL
 * and tcp_write_timer() try again a tick later). */
#define LATE_NS (2 * TICK_LONGEST_NS)

/* RFC 6298, 2.1, and the maximum (2.5; TCP_RTO_MAX). */
#define INITIAL_NS TCPWHY_S(1)
#define CEILING_NS TCPWHY_S(120)

/* 2^7 seconds exceed the maximum. */
#define MOST_BACKOFF 16

struct tw_interval tw_rto_any_floor(void)
{
    return (struct tw_interval) { FLOOR_LOWEST_NS, FLOOR_HIGHEST_NS };
}

void tw_rto_begin(struct tw_rto *rto, struct tw_interval floor_ns)
{
    *rto = (struct tw_rto) { .floor_ns = floor_ns, .initial_ns = INITIAL_NS };
}

int64_t tw_rto_floor(const struct tw_rto *rto)
{
    return CLAMP(FLOOR_LIKELY_NS, rto->floor_ns.lo, rto->floor_ns.hi);
}

static int64_t back_off(const struct tw_rto *rto, int64_t ns)
{
    unsigned shift = MIN(rto->backoff, MOST_BACKOFF);

    return ns > CEILING_NS >> shift ? CEILING_NS : ns << shift;
}

static int64_t tick_up(int64_t ns)
{
    return (ns + TICK_LIKELY_NS - 1) / TICK_LIKELY_NS * TICK_LIKELY_NS;
}

int64_t tw_rto_likely(const struct tw_rto *rto, const struct tw_rtt *rtt)
{
    if (rtt->n == 0)
        return back_off(rto, rto->initial_ns);
    return back_off(rto, tick_up(rtt->srtt_ns8 / 8 + rtt->rttvar_ns));
}

struct tw_interval tw_rto_bounds(const struct tw_rto *rto, const struct tw_rtt *rtt)
{
    struct tw_interval srtt = tw_rtt_srtt(rtt), bounds;
    int64_t var_ns = rtt->rttvar_ns > rtt->floor_ns ? rtt->rttvar_ns : 0;

    if (srtt.hi == TW_UNBOUNDED)
        return tw_interval_unknown();
    bounds.lo = srtt.lo + MAX(var_ns - rtt->rttvar_error_ns, rto->floor_ns.lo);
    bounds.hi = srtt.hi + MAX(var_ns + rtt->rttvar_error_ns, rto->floor_ns.hi) + TICK_LONGEST_NS;
    return (struct tw_interval) { back_off(rto, bounds.lo), back_off(rto, bounds.hi) };
}

static void set_floor(const struct tw_rto *rto, struct tw_rtt *rtt)
{
    int64_t floor_ns = tw_rto_floor(rto);

    if (floor_ns == rtt->floor_ns)
        return;
    /* what the old floor raised or cut goes with it */
    rtt->rttvar_ns =
        MAX(floor_ns, rtt->rttvar_ns == rtt->floor_ns ? rtt->mdev_ns4 : rtt->rttvar_ns);
    rtt->mdev_max_ns = MAX(floor_ns, rtt->mdev_ns4);
    rtt->floor_ns = floor_ns;
}

void tw_rto_see(struct tw_rto *rto, struct tw_rtt *rtt, tcpwhy_ns after_ns)
{
    struct tw_interval srtt = tw_rtt_srtt(rtt);

    if (rto->backoff == 0 && srtt.hi != TW_UNBOUNDED) {
        int64_t most_ns = after_ns - srtt.lo, least_ns = after_ns - srtt.hi - LATE_NS;

        if (most_ns >= rto->floor_ns.lo)
            rto->floor_ns.hi = MIN(rto->floor_ns.hi, most_ns);
        /* the deviation may have set it as well */
        if (rtt->mdev_ns4 + rtt->mdev_error_ns < least_ns && least_ns <= rto->floor_ns.hi)
            rto->floor_ns.lo = MAX(rto->floor_ns.lo, least_ns);
        set_floor(rto, rtt);
    }
}

void tw_rto_fire(struct tw_rto *rto, struct tw_rtt *rtt, tcpwhy_ns after_ns)
{
    tw_rto_see(rto, rtt, after_ns);
    rto->backoff = MIN(rto->backoff + 1, MOST_BACKOFF);
}

void tw_rto_keep(struct tw_rto *rto, struct tw_rtt *rtt, tcpwhy_ns for_ns)
{
    struct tw_interval srtt = tw_rtt_srtt(rtt);
    int64_t least_ns;

    if (rto->backoff > 0 || srtt.hi == TW_UNBOUNDED)
        return;
    least_ns = for_ns - srtt.hi - LATE_NS;
    if (rtt->rttvar_ns > rtt->floor_ns || rtt->mdev_ns4 + rtt->mdev_error_ns >= least_ns ||
        least_ns <= rto->floor_ns.lo)
        return;
    rto->floor_ns.lo = MIN(least_ns, rto->floor_ns.hi);
    set_floor(rto, rtt);
}

void tw_rto_reset(struct tw_rto *rto)
{
    rto->backoff = 0;
}
