/* SPDX-License-Identifier: MIT */
#include "explain/timeline/cursor.h"

#include <glib.h>

#include "explain/path/tail_queueing.h"
#include "explain/path/cross_traffic.h"
#include "explain/timeline/capture_drops.h"
#include "explain/sender/sender_acks.h"
#include "explain/path/one_way_delay.h"
#include "explain/spans.h"
#include "explain/thresholds.h"
#include "explain/weighings.h"
#include "explain/model/timer_ticks.h"

uint32_t tw_cursor_send_from(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t record)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    uint32_t next = w->next[sender];

    while (next < x->n && x->send[next].record < record)
        next++;
    w->next[sender] = next;
    return next;
}

/* The round of a send, or NULL. Sends are asked for in order. */
static const struct tw_round *round_of(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t index)
{
    const struct tw_round *round = w->round[sender];

    while (round && round->last < index)
        round++;
    return w->round[sender] = round;
}

/* The round of the side's send in this record, or NULL if it is none. */
static const struct tw_round *round_at(struct tw_cursor *w, enum tcpwhy_side sender,
                                       uint32_t record)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    uint32_t index = tw_cursor_send_from(w, sender, record);

    return index < x->n && x->send[index].record == record ? round_of(w, sender, index) : NULL;
}

static bool is_released(const struct tw_cursor *w, enum tcpwhy_side sender, const struct tw_send *s,
                        tcpwhy_ns moved_ns)
{
    return moved_ns > s[-1].sent_ns && s->sent_ns - moved_ns <= w->habits.prompt_ns[sender];
}

bool tw_cursor_released_by_ack(const struct tw_cursor *w, enum tcpwhy_side sender,
                               const struct tw_send *s)
{
    return is_released(w, sender, s, tw_send_moved_ns(&w->context->sends[sender], s));
}

/* Asked only of gaps that may lie in a recovery. */
static bool is_busy(struct tw_cursor *w, const struct tw_gap *gap, uint32_t index)
{
    const struct tw_recovery *r = &w->context->recovery[gap->sender];

    return r->n > 0 && gap->from_ns < r->episode[r->n - 1].to_ns &&
           !tw_burst_is_of_no_episode(&w->sink->burst, gap) &&
           tw_utilization_at(&w->busy[gap->sender], w->context->log,
                             &w->context->sends[gap->sender], &w->context->rounds[gap->sender],
                             &w->context->vantage, index, gap->to_ns - gap->from_ns);
}

static void describe_send(struct tw_cursor *w, struct tw_gap *gap, uint32_t index)
{
    const struct tw_sender_timeline *x = &w->context->sends[gap->sender];
    const struct tw_send *s = &x->send[index];
    tcpwhy_ns moved_ns;

    gap->send = s;
    if (!x->heard)
        return;
    gap->busy = is_busy(w, gap, index);
    gap->flight_empty = s->acked >= tw_send_seq(s);
    if (index > 0) {
        gap->before = s - 1;
        gap->round = round_of(w, gap->sender, index - 1);
    }
    moved_ns = tw_send_moved_ns(x, s);
    if (moved_ns == TCPWHY_NS_UNKNOWN)
        return;
    gap->since_ack_ns = s->sent_ns - moved_ns;
    gap->ack_clocked = gap->before && is_released(w, gap->sender, s, moved_ns);
}

/* The minimum RTT, plus the RTT behind a box that ends the connection unless its SYN was
 * retransmitted there, less what had passed of it when the gap began: requests may be sent before
 * earlier ones are answered. If the rest of the gap is within the jitter, all of it is wire. */
static tcpwhy_ns way_and_back(const struct tw_cursor *w, enum tcpwhy_side sender, tcpwhy_ns wait_ns)
{
    const struct tw_vantage *v = &w->context->vantage;
    tcpwhy_ns way = 2 * v->to_side_ns[sender];

    if (v->ended_nearby[sender] && v->behind_proxy_ns[sender] < TW_INITIAL_RTO_NS)
        way += v->behind_proxy_ns[sender];
    if (w->question != TW_NO_RECORD)
        way = MAX(0, way + tw_cursor_record(w, w->question)->time_ns -
                         tw_cursor_record(w, w->at)->time_ns);
    return wait_ns <= way + v->jitter_ns[sender] ? wait_ns : way;
}

