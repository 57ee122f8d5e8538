/* SPDX-License-Identifier: MIT */
#include "explain/timeline/cursor.h"

#include <glib.h>

#include "explain/timeline/message_boundary.h"
#include "explain/path/tail_queueing.h"
#include "explain/path/cross_traffic.h"
#include "explain/timeline/capture_drops.h"
#include "explain/model/sender_acks.h"
#include "explain/path/one_way_delay.h"
#include "explain/spans.h"
#include "explain/model/timer_ticks.h"

uint32_t tw_cursor_send_from(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t record)
{
    const struct tw_sender_timeline *x = &w->scene->sends[sender];
    uint32_t next = w->next[sender];

    while (next < x->n && x->send[next].record < record)
        next++;
    w->next[sender] = next;
    return next;
}

/* The round of a send, which is never before the one that was asked for last; or NULL. */
static const struct tw_round *round_of(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t index)
{
    const struct tw_round *round = w->round[sender];

    while (round && round->last < index)
        round++;
    return w->round[sender] = round;
}

/* Of a side's send that stands in a record, or NULL: it is none. */
static const struct tw_round *round_at(struct tw_cursor *w, enum tcpwhy_side sender,
                                       uint32_t record)
{
    const struct tw_sender_timeline *x = &w->scene->sends[sender];
    uint32_t index = tw_cursor_send_from(w, sender, record);

    return index < x->n && x->send[index].record == record ? round_of(w, sender, index) : NULL;
}

static bool is_released(const struct tw_cursor *w, enum tcpwhy_side sender, const struct tw_send *s,
                        tcpwhy_ns moved_ns)
{
    return moved_ns > s[-1].sent_ns && s->sent_ns - moved_ns <= w->at_once_ns[sender];
}

bool tw_cursor_released_by_ack(const struct tw_cursor *w, enum tcpwhy_side sender,
                               const struct tw_send *s)
{
    return is_released(w, sender, s, tw_send_moved_ns(&w->scene->sends[sender], s));
}

/* Asked only of waits that may lie in the repair of a loss. */
static bool is_busy(struct tw_cursor *w, const struct tw_gap *wait, uint32_t index)
{
    const struct tw_recovery *r = &w->scene->recovery[wait->sender];

    return r->n > 0 && wait->from_ns < r->episode[r->n - 1].to_ns &&
           !tw_attribute_is_of_none(&w->charging, wait) &&
           tw_utilization_at(&w->busy[wait->sender], w->scene->log, &w->scene->sends[wait->sender],
                             &w->scene->rounds[wait->sender], &w->scene->vantage, index,
                             wait->to_ns - wait->from_ns);
}

static void describe_send(struct tw_cursor *w, struct tw_gap *wait, uint32_t index)
{
    const struct tw_sender_timeline *x = &w->scene->sends[wait->sender];
    const struct tw_send *s = &x->send[index];
    tcpwhy_ns moved_ns;

    wait->send = s;
    if (!x->heard)
        return;
    wait->busy = is_busy(w, wait, index);
    wait->drained = s->acked >= tw_send_seq(s);
    if (index > 0) {
        wait->before = s - 1;
        wait->round = round_of(w, wait->sender, index - 1);
    }
    moved_ns = tw_send_moved_ns(x, s);
    if (moved_ns == TCPWHY_NS_UNKNOWN)
        return;
    wait->lag_ns = s->sent_ns - moved_ns;
    wait->ack_released = wait->before && is_released(w, wait->sender, s, moved_ns);
}

/* The shortest way, but for what of it was gone when the wait began: questions may be asked before
 * others are answered. Where what is left is no more than the way varies, it is all wire. */
static tcpwhy_ns way_and_back(const struct tw_cursor *w, enum tcpwhy_side sender, tcpwhy_ns wait_ns)
{
    const struct tw_vantage *v = &w->scene->vantage;
    tcpwhy_ns way = 2 * v->to_side_ns[sender];

    if (w->question != TW_NO_RECORD)
        way = MAX(0, way + tw_cursor_record(w, w->question)->time_ns -
                         tw_cursor_record(w, w->at)->time_ns);
    return wait_ns <= way + v->jitter_ns[sender] ? wait_ns : way;
}

