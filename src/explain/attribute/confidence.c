/* SPDX-License-Identifier: MIT */
/*
 * What a capture may hide takes certainty from every cause alike: frames that it lacks, one side of
 * a connection, whose turn it was, words that were lost before they came here, and times shorter
 * than its clock tells.
 */
#include "explain/attribute/confidence.h"

#include <glib.h>

#include "base/clock_step.h"
#include "explain/causes/cork.h"
#include "explain/causes/pause.h"
#include "explain/timeline/capture_drops.h"
#include "explain/timeline/clock_jump.h"
#include "explain/thresholds.h"

/* Within a message most is told by the ACKs that are there, or by their absence. */
static bool lacks_acks(const struct tw_gap *w)
{
    enum tw_pure_acks acks = w->context->prescan.pure_acks;

    return acks == TW_ACKS_LACKING ||
           (acks == TW_ACKS_ABSENT && (w->phase == TW_PHASE_MESSAGE || w->episode));
}

/* It begins at a SYN, the answer to which did not pass. */
static bool lacks_answer(const struct tw_gap *w)
{
    return w->context->log->record[w->first_record].flags & TW_SYN &&
           w->context->log->record[w->first_record].from == TCPWHY_CLIENT;
}

/* What the capture may hide: frames that are missing among those that tell, the other side's,
 * those that would tell whose turn it was, or that its clock was set. TCPWHY_CAUSE_NONE: nothing.
 */
static enum tcpwhy_cause hidden(const struct tw_gap *w)
{
    bool missing = w->episode ? w->episode->missing
                              : (w->phase == TW_PHASE_MESSAGE && w->round && w->round->missing) ||
                                    tw_capture_drops_may_end_at(w->context, w->last_record);

    if (missing || w->context->prescan.half || lacks_acks(w) || lacks_answer(w) ||
        tw_clock_jump_of(w) == TW_CLOCK_JUMP_MAYBE)
        return TCPWHY_CAPTURE_GAP;
    return w->cut && !w->episode && w->phase != TW_PHASE_MESSAGE ? TCPWHY_APP_LIMITED
                                                                 : TCPWHY_CAUSE_NONE;
}

/* Is the claim that this side was silent? */
static bool is_silence(const struct tw_claim *c, enum tcpwhy_side *of)
{
    switch (c->cause) {
    case TCPWHY_CLIENT_IDLE:
    case TCPWHY_CLIENT_THINK:
        *of = TCPWHY_CLIENT;
        return true;
    case TCPWHY_SERVER_THINK:
        *of = TCPWHY_SERVER;
        return true;
    case TCPWHY_APP_LIMITED:
        *of = c->from;
        return true;
    default:
        return false;
    }
}

/* What that side says first behind its silence tells that it had said more, which never came. Where
 * it ended the silence itself, that went out just before. */
static bool shows_hole(const struct tw_gap *w, enum tcpwhy_side side)
{
    const struct tw_log *log = w->context->log;
    uint32_t end = MIN(log->n, w->last_record + TW_NEAR_RECORDS);

    if (w->send && w->sender == side)
        return false;
    for (uint32_t i = w->last_record; i < end; i++)
        if (log->record[i].from == side)
            return log->record[i].facts & TW_FACT_HOLE_BEFORE;
    return false;
}

/* The side may have spoken, and all of it was lost: nothing of it came in half of its silence, and
 * ever again, or what came shows it. */
static bool may_be_lost(const struct tw_gap *w, const struct tw_claim *c, enum tcpwhy_side side)
{
    const struct tw_prescan *prescan = &w->context->prescan;
    const struct tw_record *last = prescan->last_of[side];

    if (w->context->vantage.to_side_ns[side] == 0 || !last)
        return false;
    return 2 * (c->to_ns - last->time_ns) >= c->to_ns - c->from_ns || shows_hole(w, side);
}