/* The network's part of a gap that ends at a record. */
static tcpwhy_ns wire_time(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t to)
{
    tcpwhy_ns wait_ns = tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns;
    tcpwhy_ns rest_ns = w->rest_ns;

    w->rest_ns = TCPWHY_NS_UNKNOWN;
    return rest_ns == TCPWHY_NS_UNKNOWN ? way_and_back(w, sender, wait_ns) : MIN(rest_ns, wait_ns);
}

/* Did the segment that ended the gap queue? */
static bool was_queued(struct tw_cursor *w, const struct tw_gap *gap, uint32_t index)
{
    const struct tw_round *own;

    if (gap->round && gap->round->queue.standing)
        return true;
    own = round_of(w, gap->sender, index);
    return own && own->queue.standing;
}

/*
 * The speaker had all data that it acknowledges by the time of its first ACK of it. Until then that
 * data may have been in transit, if a queue was seen to delay the data before it: no timer holds an
 * ACK this long. Data in transit for longer is retransmitted; if this was the first ACK of spurious
 * retransmissions, the path had stalled.
 */
static tcpwhy_ns acknowledged_late(const struct tw_cursor *w, const struct tw_gap *gap, bool queues)
{
    const struct tw_record *r = tw_cursor_record(w, gap->first_record) + 1,
                           *speaks = tw_cursor_record(w, gap->last_record);
    const tcpwhy_ns path_until_ns = gap->from_ns + gap->propagation_ns,
                    least_ns = queues ? 0 : TW_LONGEST_DELAYED_ACK_NS;
    tcpwhy_ns late_ns;
    bool again = false;

    if (speaks->time_ns - path_until_ns <= least_ns)
        return 0;
    for (; r < speaks && (r->from != speaks->from || r->ack < speaks->ack); r++)
        again |= r->from != speaks->from && r->frame_class == TCPWHY_CLASS_RETRANSMISSION;
    late_ns = r->time_ns - path_until_ns;
    return (r < speaks || again) && late_ns > least_ns && late_ns <= TW_INITIAL_RTO_NS ? late_ns
                                                                                       : 0;
}

/* Is there a path to the side waited for, and may it have taken more of the gap than is known? */
static bool may_be_longer_way(const struct tw_gap *gap)
{
    return gap->context->vantage.to_side_ns[gap->sender] > 0 &&
           gap->propagation_ns < gap->to_ns - gap->from_ns;
}

/* Does the path lose frames often enough to matter? */
static bool path_loses(const struct tw_connection *c)
{
    const struct tw_side *side = c->side;

    return TW_RARE_SHARE * (uint64_t)(side[0].retransmissions + side[1].retransmissions) >=
           side[0].frames + side[1].frames;
}

/* Does the side's IP ID count its packets, with none missing? */
static bool ids_are_whole(const struct tw_side *side)
{
    return !side->ids_lack && side->id_steps > 0;
}

/* Away from the sender: may the segment be a retransmission whose original was lost before the
 * vantage? The gap is long enough for a first RTO. */
static bool may_be_lost(const struct tw_cursor *w, const struct tw_gap *gap)
{
    const struct tw_connection *c = w->context->connection;
    tcpwhy_ns took_ns = gap->to_ns - gap->from_ns - gap->propagation_ns;

    return took_ns >= TW_RTO_SEEN_NS && took_ns <= TW_OLD_INITIAL_RTO_NS && gap->send &&
           gap->send->len > 0 && w->context->vantage.to_side_ns[gap->sender] > 0 && path_loses(c) &&
           !ids_are_whole(&c->side[gap->sender]);
}

/* Without a clock of the sender, its answer may be as late as most of what its kernel answers at
 * once; not if its kernel acknowledged the request before, over the same way. */
static tcpwhy_ns kernel_late(const struct tw_cursor *w, const struct tw_gap *gap)
{
    const struct tw_timekeeper *t = &w->context->timekeeper[gap->sender];
    const struct tw_record *asked = tw_cursor_record(w, gap->first_record), *ack = asked + 1;

    if (ack < tw_cursor_record(w, gap->last_record) && ack->from == (uint8_t)gap->sender &&
        ack->ack >= tw_record_end(asked))
        return 0;
    if (t->looked_at ? t->good : w->context->prescan.first_stamped[gap->sender] != NULL)
        return 0;
    return w->context->vantage.jitter_ns[gap->sender];
}