/* Of a wait up to a record, what the network takes. */
static tcpwhy_ns wire_time(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t to)
{
    tcpwhy_ns wait_ns = tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns;
    tcpwhy_ns rest_ns = w->rest_ns;

    w->rest_ns = TCPWHY_NS_UNKNOWN;
    return rest_ns == TCPWHY_NS_UNKNOWN ? way_and_back(w, sender, wait_ns) : MIN(rest_ns, wait_ns);
}

/* What ends the wait was late: in a queue? */
static bool was_queued(struct tw_cursor *w, const struct tw_gap *wait, uint32_t index)
{
    const struct tw_round *own;

    if (wait->round && wait->round->standing_queue)
        return true;
    own = round_of(w, wait->sender, index);
    return own && own->standing_queue;
}

/*
 * Who speaks had all that it acknowledges then when an ACK of its own first said so. Until that
 * came the last words to it may have been under way, where a queue was seen to hold what was before
 * them; and no timer holds an ACK back for so long otherwise. What is still longer under way goes
 * again; where that was the first ACK of words that had gone again for nothing, the path stood
 * still.
 */
static tcpwhy_ns acknowledged_late(const struct tw_cursor *w, const struct tw_gap *wait,
                                   bool queues)
{
    const struct tw_record *r = tw_cursor_record(w, wait->first_record) + 1,
                           *speaks = tw_cursor_record(w, wait->last_record);
    const tcpwhy_ns way_until_ns = wait->from_ns + wait->wire_ns,
                    least_ns = queues ? 0 : TW_LONGEST_DELAYED_ACK_NS;
    tcpwhy_ns late_ns;
    bool again = false;

    if (speaks->time_ns - way_until_ns <= least_ns)
        return 0;
    for (; r < speaks && (r->from != speaks->from || r->ack < speaks->ack); r++)
        again |= r->from != speaks->from && r->frame_class == TCPWHY_CLASS_RETRANSMISSION;
    late_ns = r->time_ns - way_until_ns;
    return (r < speaks || again) && late_ns > least_ns && late_ns <= TW_LONGEST_WAY ? late_ns : 0;
}

/* Is there a way to who is waited for, and may it have taken more of the wait than is known? */
static bool may_be_longer_way(const struct tw_gap *wait)
{
    return wait->scene->vantage.to_side_ns[wait->sender] > 0 &&
           wait->wire_ns < wait->to_ns - wait->from_ns;
}

/* From where the walker stands to a record; what ended it is not looked at. */
static inline void begin_wait(struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender,
                              uint32_t to, bool final)
{
    struct tw_gap *wait = &w->wait;

    wait->phase = phase;
    wait->sender = sender;
    wait->from_ns = tw_cursor_record(w, w->at)->time_ns;
    wait->to_ns = tw_cursor_record(w, to)->time_ns;
    wait->wire_ns = wait->late_ns = wait->beside_ns = wait->maybe_late_ns = wait->ack_late_ns = 0;
    wait->due_ns = INT64_MAX;
    wait->first_record = w->at;
    wait->last_record = to;
    wait->send = wait->before = NULL;
    wait->round = NULL;
    wait->lag_ns = TCPWHY_NS_UNKNOWN;
    wait->queued = wait->crowded = wait->ack_released = wait->drained = wait->busy = false;
    wait->final = final;
    wait->missing = tw_capture_drops_between(w->scene, w->at, to);
}

/* Where sides speak at will, nobody waited for a word that comes as late as this, as it seems. */
static bool is_unasked(const struct tw_cursor *w, uint32_t to)
{
    return w->at_will &&
           tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns >= TW_UNASKED_NS;
}

