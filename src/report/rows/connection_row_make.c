/* SPDX-License-Identifier: MIT */
/*
 * Builds one connection's row from that connection alone, so that several can be built at the same
 * time.
 */
#include "report/rows/connection_row_make.h"

#include <string.h>

#include "base/memory.h"
#include "report/facts/before_asking.h"
#include "report/facts/facts.h"
#include "report/rows/answer_end.h"
#include "report/rows/row_payload.h"
#include "report/rows/ledger.h"
#include "report/rows/stream_facts.h"
#include "report/rows/percentiles.h"
#include "report/rows/traffic.h"

static uint32_t frame_at(const struct tw_log *log, uint32_t record)
{
    return record < log->n ? log->record[record].frame : 0;
}

static tcpwhy_ns time_at(const struct tw_log *log, uint32_t record)
{
    return record < log->n ? log->record[record].time_ns : TCPWHY_NS_UNKNOWN;
}

static tcpwhy_ns known_later(tcpwhy_ns ns)
{
    return ns >= 0 ? ns : TCPWHY_NS_UNKNOWN;
}

/* The record that completes the first bytes that the asker can read: of a TLS record all. */
static uint32_t first_readable(const struct tw_log *log, const struct tw_exchange *e)
{
    const int64_t to = e->response_from + e->sealed_head;
    int64_t came = 0;

    for (uint32_t i = e->response_first; e->sealed_head > 0 && i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from != (uint8_t)e->asker && r->fresh > 0)
            came += MAX(MIN(tw_record_end(r), to) - MAX(r->seq, e->response_from), 0);
        if (came >= e->sealed_head)
            return i;
        if (i >= e->response_last)
            break;
    }
    return e->response_first;
}

/*
 * An exchange as the asker's host lived it: the request leaves half a round trip before the vantage
 * sees it, and the response arrives half a round trip after. Unknown where there is none, and where
 * it came before the request: frames that the capture holds in another order, or no answer at all.
 */
struct lived {
    tcpwhy_ns start_ns, first_byte_ns, total_ns, request_ns;
};

static struct lived lived(const struct tw_connection_result *result, const struct tw_exchange *e)
{
    const struct tw_log *log = result->log;
    tcpwhy_ns way = result->explanation->vantage.to_side_ns[e->asker];
    tcpwhy_ns asked = time_at(log, e->request_first), first = time_at(log, first_readable(log, e));
    struct lived l = { asked, TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN };

    if (asked == TCPWHY_NS_UNKNOWN)
        return l;
    l.start_ns = asked - way;
    if (e->request_last < log->n)
        l.request_ns = known_later(time_at(log, e->request_last) - asked);
    if (first != TCPWHY_NS_UNKNOWN)
        l.first_byte_ns = known_later(first - asked + 2 * way);
    if (e->response_last < log->n)
        l.total_ns = known_later(tw_exchange_arrival(log, e, way) - l.start_ns);
    return l;
}

static struct tcpwhy_exchange exchange_view(const struct tw_connection_result *result,
                                            const struct tw_exchange *e)
{
    static const struct tw_exchange_more nothing;
    const struct tw_log *log = result->log;
    const struct tw_exchange_more *more =
        e->more ? &result->exchanges->more[e->more - 1] : &nothing;
    bool own = more->bytes[0] || more->bytes[1];
    struct lived times = lived(result, e);

    return (struct tcpwhy_exchange) {
        .protocol = e->protocol,
        .request = "",
        .status = e->status,
        .complete = e->complete,
        .request_frame = frame_at(log, e->request_first),
        .request_last_frame = frame_at(log, e->request_last),
        .response_frame = frame_at(log, e->response_first),
        .response_last_frame = frame_at(log, e->response_last),
        .start_ns = times.start_ns,
        .first_byte_ns = times.first_byte_ns,
        .total_ns = times.total_ns,
        .request_bytes = own ? more->bytes[0] : (uint64_t)(e->request_to - e->request_from),
        .response_bytes = own ? more->bytes[1] : (uint64_t)(e->response_to - e->response_from),
        .detail = "",
        .http2_stream = more->id,
        .request_messages = more->messages[0],
        .response_messages = more->messages[1],
        .window_wait_ns = more->blocked_ns,
        .of_session = e->of_session,
        .request_ns = times.request_ns,
    };
}