/*
 * Was what came before a pause a whole message? Where only turns tell, who goes on before it is
 * answered may have asked before, and what others say unasked may come close on each other; unless
 * more stood behind what came before, or that was an initial window at once (RFC 6928): so much is
 * a part of something long.
 */
static bool may_be_whole(const struct tw_gap *w, const struct tw_claim *c)
{
    const int64_t much = TW_INITIAL_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;

    return c->cause == TCPWHY_APP_LIMITED && w->in_turns && !tw_pause_left_more(w) &&
           w->round->flight_bytes < much;
}

/* Who would have been waited for otherwise, where a side goes on by itself: for the other, if that
 * owed it an answer, and for nobody if not. */
static enum tcpwhy_cause rival_of_turn(const struct tw_gap *w)
{
    if (!w->asks)
        return TCPWHY_CLIENT_IDLE;
    return tw_think_of(tw_other(w->sender));
}

/* What the claim is told by: itself, the repair that it is a part of, or round trips. */
static tcpwhy_ns told_by(const struct tw_gap *w, const struct tw_claim *c)
{
    tcpwhy_ns ns = c->to_ns - c->from_ns;

    if (w->episode)
        return w->episode->to_ns - w->episode->from_ns;
    return w->phase == TW_PHASE_MESSAGE ? MAX(ns, w->context->vantage.rtt_min_ns) : ns;
}

/* A time of one step may have been nothing, and the network's. */
static void doubt_clock(const struct tw_gap *w, struct tw_claim *c)
{
    tcpwhy_ns ns = told_by(w, c), step = w->context->log->clock_step_ns;

    if (ns >= TW_QUARTER * step || c->confidence == TCPWHY_AMBIGUOUS)
        return;
    if (c->confidence == TCPWHY_CERTAIN)
        c->rival = TCPWHY_WIRE;
    c->confidence = ns < TW_CLOCK_TOLD_STEPS * step ? TCPWHY_AMBIGUOUS : TCPWHY_LIKELY;
}

/* Of a capture at two points: what was seen at the other one may be among it, and at another time
 * than the claim is told by. */
static bool is_seen_elsewhere(const struct tw_gap *w, const struct tw_claim *c)
{
    const struct tw_log *log = w->context->log;

    return log->points_unsure ||
           (log->points_ns > 0 && told_by(w, c) < TW_QUARTER * log->points_ns);
}

/* Nobody lived through it. */
static void lay_on_clock(struct tw_claim *c)
{
    tw_claim_add_rival(c, c->cause);
    c->cause = TCPWHY_CAPTURE_GAP;
    c->party = TCPWHY_PARTY_NONE;
}

void tw_confidence_lower(const struct tw_gap *w, struct tw_claim *c)
{
    enum tcpwhy_cause rival;
    enum tcpwhy_side silent;

    if (c->cause == TCPWHY_CAPTURE_GAP || c->cause == TCPWHY_WIRE)
        return;
    if (tw_clock_jump_of(w) == TW_CLOCK_JUMP_TOLD) {
        lay_on_clock(c);
        return;
    }
    if (G_UNLIKELY(w->context->log->clock_step_ns))
        doubt_clock(w, c);
    if (c->confidence != TCPWHY_CERTAIN)
        return;
    rival = is_seen_elsewhere(w, c) ? TCPWHY_CAPTURE_GAP : hidden(w);
    if (rival == TCPWHY_CAUSE_NONE && c->to_ns - c->from_ns > TW_SHORT_NS &&
        is_silence(c, &silent)) {
        if (w->at_once)
            rival = silent == TCPWHY_CLIENT ? TCPWHY_SERVER_THINK : TCPWHY_CLIENT_IDLE;
        else if (may_be_lost(w, c, silent))
            rival = TCPWHY_LOSS_RECOVERY;
        else if (tw_may_be_corked(w))
            rival = TCPWHY_CORK_HOLD;
        else if (may_be_whole(w, c))
            rival = rival_of_turn(w);
    }
    if (rival != TCPWHY_CAUSE_NONE)
        tw_claim_add_rival(c, rival);
}
