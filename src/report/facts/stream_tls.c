/* SPDX-License-Identifier: MIT */
/*
 * The cost of a TLS handshake beside its round trips: certificates that do not fit into the
 * server's initial window, and a client that pauses over them.
 */
#include <string.h>

#include "base/tuple.h"
#include "explain/thresholds.h"
#include "report/rows/stream_facts.h"

/* The begin of a handshake, from the server's first record on. */
struct handshake {
    const struct tw_connection_result *r;
    const struct tw_exchange *hello; /* ClientHello, and what the server said to it */
    uint32_t answered;               /* the client's record after that, or the server's last */
};

static bool find_handshake(const struct tw_connection_result *r, struct handshake *out)
{
    const struct tw_exchanges *all = r->exchanges;
    const struct tw_exchange *hello = all->n > 0 ? all->exchange : NULL;

    if (!hello || !hello->of_session || !g_str_has_prefix(hello->request, "ClientHello") ||
        hello->response_first == TW_NO_RECORD || hello->response_last == TW_NO_RECORD)
        return false;
    *out = (struct handshake) { r, hello, hello->response_last };
    if (all->n > 1 && all->exchange[1].of_session && all->exchange[1].request_first != TW_NO_RECORD)
        out->answered = all->exchange[1].request_first;
    return true;
}

/* Spans of one cause and sender in the handshake, up to a record. */
struct waits {
    uint32_t n, frame; /* frame: that ended the last one */
    tcpwhy_ns ns;
};

static struct waits waits_for(const struct handshake *h, enum tcpwhy_cause cause,
                              enum tcpwhy_side from, uint32_t until)
{
    const struct tw_explanation *x = h->r->explanation;
    struct waits w = { 0, 0, 0 };

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];

        if (span->cause != cause || span->from != from ||
            span->first_record < h->hello->response_first || span->last_record > until)
            continue;
        w.n++;
        w.ns += span->to_ns - span->from_ns;
        w.frame = h->r->log->record[span->last_record].frame;
    }
    return w;
}

static struct tcpwhy_fact fact_of(const struct handshake *h, const char *word,
                                  enum tcpwhy_side side, const struct waits *w)
{
    return (struct tcpwhy_fact) {
        .fact = word,
        .confidence = TCPWHY_LIKELY,
        .endpoint = tw_tuple_endpoint(&h->r->connection->tuple, side),
        .count = w->n,
        .frame = w->frame,
    };
}

static double ms(tcpwhy_ns ns)
{
    return (double)ns / 1e6;
}

static void tell_flight(const struct handshake *h, struct tw_fact_list *list)
{
    const enum tcpwhy_side server = tw_other(h->hello->asker);
    const struct waits w = waits_for(h, TCPWHY_SLOW_START, server, h->hello->response_last);
    const struct tcpwhy_fact fact = fact_of(h, "tls_flight_beyond_window", server, &w);

    if (w.n == 0)
        return;
    tw_fact_list_add(list, &fact,
                     "The TLS server's first flight (its certificates) is %u bytes long, more than "
                     "its initial window: %u more round trip%s, %.1f ms, up to frame %u.",
                     (unsigned)(h->hello->response_to - h->hello->response_from), (unsigned)w.n,
                     w.n == 1 ? "" : "s", ms(w.ns), (unsigned)w.frame);
}

static void tell_pause(const struct handshake *h, struct tw_fact_list *list)
{
    const struct waits w = waits_for(h, TCPWHY_CLIENT_IDLE, h->hello->asker, h->answered);
    const struct tcpwhy_fact fact = fact_of(h, "tls_client_pause", h->hello->asker, &w);

    if (w.ns < TW_QUIET_NS)
        return;
    tw_fact_list_add(
        list, &fact,
        "The TLS client paused for %.1f ms after the server's certificates, until frame "
        "%u: it may be checking them (OCSP, CRL), or selecting its own certificate.",
        ms(w.ns), (unsigned)w.frame);
}

void tw_stream_tls_find(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    struct handshake h;

    if (!r->exchanges || !r->explanation || !find_handshake(r, &h))
        return;
    tell_flight(&h, list);
    tell_pause(&h, list);
}
