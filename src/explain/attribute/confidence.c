/* SPDX-License-Identifier: MIT */
/*
 * Lowers the confidence of every cause alike for what a capture may hide: missing frames, one
 * direction only, and times shorter than its clock's step.
 */
#include "explain/attribute/confidence.h"

#include <glib.h>

#include "base/clock_step.h"
#include "explain/timeline/capture_drops.h"
#include "explain/timeline/clock_jump.h"
#include "explain/thresholds.h"

/* Within a message most evidence is ACKs, present or absent. */
static bool lacks_acks(const struct tw_gap *w)
{
    enum tw_pure_acks acks = w->context->prescan.pure_acks;

    return acks == TW_ACKS_LACKING ||
           (acks == TW_ACKS_ABSENT && (w->phase == TW_PHASE_MESSAGE || w->episode));
}

/* The gap begins at a SYN whose answer did not pass. */
static bool lacks_answer(const struct tw_gap *w)
{
    return w->context->log->record[w->first_record].flags & TW_SYN &&
           w->context->log->record[w->first_record].from == TCPWHY_CLIENT;
}

/* May the capture hide something: frames that are missing among those that decide, the other
 * direction, the turn, or that its clock was set? */
static bool may_hide_something(const struct tw_gap *w)
{
    bool missing = w->episode ? w->episode->missing
                              : (w->phase == TW_PHASE_MESSAGE && w->round && w->round->missing) ||
                                    tw_capture_drops_may_end_at(w->context, w->last_record);

    return missing || w->context->prescan.half || lacks_acks(w) || lacks_answer(w) ||
           tw_clock_jump_of(w) == TW_CLOCK_JUMP_MAYBE;
}

/* The time that the claim rests on: its own, that of its repair, or round trips. */
static tcpwhy_ns told_by(const struct tw_gap *w, const struct tw_claim *c)
{
    tcpwhy_ns ns = c->to_ns - c->from_ns;

    if (w->episode)
        return w->episode->to_ns - w->episode->from_ns;
    return w->phase == TW_PHASE_MESSAGE ? MAX(ns, w->context->vantage.rtt_min_ns) : ns;
}

/* A time of one clock step may be zero, and the network's. */
static void doubt_clock(const struct tw_gap *w, struct tw_claim *c)
{
    tcpwhy_ns ns = told_by(w, c), step = w->context->log->clock_step_ns;

    if (ns >= TW_QUARTER * step || c->confidence == TCPWHY_AMBIGUOUS)
        return;
    if (c->confidence == TCPWHY_CERTAIN)
        c->rival = TCPWHY_WIRE;
    c->confidence = ns < TW_CLOCK_TOLD_STEPS * step ? TCPWHY_AMBIGUOUS : TCPWHY_LIKELY;
}

/* Frames that the capture filter dropped may decide: one step less sure. */
static void doubt_filter(struct tw_claim *c)
{
    if (c->confidence == TCPWHY_CERTAIN)
        tw_claim_add_rival(c, TCPWHY_CAPTURE_GAP);
    else
        c->confidence = TCPWHY_AMBIGUOUS;
}

/* In a capture at two points, frames may be from the other point, and at another time than the
 * claim rests on. */
static bool is_seen_elsewhere(const struct tw_gap *w, const struct tw_claim *c)
{
    const struct tw_log *log = w->context->log;

    return log->points_unsure ||
           (log->points_ns > 0 && told_by(w, c) < TW_QUARTER * log->points_ns);
}

/* A box beside the vantage acknowledges for that host: the path behind it is of unknown length, and
 * losses there do not show. */
static bool is_beyond_box(const struct tw_gap *w, const struct tw_claim *c)
{
    const bool *ended = w->context->vantage.ended_nearby;

    return (ended[TCPWHY_SERVER] && c->party == TCPWHY_PARTY_SERVER) ||
           (ended[TCPWHY_CLIENT] && c->party == TCPWHY_PARTY_CLIENT);
}

/* No host experienced this time: the clock was set. */
static void lay_on_clock(struct tw_claim *c)
{
    tw_claim_add_rival(c, c->cause);
    c->cause = TCPWHY_CAPTURE_GAP;
    c->party = TCPWHY_PARTY_NONE;
}

void tw_confidence_lower(const struct tw_gap *w, struct tw_claim *c)
{
    if (c->cause == TCPWHY_CAPTURE_GAP || c->cause == TCPWHY_WIRE)
        return;
    if (tw_clock_jump_of(w) == TW_CLOCK_JUMP_TOLD) {
        lay_on_clock(c);
        return;
    }
    if (G_UNLIKELY(w->context->log->clock_step_ns))
        doubt_clock(w, c);
    if (G_UNLIKELY(w->context->log->n_filtered))
        doubt_filter(c);
    if (c->confidence == TCPWHY_CERTAIN && (is_seen_elsewhere(w, c) || may_hide_something(w)))
        tw_claim_add_rival(c, TCPWHY_CAPTURE_GAP);
    if (c->confidence == TCPWHY_CERTAIN && is_beyond_box(w, c))
        tw_claim_add_rival(c,
                           w->phase == TW_PHASE_MESSAGE ? TCPWHY_BANDWIDTH_LIMITED : TCPWHY_WIRE);
}