static const char *detail_of(const struct tw_exchanges *all, uint32_t i)
{
    const struct tw_exchange *e = &all->exchange[i];

    return e->more && all->more[e->more - 1].detail ? all->more[e->more - 1].detail : "";
}

/* Is an exchange's text the same as that of the one before? It often is. */
static bool repeats(const struct tw_exchanges *all, uint32_t i)
{
    return i > 0 && all->exchange[i].request == all->exchange[i - 1].request &&
           strcmp(detail_of(all, i), detail_of(all, i - 1)) == 0;
}

/* Size of the texts of a row's exchanges. */
static size_t text_bytes(const struct tw_exchanges *all)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < all->n; i++)
        if (!repeats(all, i))
            bytes += strlen(all->exchange[i].request) + 1 +
                     (detail_of(all, i)[0] ? strlen(detail_of(all, i)) + 1 : 0);
    return bytes;
}

/* @return the end of the texts. */
static char *put_texts(struct tcpwhy_exchange *view, char *text, const char *request,
                       const char *detail)
{
    char *end = g_stpcpy(text, request);

    view->request = text;
    view->detail = end;
    if (!detail[0])
        return end + 1;
    view->detail = end + 1;
    return g_stpcpy(end + 1, detail) + 1;
}

/* The views, followed in the same block by their texts. */
static struct tcpwhy_exchange *keep_exchanges(const struct tw_connection_result *result,
                                              size_t *bytes)
{
    const struct tw_exchanges *all = result->exchanges;
    size_t of_views = all->n * sizeof(struct tcpwhy_exchange);
    struct tcpwhy_exchange *views;
    struct tw_exchange copy;
    uint32_t span = 0;
    char *text;

    *bytes = of_views + text_bytes(all) + 1;
    views = tw_malloc(*bytes);
    text = (char *)views + of_views;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = tw_answer_end(result, &all->exchange[i], &span, &copy);

        views[i] = exchange_view(result, e);
        if (repeats(all, i)) {
            views[i].request = views[i - 1].request;
            views[i].detail = views[i - 1].detail;
            continue;
        }
        text = put_texts(&views[i], text, e->request, detail_of(all, i));
    }
    return views;
}

static void count_status(struct tw_connection_row *conn, uint16_t status)
{
    if (!status)
        return;
    conn->stream.status.n[status >= 100 && status < 600 ? status / 100 : 0]++;
    conn->only_status = tw_status_common(conn->only_status, status);
}

/* Most connections have one exchange. There are no more than most to come. */
static void add_latency(struct tw_connection_row *conn, tcpwhy_ns latency, uint32_t most)
{
    if (conn->n_latencies == 0) {
        conn->latency = latency;
    } else {
        if (!conn->latencies) {
            conn->latencies = tw_new(tcpwhy_ns, most + 1);
            conn->latencies[0] = conn->latency;
        }
        conn->latencies[conn->n_latencies] = latency;
    }
    conn->n_latencies++;
}

/* The first status of a failure at the server (RFC 9110, section 15.6). */
#define FIRST_ERROR 500

/* A request without an answer; in a connection that continues the answer may come. */
static bool is_unheard(const struct tw_exchange *e)
{
    return e->request_to > e->request_from && e->response_to == e->response_from && !e->at_will &&
           !e->of_session && !e->one_way;
}