void tw_cursor_visit(struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender, uint32_t to,
                     int64_t send_index, bool final)
{
    struct tw_gap *wait = &w->wait;
    const bool queues = w->rest_ns != TCPWHY_NS_UNKNOWN; /* the answer's end does */
    const bool unasked = wait->unasked;

    if (phase == TW_PHASE_TURN && is_unasked(w, to)) {
        phase = TW_PHASE_IDLE;
        wait->unasked = true;
    }
    begin_wait(w, phase, sender, to, final);
    if (phase != TW_PHASE_MESSAGE)
        wait->wire_ns = wire_time(w, sender, to);
    if (send_index >= 0)
        describe_send(w, wait, (uint32_t)send_index);
    else if (phase == TW_PHASE_ARRIVAL)
        wait->round = round_at(w, sender, wait->first_record);
    if (send_index >= 0 && tw_one_way_delay_apply(w->scene, wait))
        wait->queued = was_queued(w, wait, (uint32_t)send_index);
    if ((phase == TW_PHASE_TURN || phase == TW_PHASE_IDLE) && may_be_longer_way(wait)) {
        tw_cross_traffic_apply(w->scene, wait);
        wait->maybe_late_ns = MAX(wait->maybe_late_ns, acknowledged_late(w, wait, queues));
    }
    wait->refilled = w->lacked_hole && w->lacked_ns > wait->wire_ns;
    wait->wire_ns = MAX(wait->wire_ns, MIN(w->lacked_ns, wait->to_ns - wait->from_ns));
    w->lacked_ns = 0;
    w->lacked_hole = false;
    w->at = to;
    tw_attribute_wait(&w->charging, wait);
    wait->unasked = unasked;
}

void tw_cursor_visit_arrival(struct tw_cursor *w, uint32_t to)
{
    enum tcpwhy_side sender = (enum tcpwhy_side)tw_cursor_record(w, w->at)->from;
    const struct tw_round *round;
    struct tw_tail_queueing arrival;

    round = w->scene->rounds[sender].capacity > 0 ? round_at(w, sender, w->at) : NULL;
    if (!round ||
        !tw_tail_queueing_watch(w->scene->log, &w->scene->vantage, round, w->at, to, &arrival)) {
        w->lacked_ns = tw_tail_queueing_lacked_ns(w->scene->log, &w->scene->vantage, w->at, to,
                                                  &w->lacked_hole);
        return;
    }
    w->wait.uneven = arrival.uneven;
    tw_cursor_visit(w, TW_PHASE_ARRIVAL, sender, arrival.newest, -1, false);
    w->wait.uneven = false;
    w->rest_ns = arrival.rest_ns;
}

/* Before a wait that a timer of its sender's kernel may have ended: what that heard, if somebody
 * waited, and whether its segments leave on ticks. */
static void prepare(struct tw_context *scene, enum tw_phase phase, enum tcpwhy_side sender)
{
    struct tw_sender_timeline *x = &scene->sends[sender];

    if (!x->heard && phase != TW_PHASE_IDLE)
        tw_sender_acks_apply(x, scene->log, &scene->survey, &scene->vantage, scene->scratch);
    if (scene->ticks[sender] == TW_TIMER_TICKS_UNASKED)
        scene->ticks[sender] = tw_timer_ticks_find(
            x, &scene->rounds[sender], scene->vantage.rtt_min_ns, scene->log->clock_step_ns);
}

void tw_cursor_visit_start(struct tw_cursor *w, enum tw_phase phase, enum tcpwhy_side sender,
                           uint32_t to)
{
    const struct tw_sender_timeline *x = &w->scene->sends[sender];
    uint32_t i;

    if (to <= w->at)
        return;
    if (to > w->at + 1) /* something between may tell of it */
        tw_cursor_visit_arrival(w, to);
    if (tw_cursor_record(w, to)->time_ns - tw_cursor_record(w, w->at)->time_ns >= TW_ASKED_NS)
        prepare(w->scene, phase, sender);
    i = tw_cursor_send_from(w, sender, to);
    tw_cursor_visit(w, phase, sender, to, i < x->n && x->send[i].record == to ? (int64_t)i : -1,
                    false);
}

