/* SPDX-License-Identifier: MIT */
#include "base/counts.h"
#include "explain/attribute/attribute.h"

#include <glib.h>

#include "explain/attribute/arbiter.h"
#include "explain/attribute/confidence.h"
#include "explain/attribute/weigh.h"
#include "explain/spans.h"
#include "explain/thresholds.h"

static void add_piece(struct tw_attribution *t, const struct tw_gap *w, const struct tw_claim *c,
                      tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    if (from_ns >= to_ns)
        return;

    const struct tw_span span = {
        .from_ns = from_ns,
        .to_ns = to_ns,
        .cause = c->cause,
        .party = c->party,
        .from = c->from,
        .confidence = c->confidence,
        .rival = c->rival,
        .first_record = w->first_record,
        .last_record = w->last_record,
        .key_record = c->key_record,
        .count = 1,
    };

    tw_spans_add(t->sink.out, &span);
}

/* Within a message this is not the delay of a timed answer. If both sides talk at once, the answer
 * may belong to an earlier request. */
static enum tcpwhy_confidence how_sure_is_way(const struct tw_gap *w)
{
    enum tw_answerer by = w->context->vantage.answered_by[tw_gap_far_side(w)];

    if (w->phase == TW_PHASE_MESSAGE)
        return TCPWHY_CERTAIN;
    if (by == TW_BY_PROGRAM)
        return TCPWHY_AMBIGUOUS;
    /* No round trip without the queue may have been seen. */
    if (w->phase == TW_PHASE_ARRIVAL && by < TW_BY_SYN && w->round && w->round->queue.standing)
        return TCPWHY_LIKELY;
    return by >= TW_BY_ACKS && !w->turn.at_once ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
}

static bool is_longer_than_seen(const struct tw_gap *w, tcpwhy_ns way_ns)
{
    tcpwhy_ns longest_ns = w->context->vantage.rtt_max_ns;

    return longest_ns != TCPWHY_NS_UNKNOWN && way_ns > TW_FACTOR * longest_ns;
}

/* The winner leaves the rest of the gap to wire; an overestimated delay leaves too much. */
static void add_wire(struct tw_attribution *t, const struct tw_gap *w,
                     const struct tw_claim *winner, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    if (from_ns >= to_ns)
        return;

    struct tw_claim wire = { .cause = TCPWHY_WIRE,
                             .party = TCPWHY_PARTY_PATH,
                             .confidence = TCPWHY_CERTAIN,
                             .from = w->sender,
                             .key_record = TW_NO_RECORD };

    if (to_ns - from_ns > TW_SHORT_NS)
        wire.confidence = how_sure_is_way(w);
    if (winner->cause == TCPWHY_APP_WINDOW) { /* all of the gap is wire, as sure as the winner is */
        wire.confidence = winner->confidence;
        wire.rival = winner->rival;
    } else if (wire.confidence != TCPWHY_CERTAIN) {
        wire.rival = winner->cause;
    } else if (w->way.refilled && to_ns - from_ns > TW_SHORT_NS) {
        tw_claim_add_rival(&wire, TCPWHY_LOSS_RECOVERY);
    } else if (is_longer_than_seen(w, to_ns - from_ns)) {
        tw_claim_add_rival(&wire, w->context->vantage.to_side_ns[tw_gap_far_side(w)] > 0
                                      ? TCPWHY_BANDWIDTH_LIMITED
                                      : TCPWHY_DELAYED_ACK);
    }
    add_piece(t, w, &wire, from_ns, to_ns);
}

/* The sender's clock shows that the end of the gap was late by late_ns. If no RTT shows a queue,
 * the RTT was above its minimum, or the path varies if many answers were as late. */
static bool is_queue(const struct tw_gap *w, tcpwhy_ns late_ns)
{
    tcpwhy_ns trip_ns = tw_min_rtt_ns(&w->context->vantage);

    return w->way.queued ||
           (late_ns > trip_ns && w->context->timekeeper[w->sender].rtt_varies_ns > trip_ns);
}

static void add_queue(struct tw_attribution *t, const struct tw_gap *w, tcpwhy_ns from_ns,
                      tcpwhy_ns to_ns)
{
    struct tw_claim queue = { .cause = TCPWHY_BANDWIDTH_LIMITED,
                              .party = TCPWHY_PARTY_PATH,
                              .confidence = TCPWHY_CERTAIN,
                              .from = w->sender,
                              .key_record = TW_NO_RECORD };

    if (!w->way.queued)
        tw_claim_add_rival(&queue, TCPWHY_WIRE);
    add_piece(t, w, &queue, from_ns, to_ns);
}

