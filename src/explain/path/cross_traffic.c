/* SPDX-License-Identifier: MIT */
#include "explain/path/cross_traffic.h"

#include <glib.h>
#include "explain/thresholds.h"

/* What a record tells of the way on which something was asked. */
struct beside {
    tcpwhy_ns took_ns; /* there and back; elsewhere: beyond that of the handshake. 0: nothing */
    tcpwhy_ns late_ns; /* of it beyond the shortest way */
    bool elsewhere;    /* another host was asked */
};

static struct beside told(const struct tw_record *r, enum tcpwhy_side asker, tcpwhy_ns way_ns)
{
    uint16_t steps = r->n_sack ? 0 : r->tx_delay[asker];
    bool elsewhere = steps & TW_HOST_TX_DELAY_ELSEWHERE;
    tcpwhy_ns took_ns = (steps & TW_HOST_TX_DELAY_STEPS) * TW_HOST_TX_DELAY_STEP_NS;

    return (struct beside) { took_ns, MAX(took_ns - (elsewhere ? 0 : way_ns), 0), elsewhere };
}

/* When the first of two records was acknowledged it had come, which the second one did at the
 * latest. */
static tcpwhy_ns acknowledged_after(const struct tw_gap *w, const struct tw_record *from,
                                    const struct tw_record *to)
{
    const struct tw_record *r = from + 1;

    while (r < to && (r->from != w->sender || r->ack < tw_record_end(from)))
        r++;
    return r->time_ns - from->time_ns;
}

/* Of a wait by so much too long, the part that is others': what stood there when it was asked, if
 * as much does when it is answered. What no more than fills it explains it all. */
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