uint32_t tw_cursor_pass_burst(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i,
                              uint32_t last)
{
    const struct tw_sender_timeline *x = &w->scene->sends[sender];
    const struct tw_attribution *t = &w->charging;
    const tcpwhy_ns longest_ns = t->round ? tw_attribute_burst_ns(t, sender) : 0;
    const uint32_t round_end = longest_ns > 0 ? t->round->last + 1 : 0;
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
            if (i > round_end || to_ns > t->until_ns || tw_capture_drops_between(w->scene, at, to))
                break;
            burst_end = to;
        }
        at = to;
        at_ns = to_ns;
    }
    if (burst_end != TW_NO_RECORD)
        tw_spans_extend(t->out, tw_cursor_record(w, burst_end)->time_ns, burst_end);
    w->at = at;
    return i;
}

/* May a send so long behind where the walker stands be passed as one of the last wait's burst? */
static bool may_be_of_burst(const struct tw_cursor *w, const struct tw_send *s, tcpwhy_ns wait_ns)
{
    return wait_ns <= w->charging.burst_ns || s->is & TW_SEND_SPURIOUS;
}

/* Is a long silence before a send one for whose end nobody waited? */
static bool is_idle(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t i, uint32_t last,
                    bool awaited)
{
    if (tw_message_boundary_was_held(w, sender, i) ||
        (w->wait.closes && !tw_cursor_had_said_all(w, sender, i)))
        return false;
    /* Perhaps the sender spoke twice, once unasked; then questions and answers are mixed up. */
    w->unsure |= w->wait.guessed;
    return (!awaited || w->at_will || tw_message_boundary_asks(w, sender, i)) &&
           !tw_message_boundary_is_bulk(w, sender, i, last);
}

void tw_cursor_visit_message(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t last,
                             bool awaited)
{
    const struct tw_sender_timeline *x = &w->scene->sends[sender];
    uint32_t i = tw_cursor_send_from(w, sender, w->at + 1);

    while (i < x->n && x->send[i].record <= last) {
        const struct tw_send *s = &x->send[i];
        tcpwhy_ns wait_ns =
            tw_cursor_record(w, s->record)->time_ns - tw_cursor_record(w, w->at)->time_ns;
        uint32_t next =
            may_be_of_burst(w, s, wait_ns) ? tw_cursor_pass_burst(w, sender, i, last) : i;
        bool idle;

        if (next > i) {
            i = next;
            continue;
        }
        idle = wait_ns >= TW_QUIET_NS && is_idle(w, sender, i, last, awaited);
        if (w->wait.asks && w->wait.in_turns)
            w->asked_again += tw_message_boundary_speaks(w, sender, i);
        if (idle && sender == TCPWHY_SERVER)
            w->pushed += tw_cursor_had_said_all(w, sender, i);
        tw_cursor_visit(w, idle ? TW_PHASE_IDLE : TW_PHASE_MESSAGE, sender, s->record, (int64_t)i,
                        s->record == last);
        i++;
    }
    if (i > 0 && x->send[i - 1].record <= w->at)
        w->next[sender] = i - 1; /* those passed need not be passed again */
}

bool tw_cursor_pauses(struct tw_cursor *w, enum tcpwhy_side sender, uint32_t from, uint32_t to)
{
    const struct tw_sender_timeline *x = &w->scene->sends[sender];
    tcpwhy_ns before_ns = tw_cursor_record(w, from)->time_ns;

    for (uint32_t i = tw_cursor_send_from(w, sender, from); i < x->n && x->send[i].record <= to;
         i++) {
        tcpwhy_ns at_ns = tw_cursor_record(w, x->send[i].record)->time_ns;

        if (at_ns - before_ns >= TW_QUIET_NS && !tw_message_boundary_was_held(w, sender, i))
            return true;
        before_ns = at_ns;
    }
    return false;
}
