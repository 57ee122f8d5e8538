/* SPDX-License-Identifier: MIT */
#include "explain/distance/chain.h"

#include <glib.h>
#include <string.h>

#include "explain/distance/readings.h"
#include "explain/thresholds.h"

static tcpwhy_ns length_of(const struct tw_span *span)
{
    return span->to_ns - span->from_ns;
}

/* Nothing is requested during this span. */
static bool is_break(const struct tw_context *context, const struct tw_span *span)
{
    switch (span->cause) {
    case TCPWHY_CLIENT_IDLE:
        return length_of(span) > MAX(TW_QUIET_NS, context->vantage.rtt_min_ns);
    case TCPWHY_KEEP_ALIVE:
    case TCPWHY_CLOSE:
    case TCPWHY_RESET:
    case TCPWHY_CAPTURE_GAP:
    case TCPWHY_CONNECT_RETRY:
    case TCPWHY_CONNECT_REFUSED:
        return true;
    default:
        return false;
    }
}

static void add_span(const struct tw_context *context, const struct tw_span *span,
                     struct tw_chain *chain)
{
    tcpwhy_ns ns = length_of(span);

    if (span->cause == TCPWHY_SERVER_THINK)
        chain->think_ns += ns;
    if (span->cause == TCPWHY_PACING)
        chain->pace_ns += ns;
    if (!tw_readings_is_way(context, span))
        return;
    chain->way_ns += ns;
    if (span->cause == TCPWHY_HANDSHAKE) {
        chain->connects = true;
        chain->connect_ns += ns;
    }
}

/* An exchange in which somebody waits for an answer. */
static bool is_asked(const struct tw_exchange *e)
{
    return e->request_first != TW_NO_RECORD && e->response_first != TW_NO_RECORD && !e->at_will &&
           !e->stands;
}

/* TLS handshake exchanges begin with the ClientHello, or are answered before any application
 * data. */
static bool is_of_tls_handshake(const struct tw_exchange *e)
{
    return strcmp(e->protocol, "tls") == 0 && g_str_has_prefix(e->request, "ClientHello");
}

/* Count the exchanges that begin before a moment and were not counted. */
static void count_exchanges(struct tw_chain_search *s, tcpwhy_ns until_ns, struct tw_chain *chain)
{
    const struct tw_exchanges *all = s->context->exchanges;

    for (; s->exchange < all->n; s->exchange++) {
        const struct tw_exchange *e = &all->exchange[s->exchange];

        if (!is_asked(e))
            continue;
        if (s->context->log->record[e->request_first].time_ns >= until_ns)
            return;
        chain->exchanges++;
        chain->tls_exchanges += is_of_tls_handshake(e);
    }
}

bool tw_chain_next(struct tw_chain_search *s, struct tw_chain *out)
{
    const struct tw_explanation *x = s->explanation;
    struct tw_chain passed = { 0 };

    while (s->span < x->n_spans && is_break(s->context, &x->span[s->span]))
        s->span++;
    if (s->span == x->n_spans)
        return false;
    *out = (struct tw_chain) { .first = s->span };
    count_exchanges(s, x->span[s->span].from_ns, &passed);
    for (; s->span < x->n_spans && !is_break(s->context, &x->span[s->span]); s->span++)
        add_span(s->context, &x->span[s->span], out);
    out->end = s->span;
    out->all_ns = x->span[out->end - 1].to_ns - x->span[out->first].from_ns;
    count_exchanges(s, x->span[out->end - 1].to_ns, out);
    return true;
}
