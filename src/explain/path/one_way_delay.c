/* SPDX-License-Identifier: MIT */
#include "explain/path/one_way_delay.h"

#include <glib.h>

#include "base/select.h"
#include "base/seq.h"
#include "explain/model/rounds_parts.h"
#include "explain/path/serialization.h"
#include "explain/thresholds.h"

/* Excess of a segment's delay over the minimum. */
struct late {
    tcpwhy_ns sure_ns; /* certain */
    tcpwhy_ns most_ns; /* possible; the clocks show no more */
};

static bool is_of(const struct tw_record *r, enum tcpwhy_side side)
{
    return r->from == (uint8_t)side && tw_record_is_stamped(r);
}

/*
 * A clock may count milliseconds and advance by sixteen, or 500, at a time (the system's timer
 * tick): never by more than its smallest step. Segments far apart show larger steps, so less is
 * known of a quiet sender.
 */
static tcpwhy_ns smallest_step(const struct tw_context *context, enum tcpwhy_side side,
                               tcpwhy_ns tick_ns)
{
    const struct tw_record *last = context->prescan.last_stamped[side];
    const struct tw_record *r = context->prescan.first_stamped[side];
    uint32_t least = UINT32_MAX, tsval = r->tsval;

    for (; r <= last && least > 1; r++) {
        if (!is_of(r, side))
            continue;
        if (tw_seq_after(r->tsval, tsval))
            least = MIN(least, r->tsval - tsval);
        tsval = r->tsval;
    }
    return (tcpwhy_ns)least * tick_ns;
}

/* From first to last record the clock advanced with time, within the jitter, and few segments were
 * timed: its tick is a known one. */
static bool goes_as_time(const struct tw_context *context, enum tcpwhy_side side, tcpwhy_ns tick_ns)
{
    const struct tw_record *first = context->prescan.first_stamped[side];
    const struct tw_record *last = context->prescan.last_stamped[side];
    const struct tw_vantage *v = &context->vantage;
    tcpwhy_ns elapsed_ns = last->time_ns - first->time_ns;
    tcpwhy_ns told_ns = (tcpwhy_ns)tw_seq_diff(last->tsval, first->tsval) * tick_ns;

    return ABS(told_ns - elapsed_ns) <=
           2 * v->spread_ns[side] + tick_ns + elapsed_ns / TW_CLOCK_DRIFT_SHARE;
}

/* The clock's error, at most. */
static tcpwhy_ns find_error(const struct tw_context *context, enum tcpwhy_side side)
{
    const struct tw_tsval_clock *c = &context->sends[side].clock;
    const struct tw_record *echoed = context->prescan.first_stamped[tw_other(side)];
    const struct tw_record *last = context->prescan.last_stamped[side];
    const tcpwhy_ns round_ns = 2 * context->vantage.to_side_ns[side];
    tcpwhy_ns error_ns = 0;

    for (const struct tw_record *r = context->prescan.first_stamped[side]; r <= last; r++)
        if (is_of(r, side))
            error_ns = MAX(error_ns, tw_tsval_clock_error(c, r, round_ns, &echoed));
    return error_ns;
}

/* The part of a delay that may be the clock's error. */
static tcpwhy_ns unsure(const struct tw_timekeeper *t, const struct tw_tsval_clock *c,
                        const struct tw_record *r, tcpwhy_ns error_ns)
{
    tcpwhy_ns drift_ns =
        MIN(r->time_ns - c->first_ns, 2 * TW_CLOCK_BLOCK_NS) / TW_CLOCK_DRIFT_SHARE;

    return t->step_ns - c->tick_ns + MAX(error_ns, drift_ns);
}

/* Three of four first segments of its answers were late by no more than this plus a tick: coarse
 * clocks advance by one tick or two (Windows: 10 ms, every 15.6 ms). A wrong clock is not excluded:
 * if both directions vary, their minima need not fall into one RTT, which looks the same. */
static tcpwhy_ns find_variation(const struct tw_context *context, enum tcpwhy_side side)
{
    const struct tw_tsval_clock *c = &context->sends[side].clock;
    const struct tw_exchanges *all = context->exchanges;
    tcpwhy_ns *late_ns = tw_scratch_get(context->scratch, all->n, sizeof *late_ns), usual_ns = 0;
    uint32_t n = 0;

    for (const struct tw_exchange *e = all->exchange, *end = e + all->n; e < end; e++) {
        const struct tw_record *r;

        if (e->response_first == TW_NO_RECORD)
            continue;
        r = &context->log->record[e->response_first];
        if (is_of(r, side))
            late_ns[n++] = MAX(tw_tsval_clock_delay(c, r) -
                                   unsure(&context->timekeeper[side], c, r, 0) - c->tick_ns,
                               0);
    }
    if (n > 0)
        usual_ns = tw_select_ns(late_ns, n, (size_t)n * 3 / 4);
    tw_scratch_return(context->scratch, late_ns);
    return usual_ns;
}