/* Start a gap from the cursor to a record, whatever ended it. */
static inline void begin_wait(struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender,
                              uint32_t to, bool final)
{
    struct tw_gap *gap = &w->gap;

    gap->phase = phase;
    gap->sender = sender;
    gap->from_ns = tw_cursor_record(w, w->at)->time_ns;
    gap->to_ns = tw_cursor_record(w, to)->time_ns;
    gap->propagation_ns = gap->way.late_ns = gap->way.cross_traffic_ns = gap->way.maybe_late_ns =
        gap->way.ack_late_ns = 0;
    gap->way.due_ns = INT64_MAX;
    gap->first_record = w->at;
    gap->last_record = to;
    gap->send = gap->before = NULL;
    gap->round = NULL;
    gap->since_ack_ns = TCPWHY_NS_UNKNOWN;
    gap->way.maybe_lost = gap->way.queued = gap->way.cross_traffic = gap->ack_clocked =
        gap->flight_empty = gap->busy = false;
    gap->final = final;
    gap->missing = tw_capture_drops_between(w->context, w->at, to);
}

/* In a conversation without turns, nobody seems to have waited for a message this late. */
static bool is_unasked(const struct tw_cursor *w, uint32_t to)
{
    return w->turns.at_will &&
           tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns >= TW_UNASKED_NS;
}

/* The side whose stream has a hole that is never filled; -1: none. Its reader waits for that data,
 * and messages sent meanwhile (keep-alives) follow a timer. */
static int stuck_side(const struct tw_cursor *w)
{
    const struct tw_context *context = w->context;

    for (int side = 0; side < 2; side++)
        if (G_UNLIKELY(context->beyond[side] != NULL) &&
            context->beyond[side] <= tw_cursor_record(w, w->at) &&
            context->vantage.to_side_ns[side] > 0)
            return side;
    return -1;
}

/* Without message boundaries, does the program of a pause's sender go on by a clock? */
static void ask_for_clock(struct tw_cursor *w, struct tw_gap *gap)
{
    enum tw_live *live = &w->habits.live[gap->sender];

    gap->turn.steady = gap->turn.live = false;
    if (gap->phase != TW_PHASE_MESSAGE || !gap->turn.guessed || !gap->before ||
        gap->to_ns - gap->from_ns < TW_WORTH_NS)
        return;
    if (*live == TW_LIVE_UNASKED)
        *live = tw_live_find(w->context, gap->sender);
    gap->turn.steady = *live >= TW_LIVE_BLOCKS;
    gap->turn.live = *live == TW_LIVE_PIECES;
}

/* The other side's data while a stream is stuck at a hole may look like one message, although a
 * pause of TW_QUIET_NS separates two. */
static bool pauses(const struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender,
                   uint32_t to, int64_t send_index)
{
    return phase == TW_PHASE_MESSAGE && send_index > 0 && (int)sender != stuck_side(w) &&
           tw_cursor_had_said_all(w, sender, (uint32_t)send_index) &&
           tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns >= TW_QUIET_NS;
}

void tw_cursor_visit(struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender, uint32_t to,
                     int64_t send_index, bool final)
{
    struct tw_gap *gap = &w->gap;
    const bool queues = w->rest_ns != TCPWHY_NS_UNKNOWN; /* only the end of the answer does */
    const bool unasked = gap->turn.unasked;

    if (phase == TW_PHASE_TURN && is_unasked(w, to)) {
        phase = TW_PHASE_IDLE;
        gap->turn.unasked = true;
    }
    if (stuck_side(w) >= 0 &&
        (phase == TW_PHASE_IDLE || pauses(w, phase, sender, to, send_index))) {
        phase = TW_PHASE_TURN;
        sender = (enum tcpwhy_side)stuck_side(w);
        send_index = -1;
    }
    begin_wait(w, phase, sender, to, final);
    if (phase != TW_PHASE_MESSAGE)
        gap->propagation_ns = wire_time(w, tw_gap_far_side(gap), to);
    if (send_index >= 0)
        describe_send(w, gap, (uint32_t)send_index);
    else if (phase == TW_PHASE_ARRIVAL)
        gap->round = w->arrives ? w->arrives : round_at(w, sender, gap->first_record);
    ask_for_clock(w, gap);
    if (send_index >= 0 && tw_one_way_delay_apply(w->context, gap))
        gap->way.queued = was_queued(w, gap, (uint32_t)send_index);
    if ((phase == TW_PHASE_TURN || phase == TW_PHASE_IDLE) && may_be_longer_way(gap)) {
        tw_cross_traffic_apply(w->context, gap);
        tw_cross_traffic_apply_pipelined(gap);
        gap->way.maybe_late_ns = MAX(gap->way.maybe_late_ns, acknowledged_late(w, gap, queues));
        gap->way.maybe_lost = gap->way.maybe_late_ns == 0 && may_be_lost(w, gap);
        gap->way.maybe_late_ns = MAX(gap->way.maybe_late_ns, kernel_late(w, gap));
    }
    gap->way.refilled = w->lacked_hole && w->lacked_ns > gap->propagation_ns;
    gap->propagation_ns = MAX(gap->propagation_ns, MIN(w->lacked_ns, gap->to_ns - gap->from_ns));
    w->lacked_ns = 0;
    w->lacked_hole = false;
    w->at = to;
    w->sink->take(w->sink, gap);
    gap->turn.unasked = unasked;
}