/* Add an answer with a failure of the server or behind it, up to a maximum. */
static void add_error(struct tw_connection_row *conn, const struct lived *times, uint32_t most)
{
    if (!conn->error)
        conn->error = tw_new(struct tw_connection_row_error, most);
    conn->error[conn->n_errors++] =
        (struct tw_connection_row_error) { times->start_ns + times->total_ns, times->total_ns };
}

static void add_exchanges(struct tw_connection_row *conn, const struct tw_connection_result *result,
                          bool keep)
{
    const struct tw_exchanges *all = result->exchanges;
    struct tw_stream_row *s = &conn->stream;
    tcpwhy_ns first_ns = TCPWHY_NS_UNKNOWN, last_ns = TCPWHY_NS_UNKNOWN;
    struct tw_exchange copy;
    uint32_t span = 0;

    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = tw_answer_end(result, &all->exchange[i], &span, &copy);
        struct lived times;

        count_status(conn, e->status);
        conn->n_unheard += s->complete_end && is_unheard(e);
        if (!e->complete || e->of_session)
            continue;
        times = lived(result, e);
        if (times.total_ns == TCPWHY_NS_UNKNOWN || e->one_way)
            continue;
        if (e->status >= FIRST_ERROR)
            add_error(conn, &times, all->n - i);
        else
            add_latency(conn, times.total_ns, all->n);
        first_ns = first_ns == TCPWHY_NS_UNKNOWN ? times.start_ns : MIN(first_ns, times.start_ns);
        last_ns = MAX(last_ns, times.start_ns + times.total_ns);
    }
    if (conn->n_errors > 0)
        conn->good =
            tw_memdup2(tw_connection_row_latencies(conn), conn->n_latencies * sizeof *conn->good);
    for (uint32_t i = 0; i < conn->n_errors; i++)
        add_latency(conn, conn->error[i].took_ns, all->n);
    if (keep) {
        s->exchanges = keep_exchanges(result, &conn->bytes);
        s->n_exchanges = all->n;
    }
    s->latency =
        tw_percentiles(conn->latencies ? conn->latencies : &conn->latency, conn->n_latencies);
    tw_percentiles_span(&s->latency, first_ns, last_ns);
}

static void add_ledger(struct tw_connection_row *conn, const struct tw_explanation *x)
{
    struct tcpwhy_ledger_entry *lines = tw_scratch_get(x->scratch, x->n_spans, sizeof *lines);
    uint32_t n = tw_ledger_of_spans(x, lines);

    tw_ledger_sort(lines, n);
    conn->stream.ledger = tw_ledger_keep(lines, n, conn->few);
    conn->stream.n_ledger = n;
    conn->bytes += n * sizeof *lines;
    tw_scratch_return(x->scratch, lines);
}

static void add_spans(struct tw_connection_row *conn, const struct tw_connection_result *result)
{
    const struct tw_explanation *x = result->explanation;
    struct tcpwhy_span *views = tw_spans_new(x->n_spans);

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];

        views[i] = (struct tcpwhy_span) {
            .from_ns = span->from_ns,
            .to_ns = span->to_ns,
            .cause = span->cause,
            .party = span->party,
            .from = span->from,
            .confidence = span->confidence,
            .rival = span->rival,
            .first_frame = frame_at(result->log, span->first_record),
            .last_frame = frame_at(result->log, span->last_record),
        };
    }
    conn->stream.spans = views;
    conn->stream.n_spans = x->n_spans;
    conn->bytes += x->n_spans * sizeof *views;
}

static void add_weighings(struct tw_connection_row *conn, const struct tw_explanation *x)
{
    if (!x->weighings)
        return;
    conn->stream.weighings = tw_weighings_copy(x->weighings);
    conn->bytes += tw_weighings_bytes(x->weighings);
}

static int64_t isn_of(const struct tw_side *side)
{
    return side->syn ? (int64_t)side->isn : -1;
}