/* A side's clock is examined on first use. */
static void look(struct tw_context *context, enum tcpwhy_side side)
{
    struct tw_timekeeper *t = &context->timekeeper[side];
    tcpwhy_ns tick_ns =
        tw_sender_timeline_clock(&context->sends[side], &context->prescan, context->scratch)
            ->tick_ns;

    t->looked_at = true;
    t->good = tick_ns > 0 && context->prescan.first_stamped[tw_other(side)] &&
              context->vantage.rtt_min_ns != TCPWHY_NS_UNKNOWN && context->log->n_leaps == 0 &&
              goes_as_time(context, side, tick_ns);
    if (!t->good)
        return;
    t->step_ns = smallest_step(context, side, tick_ns);
    t->error_ns = find_error(context, side);
    t->rtt_varies_ns = find_variation(context, side);
}

/* May a record that came this long after its time have been delayed? */
static bool may_be_late(const struct tw_context *context, enum tcpwhy_side side,
                        tcpwhy_ns beyond_ns)
{
    return context->vantage.to_side_ns[side] != 0 && beyond_ns >= TW_WORTH_NS;
}

/* The delay of a record that may have been late. */
static struct late find_late(struct tw_context *context, enum tcpwhy_side side, uint32_t record,
                             tcpwhy_ns beyond_ns)
{
    const struct tw_record *r = &context->log->record[record];
    const struct tw_timekeeper *t = &context->timekeeper[side];
    const struct tw_tsval_clock *c = &context->sends[side].clock;
    struct late late = { 0, 0 };
    tcpwhy_ns delay_ns;

    if (!is_of(r, side))
        return late;
    if (!t->looked_at)
        look(context, side);
    if (!t->good)
        return late;
    delay_ns = tw_tsval_clock_delay(c, r);
    late.sure_ns = CLAMP(delay_ns - unsure(t, c, r, t->error_ns), 0, beyond_ns);
    late.most_ns = MIN(delay_ns, beyond_ns);
    return late;
}

/* Likewise, of an ACK that a partial segment may have waited for. */
static tcpwhy_ns find_late_ack(struct tw_context *context, const struct tw_gap *w)
{
    tcpwhy_ns wait_ns = w->to_ns - w->from_ns;
    enum tcpwhy_side peer = tw_other(w->sender);

    if (wait_ns < TW_DELAYED_ACK_NS || !w->flight_empty || w->since_ack_ns == TCPWHY_NS_UNKNOWN ||
        !(w->send->is & TW_SEND_PARTIAL) || !may_be_late(context, peer, wait_ns))
        return 0;
    return find_late(context, peer, w->send->moved_record, wait_ns).sure_ns;
}

/* Within a message: by how much more than the previous send was this one late? */
static tcpwhy_ns find_late_send(struct tw_context *context, const struct tw_gap *w)
{
    tcpwhy_ns beyond_ns;

    if (!w->before)
        return 0;
    beyond_ns = w->to_ns - w->from_ns - (w->send->sent_ns - w->before->sent_ns);
    if (!may_be_late(context, w->sender, beyond_ns))
        return 0;
    return find_late(context, w->sender, w->last_record, beyond_ns).sure_ns;
}

/* The extra delay of a side's ACK of that record, if its next record is that ACK and comes before
 * its answer. @return < 0: it is not. */
static tcpwhy_ns acknowledged_late_ns(const struct tw_context *context, enum tcpwhy_side side,
                                      const struct tw_record *asked, const struct tw_record *answer)
{
    const struct tw_record *ack = asked + 1;

    if (ack >= answer || asked->from == (uint8_t)side || ack->from != (uint8_t)side ||
        ack->ack < tw_record_end(asked))
        return -1;
    return MAX(0, ack->time_ns - asked->time_ns - 2 * context->vantage.to_side_ns[side]);
}

/* No timer knows when a program will be done: if the ACKs that are as late as one's are late by
 * this and that, and the answers mostly come just behind them, the requests had been late. */
static bool acks_come_with_answers(const struct tw_context *context, enum tcpwhy_side side)
{
    const struct tw_exchanges *all = context->exchanges;
    tcpwhy_ns least_ns = INT64_MAX, most_ns = 0;
    uint32_t late = 0, soon = 0;

    for (const struct tw_exchange *e = all->exchange, *end = e + all->n; e < end; e++) {
        const struct tw_record *asked, *answer;
        tcpwhy_ns late_ns;

        if (e->request_last == TW_NO_RECORD || e->response_first == TW_NO_RECORD)
            continue;
        asked = &context->log->record[e->request_last];
        answer = &context->log->record[e->response_first];
        late_ns = acknowledged_late_ns(context, side, asked, answer);
        if (late_ns < TW_DELAYED_ACK_NS)
            continue;
        least_ns = MIN(least_ns, late_ns);
        most_ns = MAX(most_ns, late_ns);
        late++;
        soon += (answer->time_ns - asked[1].time_ns) * TW_SOON_SHARE <= late_ns;
    }
    return late >= TW_HABIT && tw_mostly(soon, late) && most_ns - least_ns > most_ns / TW_QUARTER;
}

