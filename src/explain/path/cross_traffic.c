/* SPDX-License-Identifier: MIT */
#include "explain/path/cross_traffic.h"

#include <glib.h>
#include "explain/thresholds.h"

/* A record's evidence of the delay of a request's path. */
struct beside {
    tcpwhy_ns took_ns; /* RTT; elsewhere: its excess over the handshake's. 0: unknown */
    tcpwhy_ns late_ns; /* its excess over the minimum */
    bool elsewhere;    /* another host was asked */
};

static struct beside told(const struct tw_record *r, enum tcpwhy_side asker, tcpwhy_ns way_ns)
{
    uint16_t steps = r->n_sack ? 0 : r->tx_delay[asker];
    bool elsewhere = steps & TW_HOST_TX_DELAY_ELSEWHERE;
    tcpwhy_ns took_ns = (steps & TW_HOST_TX_DELAY_STEPS) * TW_HOST_TX_DELAY_STEP_NS;

    return (struct beside) { took_ns, MAX(took_ns - (elsewhere ? 0 : way_ns), 0), elsewhere };
}

/* When the first of two records was acknowledged it had arrived, and the second confirms it at the
 * latest. */
static tcpwhy_ns acknowledged_after(const struct tw_gap *w, const struct tw_record *from,
                                    const struct tw_record *to)
{
    const struct tw_record *r = from + 1;

    while (r < to && (r->from != w->sender || r->ack < tw_record_end(from)))
        r++;
    return r->time_ns - from->time_ns;
}

/* The part of a gap's excess due to other traffic: what was queued when the request was sent, if as
 * much is queued when it is answered. An excess no larger than that is all of it. */
static tcpwhy_ns share_of(const struct beside *asked, const struct beside *answered,
                          tcpwhy_ns most_ns, tcpwhy_ns beyond_ns)
{
    if (asked->elsewhere || answered->elsewhere)
        return 0;
    if (beyond_ns <= most_ns + most_ns / TW_QUEUE_VARIES_SHARE)
        return beyond_ns;
    return MIN(asked->late_ns, answered->took_ns > 0 ? MIN(answered->late_ns, most_ns) : most_ns);
}

tcpwhy_ns tw_cross_traffic_delay_ns(const struct tw_gap *w, enum tcpwhy_side host)
{
    const struct tw_record *record = w->context->log->record;
    const tcpwhy_ns way_ns = 2 * w->context->vantage.to_side_ns[tw_other(host)];
    const struct beside before = told(&record[w->first_record], host, way_ns),
                        after = told(&record[w->last_record], host, way_ns);

    return MAX(before.late_ns + before.took_ns / TW_QUEUE_VARIES_SHARE,
               after.late_ns + after.took_ns / TW_QUEUE_VARIES_SHARE);
}

void tw_cross_traffic_apply(const struct tw_context *context, struct tw_gap *w)
{
    const struct tw_record *from = &context->log->record[w->first_record],
                           *to = &context->log->record[w->last_record];
    const enum tcpwhy_side asker = tw_other(w->sender);
    const tcpwhy_ns way_ns = 2 * context->vantage.to_side_ns[w->sender];
    tcpwhy_ns beyond_ns = w->to_ns - w->from_ns - w->propagation_ns, most_ns, known_ns;
    struct beside asked, answered;

    if (beyond_ns < TW_SHORT_NS || way_ns == 0 || from->from != asker)
        return;
    asked = told(from, asker, way_ns);
    answered = told(to, asker, way_ns);
    if (asked.took_ns == 0 && answered.took_ns == 0)
        return;
    known_ns = MAX(acknowledged_after(w, from, to) - way_ns, 0);
    most_ns = MIN(MAX(asked.late_ns, answered.late_ns), known_ns);
    w->way.cross_traffic = true;
    w->way.cross_traffic_ns = share_of(&asked, &answered, most_ns, beyond_ns);
    w->propagation_ns += w->way.cross_traffic_ns;
    most_ns += MAX(asked.took_ns, answered.took_ns) / TW_QUEUE_VARIES_SHARE;
    w->way.maybe_late_ns =
        MAX(w->way.maybe_late_ns, MIN(most_ns, known_ns) - w->way.cross_traffic_ns);
}

/* Delay of the first data that a turn's answer does not acknowledge; 0: it acknowledges all. */
static tcpwhy_ns unacknowledged_late(const struct tw_gap *w, enum tcpwhy_side asker)
{
    const struct tw_record *record = w->context->log->record, *answer = &record[w->last_record];
    const struct tw_sender_timeline *x = &w->context->sends[asker];
    uint32_t i;

    if (answer->from == (uint8_t)asker || !(answer->flags & TW_ACK))
        return 0;
    i = tw_sender_timeline_up_to(x, answer->ack + 1);
    if (i == x->n || x->send[i].record >= w->last_record)
        return 0;
    return MAX(0, answer->time_ns - record[x->send[i].record].time_ns -
                      2 * w->context->vantage.to_side_ns[w->sender]);
}

void tw_cross_traffic_apply_pipelined(struct tw_gap *w)
{
    const tcpwhy_ns late_ns =
        w->phase == TW_PHASE_TURN ? unacknowledged_late(w, tw_other(w->sender)) : 0;

    if (late_ns <= tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage)))
        return;
    w->way.cross_traffic = true;
    w->way.maybe_late_ns = MAX(w->way.maybe_late_ns, late_ns);
}
