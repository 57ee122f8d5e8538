/* SPDX-License-Identifier: MIT */
#include "explain/timeline/clock_jump.h"

#include <glib.h>

#include "base/seq.h"
#include "explain/thresholds.h"

static bool tells(const struct tw_record *r, enum tcpwhy_side side)
{
    return r->from == side && tw_record_is_stamped(r);
}

/* The side's last record at or before the start of the gap, or NULL. */
static const struct tw_record *last_before(const struct tw_gap *w, enum tcpwhy_side side)
{
    const struct tw_record *record = w->context->log->record, *r = record + w->first_record;

    for (uint32_t i = 0; i < TW_NEAR_RECORDS && r >= record; i++, r--)
        if (tells(r, side))
            return r;
    return NULL;
}

/* The side's first record at or after the end of the gap, or NULL. */
static const struct tw_record *first_behind(const struct tw_gap *w, enum tcpwhy_side side)
{
    const struct tw_log *log = w->context->log;
    uint32_t end = MIN(log->n, w->last_record + TW_NEAR_RECORDS);

    for (uint32_t i = w->last_record; i < end; i++)
        if (tells(&log->record[i], side))
            return &log->record[i];
    return NULL;
}

static double ticks_between(const struct tw_record *a, const struct tw_record *b)
{
    return tw_seq_diff(b->tsval, a->tsval);
}

/* Compare the gap with the time that a side's TSval clock shows for it, at the clock's rate over
 * the rest of the connection. */
static enum tw_clock_jump told_by(const struct tw_gap *w, enum tcpwhy_side side)
{
    const struct tw_record *first = w->context->prescan.first_stamped[side];
    const struct tw_record *last = w->context->prescan.last_stamped[side];
    const struct tw_record *before = last_before(w, side), *behind = first_behind(w, side);
    double timer_ticks, rest_ticks, ns, rest_ns, least;

    if (!before || !behind)
        return TW_CLOCK_JUMP_NONE;
    timer_ticks = ticks_between(before, behind);
    rest_ticks = ticks_between(first, before) + ticks_between(behind, last);
    ns = (double)(behind->time_ns - before->time_ns);
    rest_ns =
        (double)(before->time_ns - first->time_ns) + (double)(last->time_ns - behind->time_ns);
    /* one tick at each end of the gap is uncertain */
    least = ns * MAX(1 / TW_SLOWEST_TICK_NS, (rest_ticks - 2) / MAX(rest_ns, 1));
    if (timer_ticks < 0 || TW_FACTOR * (timer_ticks + 1) >= least)
        return TW_CLOCK_JUMP_NONE;
    /* these timestamps lack more than a busy host could explain */
    return rest_ticks >= TW_CLOCK_MIN_TICKS && tw_tsval_clock_tick(rest_ns / rest_ticks) &&
                   TW_FACTOR * TW_QUARTER * (timer_ticks + 1) < least
               ? TW_CLOCK_JUMP_TOLD
               : TW_CLOCK_JUMP_MAYBE;
}

enum tw_clock_jump tw_clock_jump_of(const struct tw_gap *w)
{
    enum tw_clock_jump client, server;

    if (w->to_ns - w->from_ns < TW_QUIET_NS)
        return TW_CLOCK_JUMP_NONE;
    client = told_by(w, TCPWHY_CLIENT);
    server = client == TW_CLOCK_JUMP_NONE ? TW_CLOCK_JUMP_NONE : told_by(w, TCPWHY_SERVER);
    return MIN(client, server);
}
