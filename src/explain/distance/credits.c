/* SPDX-License-Identifier: MIT */
#include "explain/distance/credits.h"

#include <glib.h>

#include "explain/distance/readings.h"
#include "explain/distance/window_kinds.h"
#include "explain/thresholds.h"

const char tw_window_kind_credits[] = "SMB credits";

/* A wait for credits that ends with a request. */
struct credit_wait {
    uint32_t exchange;
    tcpwhy_ns from_ns, to_ns;
};

/* Did the answer come with the round trip? A server that takes longer is what the client waits for,
 * whatever its credits. */
static bool is_way(const struct tw_context *context, const struct tw_exchange *e)
{
    const struct tw_record *record = context->log->record;

    return e->response_first != TW_NO_RECORD &&
           record[e->response_first].time_ns - record[e->request_last].time_ns <=
               TW_FACTOR * context->vantage.rtt_min_ns;
}

/* The first wait from an exchange on. @return false: there is none. */
static bool find_wait(const struct tw_context *context, struct credit_wait *wait)
{
    const struct tw_exchanges *all = context->exchanges;

    for (; wait->exchange < all->n; wait->exchange++) {
        const struct tw_exchange *e = &all->exchange[wait->exchange];

        if (e->more == 0 || e->request_first == TW_NO_RECORD || !is_way(context, e))
            continue;
        wait->to_ns = context->log->record[e->request_first].time_ns;
        wait->from_ns = wait->to_ns - all->more[e->more - 1].blocked_ns;
        if (wait->from_ns < wait->to_ns)
            return true;
    }
    return false;
}

/* Propagation, or a pause of the server that may be no other: it has answered all requests that
 * reached it. */
static bool may_be_way(const struct tw_context *context, const struct tw_span *span)
{
    return tw_readings_is_way(context, span) ||
           (span->cause == TCPWHY_APP_LIMITED && span->confidence != TCPWHY_CERTAIN &&
            span->from != context->exchanges->exchange[0].asker);
}

/* Spans for most of which a request waited for credits; read as that if not NULL. @return their
 * time. */
static tcpwhy_ns visit(const struct tw_context *context, const struct tw_span *as,
                       struct tw_explanation *x)
{
    struct credit_wait wait = { 0 };
    bool more = find_wait(context, &wait);
    tcpwhy_ns sum_ns = 0;

    for (uint32_t i = 0; i < x->n_spans && more; i++) {
        const struct tw_span *span = &x->span[i];
        tcpwhy_ns both_ns = 0;

        for (; more && wait.from_ns < span->to_ns; more = find_wait(context, &wait)) {
            both_ns += MAX(0, MIN(wait.to_ns, span->to_ns) - MAX(wait.from_ns, span->from_ns));
            if (wait.to_ns > span->to_ns)
                break;
            wait.exchange++;
        }
        if (2 * both_ns < span->to_ns - span->from_ns || !may_be_way(context, span))
            continue;
        sum_ns += span->to_ns - span->from_ns;
        if (as)
            tw_readings_add(x, i, as);
    }
    return sum_ns;
}

bool tw_credits_read(const struct tw_context *context, struct tw_explanation *out)
{
    const struct tw_app_facts *facts = context->exchanges->facts;
    enum tcpwhy_side asker;
    struct tw_span as;

    if (!facts || facts->credits.n < TW_MANY || context->exchanges->n == 0 ||
        facts->credits.ns < TW_FLOW_OF_THOUGHT_NS ||
        2 * visit(context, NULL, out) < facts->credits.ns)
        return false;
    asker = context->exchanges->exchange[0].asker;
    /* A client may also keep no more requests open of its own. */
    as = (struct tw_span) { .cause = TCPWHY_APP_WINDOW,
                            .party = tw_party_of(tw_other(asker)),
                            .from = asker,
                            .confidence = TCPWHY_LIKELY,
                            .rival = TCPWHY_ROUND_TRIPS };
    visit(context, &as, out);
    tw_readings_add_word(out, &as, "kind", tw_window_kind_credits);
    tw_readings_add_number(out, &as, "credit_waits", facts->credits.n);
    tw_readings_add_number(out, &as, "rtt_us", (double)context->vantage.rtt_min_ns / 1e3);
    return true;
}
