/* SPDX-License-Identifier: MIT */
/*
 * Facts of an HTTP/2 connection: waits for flow control, streams that were ended, PINGs, GOAWAY,
 * and head-of-line blocking between its streams.
 */
#include "base/number.h"
#include "base/tuple.h"
#include "report/rows/stream_facts.h"

/* Facts of the side are by sender: 0 is the asker. */
static enum tcpwhy_side side_of(const struct tw_connection_result *r, int way)
{
    const struct tw_exchanges *all = r->exchanges;
    enum tcpwhy_side asker = all->n > 0 ? all->exchange[0].asker : TCPWHY_CLIENT;

    return way == 0 ? asker : (enum tcpwhy_side) !asker;
}

static const char *name_of(enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? "client" : "server";
}

static struct tcpwhy_fact fact_of(const struct tw_connection_result *r, const char *word, int way)
{
    return (struct tcpwhy_fact) {
        .fact = word,
        .confidence = TCPWHY_CERTAIN,
        .endpoint = tw_tuple_endpoint(&r->connection->tuple, side_of(r, way)),
        .count = 1,
    };
}

static double ms(tcpwhy_ns ns)
{
    return (double)ns / 1e6;
}

/* ---- what each side allows ---------------------------------------------------------------------
 */

static void tell_settings(const struct tw_connection_result *r, int way, struct tw_fact_list *list)
{
    const struct tw_http2_settings *s = &r->exchanges->facts->settings[way];
    struct tcpwhy_fact fact = fact_of(r, "http2_settings", way);
    struct tw_short_text streams = { "any number of" };

    if (s->frame == 0)
        return;
    fact.frame = s->frame;
    if (s->streams != UINT32_MAX)
        streams = tw_count(s->streams);
    tw_fact_list_add(list, &fact,
                     "The %s allows %s HTTP/2 streams at once, a window of %u bytes for each, and "
                     "frames of %u bytes (SETTINGS, frame %u).",
                     name_of(side_of(r, way)), streams.text, (unsigned)s->window,
                     (unsigned)s->frame_bytes, (unsigned)fact.frame);
}

/* ---- flow control ---------------------------------------------------------------------------- */

static void tell_waits(const struct tw_connection_result *r, int way, bool of_streams,
                       struct tw_fact_list *list)
{
    const struct tw_app_facts *facts = r->exchanges->facts;
    const struct tw_window_waits *waits =
        of_streams ? &facts->stream_window[way] : &facts->connection_window[way];
    struct tcpwhy_fact fact =
        fact_of(r, of_streams ? "http2_stream_window_waits" : "http2_connection_window_waits", way);

    if (waits->n == 0)
        return;
    fact.count = waits->n;
    fact.frame = waits->frame;
    tw_fact_list_add(list, &fact,
                     "The %s used up the HTTP/2 window of %s %u times, and waited %.1f ms for "
                     "WINDOW_UPDATE, first before frame %u.",
                     name_of(side_of(r, way)), of_streams ? "its streams" : "the connection",
                     (unsigned)waits->n, ms(waits->ns), (unsigned)fact.frame);
}

/* ---- ends, and the way ----------------------------------------------------------------------- */

static void tell_resets(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    const struct tw_app_facts *facts = r->exchanges->facts;
    struct tcpwhy_fact fact = fact_of(r, "http2_streams_reset", 1);

    if (facts->resets.n == 0)
        return;
    fact.count = facts->resets.n;
    fact.of = MAX(r->exchanges->n, facts->resets.n);
    fact.frame = facts->resets.frame;
    tw_fact_list_add(list, &fact,
                     "RST_STREAM ended %u HTTP/2 streams with an error, first in frame %u: their "
                     "requests failed, and the connection went on.",
                     (unsigned)facts->resets.n, (unsigned)fact.frame);
}

static void tell_goaway(const struct tw_connection_result *r, int way, struct tw_fact_list *list)
{
    const struct tw_app_facts *facts = r->exchanges->facts;
    struct tcpwhy_fact fact = fact_of(r, "http2_goaway", way);

    if (!facts->goaway[way] || facts->goaway_error[way] == 0)
        return;
    fact.frame = facts->goaway_frame[way];
    tw_fact_list_add(list, &fact,
                     "The %s ended the HTTP/2 connection with GOAWAY, %s, in frame %u: later "
                     "requests were not served.",
                     name_of(side_of(r, way)), facts->goaway_name[way], (unsigned)fact.frame);
}

static void tell_pings(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    const struct tw_app_facts *facts = r->exchanges->facts;
    struct tcpwhy_fact fact = fact_of(r, "http2_pings", 1);

    if (facts->pings == 0)
        return;
    fact.count = facts->pings;
    fact.frame = facts->pings_frame;
    tw_fact_list_add(list, &fact,
                     "%u PINGs of HTTP/2 were answered, the fastest in %.1f ms (first in frame "
                     "%u).",
                     (unsigned)facts->pings, ms(facts->ping_min_ns), (unsigned)fact.frame);
}

/* ---- head-of-line blocking ------------------------------------------------------------------- */

/* Bytes beyond a hole wait for its repair (why RFC 9000 has separate streams). */
static bool is_repair(const struct tw_span *span, enum tcpwhy_side answerer)
{
    return span->cause == TCPWHY_LOSS_RECOVERY && span->from == answerer;
}

/* Does the response wait during the whole span? */
static bool waits_in(const struct tw_exchange *e, const struct tw_span *span)
{
    return e->request_last != TW_NO_RECORD && e->request_last <= span->first_record &&
           e->response_last != TW_NO_RECORD && e->response_last >= span->last_record;
}

static uint32_t waiting_in(const struct tw_exchanges *all, const struct tw_span *span)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < all->n; i++)
        n += waits_in(&all->exchange[i], span);
    return n;
}

/* Requests are gone through for each repair: many of both are left to the ledger. */
#define MOST_STEPS (1u << 22)

static void tell_head_of_line(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    const struct tw_explanation *x = r->explanation;
    struct tcpwhy_fact fact = fact_of(r, "http2_head_of_line", 1);
    tcpwhy_ns repairs_ns = 0, others_ns = 0;
    uint32_t most = 0;

    if (!x || (uint64_t)x->n_spans * r->exchanges->n > MOST_STEPS)
        return;
    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];
        uint32_t n = is_repair(span, side_of(r, 1)) ? waiting_in(r->exchanges, span) : 0;

        if (n < 2)
            continue;
        fact.frame = fact.frame ? fact.frame : r->log->record[span->last_record].frame;
        repairs_ns += span->to_ns - span->from_ns;
        others_ns += (n - 1) * (span->to_ns - span->from_ns);
        most = MAX(most, n);
    }
    if (most == 0)
        return;
    fact.confidence = TCPWHY_LIKELY;
    fact.count = most;
    tw_fact_list_add(list, &fact,
                     "For %.1f ms lost segments held up all HTTP/2 streams of the one TCP "
                     "connection, up to %u responses at once (first until frame %u): %.1f ms in "
                     "all, which independently ordered streams (HTTP/3) would not have "
                     "waited.",
                     ms(repairs_ns), (unsigned)most, (unsigned)fact.frame, ms(others_ns));
}

void tw_stream_http2_find(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    if (!r->exchanges || !r->exchanges->facts || !r->exchanges->facts->http2)
        return;
    for (int way = 0; way < 2; way++) {
        tell_settings(r, way, list);
        tell_waits(r, way, true, list);
        tell_waits(r, way, false, list);
        tell_goaway(r, way, list);
    }
    tell_resets(r, list);
    tell_pings(r, list);
    tell_head_of_line(r, list);
}