static void fill_stream(const struct tw_connection_result *result, struct tw_stream_row *out)
{
    const struct tw_connection *c = result->connection;
    const struct tw_vantage *v = &result->explanation->vantage;
    const struct tw_repair_counts *n = &result->explanation->repairs;
    const struct tw_past *past = &c->past;
    const struct tw_log *log = result->log;
    tcpwhy_ns start_ns = past->row == TW_NO_ROW ? log->record[0].time_ns : past->last_ns;

    *out = (struct tw_stream_row) {
        .stream = c->stream,
        .client = tw_tuple_endpoint(&c->tuple, TCPWHY_CLIENT),
        .server = tw_tuple_endpoint(&c->tuple, TCPWHY_SERVER),
        .roles_inferred = c->roles_inferred,
        .complete_start = c->side[TCPWHY_CLIENT].syn && c->side[TCPWHY_SERVER].syn,
        .complete_end = c->side[0].fin || c->side[1].fin || c->side[0].rst || c->side[1].rst,
        .vantage = v->place,
        .vantage_confidence = v->confidence,
        .start_ns = start_ns,
        .duration_ns = log->record[log->n - 1].time_ns - start_ns,
        .first_frame = c->first_frame,
        .last_frame = c->last_frame,
        .frames = log->n,
        .bytes_to_server = c->side[TCPWHY_CLIENT].bytes - past->bytes[TCPWHY_CLIENT],
        .bytes_to_client = c->side[TCPWHY_SERVER].bytes - past->bytes[TCPWHY_SERVER],
        .retransmissions =
            c->side[0].retransmissions + c->side[1].retransmissions - past->retransmissions,
        .repairs = { n->fast, n->probes, n->timeouts, n->after_timeouts, n->spurious },
        .rtt_min_ns = v->rtt_min_ns,
        .rtt_median_ns = v->rtt_median_ns,
        .rtt_max_ns = v->rtt_max_ns,
        .way_ns = { v->to_side_ns[TCPWHY_CLIENT], v->to_side_ns[TCPWHY_SERVER] },
        .isn = { isn_of(&c->side[TCPWHY_CLIENT]), isn_of(&c->side[TCPWHY_SERVER]) },
    };
}

static void note_event(void *user, enum tw_setup_event event, tcpwhy_ns at_ns)
{
    struct tw_connection_row *conn = user;

    if (conn->n_events < TW_CONNECTION_ROW_EVENTS)
        conn->event[conn->n_events] = (struct tw_connection_row_event) { event, at_ns };
    conn->n_events++;
}

/* Fill in all fields that need no search. */
static void begin(struct tw_connection_row *conn, const struct tw_connection_result *result)
{
    conn->connection = result->connection;
    conn->log = result->log;
    conn->first = result->connection->past.row == TW_NO_ROW;
    fill_stream(result, &conn->stream);
    conn->bytes = 0;
    conn->n_latencies = 0;
    conn->latencies = NULL;
    conn->n_unheard = 0;
    conn->before_asking = tw_before_asking_read(result);
    conn->named = result->exchanges->facts ? result->exchanges->facts->named
                                           : (struct tw_named_address) { 0 };
    conn->good = NULL;
    conn->n_errors = 0;
    conn->error = NULL;
    conn->only_status = 0;
    conn->n_events = 0;
}

/* Count jumps of the capture's clock: those that the log noted, longer than any connection lives;
 * else likely capture gaps, which are jumps that the hosts' TSval clocks contradict. */
static void count_leaps(struct tw_connection_row *conn, const struct tw_connection_result *result)
{
    const struct tw_explanation *x = result->explanation;

    conn->n_leaps = result->log->n_leaps;
    conn->first_leap = result->log->first_leap;
    for (uint32_t i = 0; conn->weight.gap_ns > 0 && i < x->n_spans; i++)
        if (x->span[i].cause == TCPWHY_CAPTURE_GAP && x->span[i].confidence == TCPWHY_LIKELY &&
            conn->n_leaps++ == 0)
            conn->first_leap = frame_at(result->log, x->span[i].last_record);
}