void tw_cursor_visit_arrival(struct tw_cursor *w, uint32_t to)
{
    enum tcpwhy_side sender = (enum tcpwhy_side)tw_cursor_record(w, w->at)->from;
    const struct tw_round *round;
    struct tw_tail_queueing arrival;

    round = w->context->rounds[sender].capacity > 0 ? round_at(w, sender, w->at) : NULL;
    if (!round || !tw_tail_queueing_watch(w->context->log, &w->context->vantage, round, w->at, to,
                                          &arrival)) {
        w->lacked_ns = tw_tail_queueing_lacked_ns(w->context->log, &w->context->vantage, w->at, to,
                                                  &w->lacked_hole);
        return;
    }
    w->gap.uneven = arrival.uneven;
    tw_cursor_visit(w, TW_PHASE_ARRIVAL, sender, arrival.newest, -1, false);
    w->gap.uneven = false;
    w->rest_ns = arrival.rest_ns;
}

/* Prepare a gap that a kernel timer of its sender may have ended: what the sender had heard,
 * whether somebody waited, and whether its segments follow timer ticks. */
static void prepare(struct tw_context *context, enum tw_phase phase, enum tcpwhy_side sender)
{
    struct tw_sender_timeline *x = &context->sends[sender];

    if (!x->heard && phase != TW_PHASE_IDLE)
        tw_sender_acks_apply(x, context->log, &context->prescan, &context->vantage,
                             context->scratch);
    if (context->timer_ticks[sender] == TW_TIMER_TICKS_UNASKED)
        context->timer_ticks[sender] = tw_timer_ticks_find(
            x, &context->rounds[sender], context->vantage.rtt_min_ns, context->log->clock_step_ns);
}

void tw_cursor_visit_start(struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender,
                           uint32_t to)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    uint32_t i;

    if (to <= w->at)
        return;
    if (to > w->at + 1) /* a record in between may show it */
        tw_cursor_visit_arrival(w, to);
    if (tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns >= TW_RTO_MIN_NS)
        prepare(w->context, phase, sender);
    i = tw_cursor_send_from(w, sender, to);
    tw_cursor_visit(w, phase, sender, to, i < x->n && x->send[i].record == to ? (int64_t)i : -1,
                    false);
}

uint32_t tw_cursor_pass_burst(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i,
                              uint32_t last)
{
    const struct tw_sender_timeline *x = &w->context->sends[sender];
    const struct tw_burst *burst = &w->sink->burst;
    const tcpwhy_ns longest_ns = burst->round ? tw_burst_longest_ns(burst, sender) : 0;
    const uint32_t round_end = longest_ns > 0 ? burst->round->last + 1 : 0;
    uint32_t at = w->at, burst_end = TW_NO_RECORD;
    tcpwhy_ns at_ns = tw_cursor_record(w, at)->time_ns;

    for (; i < x->n && x->send[i].record <= last; i++) {
        uint32_t to = x->send[i].record;
        tcpwhy_ns to_ns = tw_cursor_record(w, to)->time_ns;

        if ((x->send[i].is & TW_SEND_SPURIOUS) && to != last)
            continue;
        if (to_ns - at_ns > longest_ns)
            break;
        if (to_ns > at_ns) {
            if (i > round_end || to_ns > burst->until_ns ||
                tw_capture_drops_between(w->context, at, to))
                break;
            burst_end = to;
        }
        at = to;
        at_ns = to_ns;
    }
    if (burst_end != TW_NO_RECORD)
        tw_spans_extend(w->sink->out, tw_cursor_record(w, burst_end)->time_ns, burst_end);
    if (G_UNLIKELY(w->context->weighings))
        tw_weighings_extend(w->context->weighings, tw_cursor_record(w, at)->frame);
    w->at = at;
    return i;
}
