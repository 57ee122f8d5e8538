/* SPDX-License-Identifier: MIT */
#include "explain/model/rtt.h"

#include <glib.h>

/* With gains of 1/8 and 1/4 (RFC 6298, 2.3), earlier samples weigh less than 2 % after this many:
 * (7/8)^32. */
#define FORGOTTEN 32

void tw_rtt_begin(struct tw_rtt *rtt, int64_t floor_ns, bool begins)
{
    *rtt = (struct tw_rtt) { .floor_ns = floor_ns,
                             .min_ns = tw_interval_unknown(),
                             .forgets = begins ? 0 : FORGOTTEN };
}

static void begin_round(struct tw_rtt *rtt, int64_t next)
{
    rtt->round_end = next;
    rtt->mdev_max_ns = rtt->floor_ns;
}

/* RFC 6298, 2.2. */
static void take_first(struct tw_rtt *rtt, int64_t ns, int64_t error_ns, int64_t next)
{
    rtt->srtt_ns8 = MAX(ns, 1) * 8;
    rtt->mdev_ns4 = ns * 2;
    rtt->rttvar_ns = MAX(rtt->mdev_ns4, rtt->floor_ns);
    rtt->round_end = next;
    rtt->mdev_max_ns = rtt->rttvar_ns;
    rtt->srtt_error_ns = error_ns;
    rtt->mdev_error_ns = rtt->rttvar_error_ns = error_ns * 2;
}

/* RFC 6298, 2.3; a sample below SRTT adds only an eighth of its deviation. */
static void smooth(struct tw_rtt *rtt, int64_t ns)
{
    int64_t error = ns - rtt->srtt_ns8 / 8, beyond;

    rtt->srtt_ns8 = MAX(rtt->srtt_ns8 + error, 1);
    beyond = ABS(error) - rtt->mdev_ns4 / 4;
    if (error < 0 && beyond > 0)
        beyond /= 8;
    rtt->mdev_ns4 += beyond;
}

static void spread_error(struct tw_rtt *rtt, int64_t error_ns)
{
    rtt->mdev_error_ns =
        rtt->mdev_error_ns - rtt->mdev_error_ns / 4 + (error_ns + rtt->srtt_error_ns);
    rtt->srtt_error_ns += (error_ns - rtt->srtt_error_ns) / 8;
    rtt->rttvar_error_ns = MAX(rtt->rttvar_error_ns, rtt->mdev_error_ns);
}

static void hold(struct tw_rtt *rtt, const struct tw_rtt_sample *sample)
{
    if (rtt->mdev_ns4 > rtt->mdev_max_ns) {
        rtt->mdev_max_ns = rtt->mdev_ns4;
        rtt->rttvar_ns = MAX(rtt->rttvar_ns, rtt->mdev_max_ns);
    }
    if (sample->acked <= rtt->round_end)
        return;
    if (rtt->mdev_max_ns < rtt->rttvar_ns)
        rtt->rttvar_ns -= (rtt->rttvar_ns - rtt->mdev_max_ns) / 4;
    rtt->rttvar_error_ns -= (rtt->rttvar_error_ns - rtt->mdev_error_ns) / 4;
    begin_round(rtt, sample->next);
}

void tw_rtt_take(struct tw_rtt *rtt, const struct tw_rtt_sample *sample)
{
    int64_t ns = sample->ns.lo + (sample->ns.hi - sample->ns.lo) / 2;
    int64_t error_ns = sample->ns.hi - ns;

    if (rtt->n++ == 0) {
        take_first(rtt, ns, error_ns, sample->next);
    } else {
        smooth(rtt, ns);
        spread_error(rtt, error_ns);
        hold(rtt, sample);
    }
    rtt->min_ns.lo = rtt->n == 1 ? sample->ns.lo : MIN(rtt->min_ns.lo, sample->ns.lo);
    rtt->min_ns.hi = MIN(rtt->min_ns.hi, sample->ns.hi);
    if (rtt->forgets > 0)
        rtt->forgets--;
}

static bool is_unknown(const struct tw_rtt *rtt)
{
    return rtt->n == 0 || rtt->forgets > 0;
}

struct tw_interval tw_rtt_srtt(const struct tw_rtt *rtt)
{
    return is_unknown(rtt) ? tw_interval_unknown()
                           : tw_interval_around(rtt->srtt_ns8 / 8, rtt->srtt_error_ns);
}

struct tw_interval tw_rtt_rttvar(const struct tw_rtt *rtt)
{
    struct tw_interval var;

    if (is_unknown(rtt))
        return tw_interval_unknown();
    var = tw_interval_around(rtt->rttvar_ns, rtt->rttvar_error_ns);
    var.lo = MAX(var.lo, rtt->floor_ns);
    return var;
}