/* The side that sends the first FIN keeps the pair of ports (TIME-WAIT, RFC 9293, section 3.3.2),
 * unless a RST ends the connection. FINs are sought from the end, where they are. */
static void read_close(struct tw_connection_row *conn, const struct tw_connection_result *result)
{
    const struct tw_side *side = result->connection->side;
    const struct tw_log *log = result->log;
    bool seen[2] = { false, false };

    conn->closed_by = -1;
    conn->released = side[0].rst || side[1].rst || (side[0].fin && side[1].fin);
    if (side[0].rst || side[1].rst || !side[0].fin || !side[1].fin)
        return;
    for (uint32_t i = log->n; i > 0 && !(seen[0] && seen[1]); i--) {
        const struct tw_record *r = &log->record[i - 1];

        if (!(r->flags & TW_FIN))
            continue;
        seen[r->from] = true;
        conn->closed_by = (int)r->from;
    }
}

static void add_setup(struct tw_connection_row *conn, const struct tw_connection_result *result)
{
    const struct tw_connection *c = result->connection;

    conn->setup = (struct tw_setup) { 0 };
    conn->reset_by = -1;
    read_close(conn, result);
    conn->probe.may_be = false;
    if (!conn->first)
        return;
    tw_setup_read(result->log, c->tuple.version, &conn->setup, note_event, conn);
    conn->reset_by = tw_setup_reset_by(c, result->log, &conn->setup);
    tw_probe_read(c, result->log, &conn->setup, conn->stream.way_ns[TCPWHY_CLIENT], &conn->probe);
}

/* Find the connection's failure; its culprit is the party of the gaps that it caused. */
static void find_failure(struct tw_connection_row *conn, const struct tw_connection_result *result)
{
    const struct tw_explanation *x = result->explanation;

    tw_failures_find(result->connection, result->log, result->exchanges, &x->vantage,
                     &conn->failure);
    if (conn->failure.kind == TCPWHY_FAILURE_NONE)
        return;
    for (uint32_t i = 0; i < x->n_spans; i++)
        x->span[i].party = tw_failure_party(&conn->failure, x->span[i].cause, x->span[i].party);
}

/* The row's own: what exchanges point to lives no longer than the connection. */
static void keep_name(struct tw_connection_row *conn, const char *name)
{
    conn->stream.called = tw_strdup(name);
    conn->bytes += name ? strlen(name) + 1 : 0;
}

void tw_connection_row_make(struct tw_connection_row *conn,
                            const struct tw_connection_result *result,
                            const struct tcpwhy_options *options,
                            struct tw_connection_findings *per_connection)
{
    begin(conn, result);
    conn->data_only = result->explanation->data_only;
    add_exchanges(conn, result, options->keep_exchanges);
    find_failure(conn, result);
    add_ledger(conn, result->explanation);
    if (options->keep_spans)
        add_spans(conn, result);
    add_weighings(conn, result->explanation);
    conn->stream.facts = tw_stream_facts(result, &conn->stream.n_facts, &conn->bytes);
    keep_name(conn, options->numeric ? NULL : result->exchanges->server_name);
    tw_weigh(result->explanation, &conn->stream, result->log->clock_step_ns, &conn->weight);
    tw_weight_take_requests(&conn->weight, result->exchanges);
    tw_weight_take_failure(&conn->weight, &conn->failure);
    count_leaps(conn, result);
    conn->per_connection =
        tw_connection_findings_judge(per_connection, &conn->stream, result->log, &conn->weight);
    conn->stream.verdict = conn->per_connection->verdict;
    conn->stream.verdict.failures = conn->failure.kind != TCPWHY_FAILURE_NONE;
    conn->stream.verdict.failure = conn->failure.kind;
    add_setup(conn, result);
    tw_asks_read(result->log, result->exchanges, &conn->setup, &conn->asks);
    tw_connection_counters_make(&conn->counters, result->log,
                                tw_traffic_width(options->interval_ns));
}