/* Queueing behind other connections' data on the way to the sender. */
static void add_crowd(struct tw_attribution *t, const struct tw_gap *w,
                      const struct tw_claim *winner, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    const struct tw_claim crowd = { .cause = TCPWHY_BANDWIDTH_LIMITED,
                                    .party = TCPWHY_PARTY_PATH,
                                    .confidence = TCPWHY_LIKELY,
                                    .rival = winner->cause,
                                    .from = tw_other(w->sender),
                                    .key_record = TW_NO_RECORD };

    add_piece(t, w, &crowd, from_ns, to_ns);
}

/* The time before the winner's part. */
static void add_way(struct tw_attribution *t, const struct tw_gap *w, const struct tw_claim *winner)
{
    tcpwhy_ns to_ns = winner->from_ns, late_ns, cross_traffic_ns;

    if (to_ns <= w->from_ns) /* nothing does */
        return;
    late_ns = MAX(to_ns - (is_queue(w, w->way.late_ns) ? w->way.late_ns : 0), w->from_ns);
    cross_traffic_ns = MAX(late_ns - w->way.cross_traffic_ns, w->from_ns);
    add_wire(t, w, winner, w->from_ns, cross_traffic_ns);
    if (cross_traffic_ns < late_ns)
        add_crowd(t, w, winner, cross_traffic_ns, late_ns);
    if (late_ns < to_ns)
        add_queue(t, w, late_ns, to_ns);
}

/* The time after the winner's part: the segment was in transit. */
static void add_late(struct tw_attribution *t, const struct tw_gap *w,
                     const struct tw_claim *winner)
{
    if (winner->to_ns >= w->to_ns) /* nothing does */
        return;
    if (is_queue(w, w->to_ns - winner->to_ns))
        add_queue(t, w, winner->to_ns, w->to_ns);
    else
        add_wire(t, w, winner, winner->to_ns, w->to_ns);
}

static bool belongs_to_burst(const struct tw_attribution *t, const struct tw_gap *w)
{
    return w->phase == TW_PHASE_MESSAGE && t->sink.burst.round == w->round &&
           t->sink.burst.episode == w->episode && !w->missing &&
           w->to_ns - w->from_ns <= tw_burst_longest_ns(&t->sink.burst, w->sender);
}

/* These windows open with an ACK, however early it comes: one RTT is theirs. */
static bool is_congestion_window(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_SLOW_START || cause == TCPWHY_SLOW_START_AFTER_IDLE ||
           cause == TCPWHY_EARLY_SLOW_START_EXIT || cause == TCPWHY_CONGESTION_WINDOW_LIMITED;
}

/* If cwnd is the limit, a late ACK costs its lateness: until it was due, the segment waited for the
 * window. Otherwise all of the gap is the ACK's. */
static void charge_until_held(struct tw_attribution *t, const struct tw_gap *w,
                              struct tw_claim *held)
{
    struct tw_gap due = *w;
    struct tw_claim c;

    due.to_ns = held->from_ns;
    due.ack_in_time = true;
    tw_arbiter_decide(&due, tw_asked_of(t->asked, &due), &c);
    tw_confidence_lower(&due, &c);
    if (!is_congestion_window(c.cause)) {
        held->from_ns = w->from_ns;
        return;
    }
    add_way(t, &due, &c);
    add_piece(t, &due, &c, c.from_ns, c.to_ns);
    add_late(t, &due, &c);
}

static void charge(struct tw_attribution *t, struct tw_gap *w)
{
    struct tw_claim c;

    if (belongs_to_burst(t, w)) {
        tw_spans_extend(t->sink.out, w->to_ns, w->last_record);
        if (G_UNLIKELY(w->context->weighings))
            tw_weigh_burst(w);
        return;
    }
    w->paused = tw_pause_is(w);
    tw_arbiter_decide(w, tw_asked_of(t->asked, w), &c);
    tw_confidence_lower(w, &c);
    if (G_UNLIKELY(w->context->weighings))
        tw_weigh_gap(w, &c);
    if (c.cause == TCPWHY_DELAYED_ACK && w->phase == TW_PHASE_MESSAGE && c.from_ns > w->from_ns)
        charge_until_held(t, w, &c);
    else
        add_way(t, w, &c);
    add_piece(t, w, &c, c.from_ns, c.to_ns);
    add_late(t, w, &c);
    t->sink.burst.in_message = w->phase == TW_PHASE_MESSAGE;
    t->sink.burst.sender = w->sender;
    t->sink.burst.round = w->round;
    t->sink.burst.episode = w->episode;
}

/* A kernel acknowledges a retransmission at once (RFC 9293, 3.10.7.4). If the awaited side does
 * not, until it speaks again, the peer's segments do not reach it, and its silence is no
 * program's. */
static bool hears_nothing(const struct tw_gap *w, const struct tw_recovery_episode *e)
{
    const struct tw_record *record = w->context->log->record;
    const uint32_t end = MIN(w->last_record, w->first_record + TW_NEAR_RECORDS);
    bool repeated = false;

    if (e->arrived)
        return false;
    for (uint32_t i = w->first_record + 1; i < end; i++) {
        if (record[i].from == (uint8_t)w->sender)
            return false;
        repeated |= record[i].frame_class == TCPWHY_CLASS_RETRANSMISSION;
    }
    return repeated;
}