/* A host acknowledges at once or when a timer fires: if its first segment after a request was late
 * by less than that, or the answer follows at once, that segment or the request was delayed on the
 * path. Not if the client sent more, which it may answer. */
static tcpwhy_ns find_late_question(struct tw_context *context, const struct tw_gap *w)
{
    const struct tw_record *asked = &context->log->record[w->first_record],
                           *answer = &context->log->record[w->last_record];
    struct tw_timekeeper *t = &context->timekeeper[w->sender];
    tcpwhy_ns late_ns = acknowledged_late_ns(context, w->sender, asked, answer);

    if (late_ns < 0 || late_ns > TW_INITIAL_RTO_NS)
        return 0;
    if (late_ns < TW_DELAYED_ACK_NS || w->to_ns - asked[1].time_ns <= late_ns / TW_RARE_SHARE)
        return late_ns;
    if (!t->acks_looked_at) {
        t->acks_looked_at = true;
        t->acks_with_answers = acks_come_with_answers(context, w->sender);
    }
    return t->acks_with_answers ? late_ns : 0;
}

/* Serialization delay of an answer's first segment on a slow link, beyond that of the SYN/ACK. */
static tcpwhy_ns find_serialization(struct tw_context *context, const struct tw_gap *w)
{
    if (context->vantage.to_side_ns[w->sender] == 0 ||
        context->log->record[w->first_record].from == (uint8_t)w->sender)
        return 0;
    return tw_serialization_from_ns(context, w->sender, context->log->record[w->last_record].len);
}

/* No clock shows the delay of a request. Its path may vary as the return path does, may take its
 * time for each byte, and may be as late as the last ACK on it, unless the queue behind that is
 * long gone. */
static tcpwhy_ns find_way_there(struct tw_context *context, const struct tw_gap *w)
{
    const struct tw_timekeeper *t = &context->timekeeper[w->sender];
    const struct tw_record *said = &context->log->record[w->first_record];
    tcpwhy_ns late_ns = w->before ? TCPWHY_MS(w->before->ack_late_ms) : 0;
    tcpwhy_ns rtt_varies_ns = t->rtt_varies_ns;

    if (late_ns > 0 && w->from_ns - tw_gap_record(w, w->before)->time_ns >
                           late_ns + tw_min_rtt_ns(&context->vantage))
        late_ns = 0;
    if (said->from != w->sender)
        rtt_varies_ns = MAX(rtt_varies_ns, tw_serialization_ns(context, w->sender, said->len) +
                                               find_serialization(context, w));
    return MAX(MAX(rtt_varies_ns, late_ns), find_late_question(context, w));
}

/* A kernel answers a SYN at once. Until another sample exists, assume that the first payload was
 * delayed as much as the SYN/ACK; only if neither a clock nor an earlier ACK shows it. */
static tcpwhy_ns find_way_of_syn(const struct tw_context *context, const struct tw_gap *w)
{
    if (w->send != context->sends[w->sender].send || context->prescan.first_stamped[w->sender])
        return 0;
    for (uint32_t i = w->first_record + 1; i < w->last_record; i++)
        if (context->log->record[i].from == (uint8_t)w->sender)
            return 0;
    return context->vantage.syn_late_ns[w->sender];
}

bool tw_one_way_delay_apply(struct tw_context *context, struct tw_gap *w)
{
    tcpwhy_ns beyond_ns = w->to_ns - w->from_ns - w->propagation_ns;
    struct late late;

    if (w->phase == TW_PHASE_MESSAGE) {
        if (w->to_ns - w->from_ns < TW_WORTH_NS) /* the usual case */
            return false;
        w->way.ack_late_ns = find_late_ack(context, w);
        late.sure_ns = find_late_send(context, w);
        if (late.sure_ns == 0)
            return false;
        w->way.due_ns = w->to_ns - late.sure_ns;
        return true;
    }
    w->way.maybe_late_ns = MAX(
        MAX(context->vantage.behind_proxy_ns[w->sender], context->vantage.rtt_varies_ns[w->sender]),
        MAX(find_way_of_syn(context, w), find_serialization(context, w)));
    if (!may_be_late(context, w->sender, beyond_ns))
        return false;
    late = find_late(context, w->sender, w->last_record, beyond_ns);
    w->way.maybe_late_ns = MAX(w->way.maybe_late_ns, find_way_there(context, w));
    if (late.most_ns == 0)
        return false;
    w->way.late_ns = late.sure_ns;
    w->way.maybe_late_ns = MAX(w->way.maybe_late_ns, late.most_ns - late.sure_ns);
    w->propagation_ns += late.sure_ns;
    return true;
}