/* A sender is in recovery until it hears the ACK of the repair. Away from the sender, what that ACK
 * releases passes here one round trip later. */
static const struct tw_recovery_episode *own_repair_at(const struct tw_gap *w, tcpwhy_ns at,
                                                       tcpwhy_ns *next)
{
    const struct tw_recovery *r = &w->context->recovery[w->sender];
    const tcpwhy_ns unheard_ns =
        w->phase == TW_PHASE_MESSAGE ? 2 * w->context->vantage.to_side_ns[w->sender] : 0;
    const struct tw_recovery_episode *e = tw_recovery_at(r, at, next);
    tcpwhy_ns until_ns;

    if (e || unheard_ns == 0)
        return e;
    e = tw_recovery_at(r, at - unheard_ns, &until_ns);
    if (e)
        *next = MIN(*next, until_ns + unheard_ns);
    return e;
}

/* The recovery at this moment of the gap: of the awaited sender; before a turn, or while it hears
 * nothing, also of the other side. */
static const struct tw_recovery_episode *repair_at(const struct tw_gap *w, tcpwhy_ns at,
                                                   tcpwhy_ns *next)
{
    const struct tw_recovery *r = w->context->recovery;
    tcpwhy_ns other_next = INT64_MAX;
    const struct tw_recovery_episode *e = own_repair_at(w, at, next);

    if (e)
        return e;
    e = tw_recovery_at(&r[tw_other(w->sender)], at, &other_next);
    if (e && w->phase == TW_PHASE_MESSAGE && !hears_nothing(w, e))
        return NULL;
    *next = MIN(*next, other_next);
    return e;
}

/*
 * The time at which the segment would have passed the vantage if its sender had sent it as soon as
 * the receive window had room; from then on the window held nothing back. INT64_MIN: there was room
 * all along, or the segment left at that time, or it filled less than a segment when its timer
 * fired (RFC 9293, 3.8.6.2.1). Away from the sender, a window update may have been lost, and the
 * next one have released the segment.
 */
static tcpwhy_ns room_from(const struct tw_gap *w)
{
    const tcpwhy_ns rtt = tw_min_rtt_ns(&w->context->vantage);
    const bool remote = w->context->vantage.to_side_ns[w->sender] > 0;
    const tcpwhy_ns least_ns = MAX(tw_prompt_ns(rtt) + (remote ? rtt : 0), TW_WORTH_NS);
    tcpwhy_ns unused_ns;

    if (w->phase != TW_PHASE_MESSAGE || !w->before || !w->round || !tw_send_lacked_room(w->send) ||
        w->send->is & TW_SEND_REPEAT || (remote && w->ack_clocked) || tw_gap_fills_remainder(w))
        return INT64_MIN;
    unused_ns = w->send->sent_ns - w->send->allowed_ns;
    return unused_ns > least_ns && unused_ns < w->to_ns - w->from_ns ? w->to_ns - unused_ns
                                                                     : INT64_MIN;
}

/* Cut the gap where recoveries begin and end, and where there was room; attribute each piece. */
static void take(struct tw_gap_sink *sink, struct tw_gap *piece)
{
    struct tw_attribution *t = (struct tw_attribution *)sink;
    struct tw_burst *burst = &sink->burst;
    const tcpwhy_ns end_ns = piece->to_ns, path_until_ns = piece->from_ns + piece->propagation_ns;
    const tcpwhy_ns room_ns = room_from(piece);

    while (piece->from_ns < end_ns) {
        piece->episode = tw_burst_keeps_episode(burst, piece)
                             ? burst->episode
                             : repair_at(piece, piece->from_ns, &burst->until_ns);
        piece->lacks_room = piece->from_ns < room_ns;
        piece->has_room = room_ns > INT64_MIN && !piece->lacks_room;
        piece->to_ns = MIN(piece->lacks_room ? room_ns : end_ns, burst->until_ns);
        charge(t, piece);
        if (piece->to_ns == end_ns) /* the usual case */
            return;
        piece->from_ns = piece->to_ns;
        piece->propagation_ns = MAX(path_until_ns - piece->from_ns, 0);
        piece->way.late_ns = MIN(piece->way.late_ns, piece->propagation_ns);
        piece->way.cross_traffic_ns =
            MIN(piece->way.cross_traffic_ns, piece->propagation_ns - piece->way.late_ns);
    }
}

void tw_attribute_begin(struct tw_attribution *t, const struct tw_context *context,
                        struct tw_explanation *out)
{
    *t = (struct tw_attribution) {
        .sink = { .take = take,
                  .out = out,
                  .burst = { .longest_ns = tw_burst_ns(&context->vantage) } },
        .asked = context->asked,
    };
}
