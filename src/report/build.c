/* SPDX-License-Identifier: MIT */
#include "report/build.h"

#include "base/array.h"
#include "base/options.h"
#include "base/text.h"
#include "report/facts/facts.h"
#include "report/facts/ip_fallback.h"
#include "report/failures/failures.h"
#include "report/findings/advice.h"
#include "report/findings/findings.h"
#include "report/findings/upstream.h"
#include "report/facts/listeners.h"
#include "report/facts/name_rows.h"
#include "report/facts/connection_attempts.h"
#include "report/facts/port_use.h"
#include "report/facts/ports.h"
#include "report/facts/probes.h"
#include "report/facts/quality.h"
#include "report/facts/udp_flows.h"
#include "report/report_views.h"
#include "report/rows/rows.h"

/* Connections whose setup is kept, within this part of the memory bound; telling clients apart
 * takes half as much again. Earlier ones are added up, which loses little: a client has fewer ports
 * than this to use in a minute. */
#define MOST_OPENINGS  131072
#define OPENINGS_SHARE 16

/* Part of the memory bound for SYNs that lead to no connection. */
#define PROBES_SHARE 64

/* Share of the memory bound for each listener and each group of gaps: a scan of the whole Internet
 * takes a few hundredths of it. 65,536 of either at 2 GiB. */
#define ENDPOINT_SHARE 32768

/* Failed answers kept, to compare with times without a free port. */
#define MOST_ERRORS 131072

/* Failures are kept one by one, so that each can be looked up; more than that nobody reads. */
#define MOST_FAILURES 16384u

/* Waits that are related to each other: a few megabytes; of more, the longest. */
#define MOST_ASKS 32768u

static guint most_endpoints(const struct tcpwhy_options *options)
{
    return options->memory_bytes ? (guint)MIN(options->memory_bytes / ENDPOINT_SHARE, G_MAXINT)
                                 : G_MAXINT;
}

struct tw_builder {
    const struct tcpwhy_options *options;
    struct tw_gathering *gathering;
    struct tw_failure_list *failures;
    struct tw_upstream *upstream;
    struct tw_listeners *listeners;
    struct tw_quality *quality;
    struct tw_traffic *traffic;
    struct tw_connection_attempts *attempts;
    struct tw_probes *probes;
    tw_array *ports;  /* struct tcpwhy_ports, of the openings that were settled */
    tw_array *errors; /* struct tw_error_answer */
    struct tw_rows rows;
    struct tcpwhy_status_classes status;
    uint16_t only_status;
};

struct tw_builder *tw_builder_new(const struct tcpwhy_options *options, struct tw_traffic *traffic)
{
    struct tw_builder *b = tw_new0(struct tw_builder, 1);

    b->options = options;
    b->gathering = tw_gathering_new(options->keep_waits, most_endpoints(options));
    b->failures = tw_failure_list_new(MIN(most_endpoints(options), MOST_FAILURES));
    b->upstream = tw_upstream_new(MIN(most_endpoints(options), MOST_ASKS));
    b->listeners = tw_listeners_new(most_endpoints(options));
    b->quality = tw_quality_new();
    b->traffic = traffic;
    b->attempts = tw_connection_attempts_new();
    b->probes = tw_probes_new(options->memory_bytes / PROBES_SHARE);
    b->ports = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports));
    b->errors = tw_array_new(FALSE, FALSE, sizeof(struct tw_error_answer));
    tw_rows_init(&b->rows, options);
    return b;
}

struct tw_builder *tw_builder_copy(const struct tw_builder *from,
                                   const struct tcpwhy_options *options, struct tw_traffic *traffic)
{
    struct tw_builder *b = tw_memdup2(from, sizeof *from);

    b->options = options;
    b->gathering = tw_gathering_copy(from->gathering);
    b->failures = tw_failure_list_copy(from->failures);
    b->upstream = tw_upstream_copy(from->upstream);
    b->listeners = tw_listeners_copy(from->listeners);
    b->quality = tw_quality_copy(from->quality);
    b->traffic = traffic;
    b->attempts = tw_connection_attempts_copy(from->attempts);
    b->probes = tw_probes_copy(from->probes);
    b->ports = tw_array_copy(from->ports);
    b->errors = tw_array_copy(from->errors);
    tw_rows_copy(&b->rows, &from->rows);
    return b;
}

void tw_builder_free(struct tw_builder *b)
{
    if (!b)
        return;
    tw_gathering_free(b->gathering);
    tw_failure_list_free(b->failures);
    tw_upstream_free(b->upstream);
    tw_listeners_free(b->listeners);
    tw_quality_free(b->quality);
    tw_connection_attempts_free(b->attempts);
    tw_probes_free(b->probes);
    tw_array_free(b->ports, TRUE);
    tw_array_free(b->errors, TRUE);
    tw_rows_clear(&b->rows);
    tw_free(b);
}

guint tw_builder_listener(struct tw_builder *b, const struct tw_connection *c)
{
    struct tcpwhy_endpoint server = tw_tuple_endpoint(&c->tuple, TCPWHY_SERVER);

    return tw_listeners_number(b->listeners, &server);
}

static bool announce_finding(const struct tcpwhy_callbacks *to, const struct tw_finding_row *row)
{
    tw_autofree struct tcpwhy_finding *view = tw_finding_view(row);

    return to->on_finding(to->user, view);
}

static bool announce_stream(const struct tcpwhy_callbacks *to, const struct tw_stream_row *row)
{
    tw_autofree struct tcpwhy_stream *view = tw_stream_view(row);

    return to->on_stream(to->user, view);
}

/* @return false when a callback asked to stop. */
static bool announce(const struct tcpwhy_callbacks *to, const struct tw_stream_row *s,
                     const tw_array *findings)
{
    for (guint i = 0; to->on_finding && i < findings->len; i++)
        if (!announce_finding(to, &tw_array_index(findings, struct tw_finding_row, i)))
            return false;
    return !to->on_stream || announce_stream(to, s);
}

static void tell_unanswered(void *builder, guint listener, tcpwhy_ns at_ns)
{
    struct tw_builder *b = builder;
    struct tw_traffic_pen pen = tw_traffic_pen(b->traffic, listener);

    tw_traffic_event(&pen, TW_EVENT_UNANSWERED, at_ns);
}

static void count_ports(struct tw_builder *b, guint n, tw_array *views)
{
    tw_array *all = tw_connection_attempts_all(b->attempts);

    tw_ports_count((struct tw_opening *)(void *)all->data, n, b->errors, views,
                   tw_listeners_endpoint, b->listeners);
}

/* Add up the older half of what is kept of openings when that is too much. */
static void settle_openings(struct tw_builder *b, uint32_t frame)
{
    uint64_t bytes = b->options->memory_bytes ? b->options->memory_bytes : UINT64_MAX;
    uint64_t fit = bytes / OPENINGS_SHARE / sizeof(struct tw_opening);
    guint n;

    if (tw_connection_attempts_all(b->attempts)->len <= MIN(fit, MOST_OPENINGS))
        return;
    n = tw_connection_attempts_settle(b->attempts, tell_unanswered, b);
    count_ports(b, n, b->ports);
    tw_connection_attempts_drop(b->attempts, n);
    if (fit < MOST_OPENINGS)
        tw_quality_bound(b->quality, TW_BOUND_OPENINGS, n, frame);
}

/* Add the connection's counters to the traffic. */
static void add_sums(struct tw_builder *b, guint listener, const struct tw_connection_row *conn)
{
    struct tw_traffic_pen pen = tw_traffic_pen(b->traffic, listener);

    tw_traffic_add(&pen, &conn->counters);
}

static void tell_event(void *user, enum tw_setup_event event, tcpwhy_ns at_ns)
{
    tw_traffic_event(user, event, at_ns);
}

/* Add the connection's setup to its listener and to the traffic. */
static void add_opening(struct tw_builder *b, guint listener, const struct tw_connection_row *conn)
{
    struct tw_traffic_pen pen = tw_traffic_pen(b->traffic, listener);

    tw_connection_row_events(conn, tell_event, &pen);
    tw_connection_attempts_add(b->attempts, listener, conn);
    tw_probes_add(b->probes, &conn->stream.client, &conn->stream.server, &conn->probe);
    settle_openings(b, conn->stream.last_frame);
}

static void add_status(struct tw_builder *b, const struct tw_connection_row *conn)
{
    for (int i = 0; i < 6; i++)
        b->status.n[i] += conn->stream.status.n[i];
    b->only_status = tw_status_common(b->only_status, conn->only_status);
}

static void add_errors(struct tw_builder *b, guint listener, const struct tw_connection_row *conn)
{
    for (uint32_t i = 0; i < conn->n_errors && b->errors->len < MOST_ERRORS; i++) {
        struct tw_error_answer e = { conn->error[i].at_ns, conn->error[i].took_ns, listener };

        tw_array_append_val(b->errors, e);
    }
}

static void keep_row(struct tw_builder *b, struct tw_connection_row *conn)
{
    struct tw_log *log = b->options->keep_spans ? tw_log_take(conn->log) : NULL;

    tw_rows_add(&b->rows, conn, log);
}

bool tw_builder_tell(struct tw_builder *b, guint listener, struct tw_connection_row *conn)
{
    struct tw_top_rows *row =
        conn->first ? NULL : tw_rows_find(&b->rows, conn->connection->past.row);
    tw_causes before = conn->first ? 0 : row ? tw_rows_causes(&b->rows, row) : UINT64_MAX;

    tw_gathering_add(b->gathering, &conn->stream, conn->log, &conn->weight, before);
    tw_failure_list_add(b->failures, conn);
    tw_upstream_add(b->upstream, conn);
    tw_listeners_add(b->listeners, listener, conn);
    tw_quality_add(b->quality, conn);
    add_status(b, conn);
    add_errors(b, listener, conn);
    add_sums(b, listener, conn);
    if (conn->first)
        add_opening(b, listener, conn);
    else
        tw_connection_attempts_add_late(b->attempts, conn);
    if (!announce(tw_callbacks(b->options), &conn->stream, conn->per_connection->findings))
        return false;
    if (conn->first)
        keep_row(b, conn);
    else if (row)
        tw_rows_merge(&b->rows, row, conn);
    return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

size_t tw_builder_bytes(const struct tw_builder *b)
{
    return tw_rows_bytes(&b->rows) + tw_connection_attempts_bytes(b->attempts) +
           tw_listeners_bytes(b->listeners) + tw_gathering_bytes(b->gathering) +
           tw_failure_list_bytes(b->failures) + tw_upstream_bytes(b->upstream) +
           b->errors->len * sizeof(struct tw_error_answer);
}

void tw_builder_shrink(struct tw_builder *b)
{
    tw_rows_drop(&b->rows);
}

void tw_builder_note(struct tw_builder *b, enum tw_bound bound, uint64_t count, uint32_t frame)
{
    tw_quality_bound(b->quality, bound, count, frame);
}

/* ---- the end --------------------------------------------------------------------------------- */

static struct tcpwhy_report *new_report(void)
{
    struct tcpwhy_report *r = tw_new0(struct tcpwhy_report, 1);

    r->findings = tw_array_new(FALSE, FALSE, sizeof(struct tw_finding_row));
    r->failures = tw_array_new(FALSE, FALSE, sizeof(struct tw_failure_row));
    r->listeners = tw_array_new(FALSE, FALSE, sizeof(struct tw_listener_row));
    r->ports = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports));
    r->facts = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_fact));
    r->texts = tw_string_chunk_new(1024);
    r->streams = tw_array_new(FALSE, FALSE, sizeof(struct tw_stream_row));
    r->logs = tw_ptr_array_new_with_free_func((GDestroyNotify)tw_log_free);
    r->blocks = tw_ptr_array_new_with_free_func(tw_free);
    pthread_mutex_init(&r->lazy, NULL);
    return r;
}

/* The report owns the rows from now on. */
static void take_rows(struct tw_builder *b, struct tcpwhy_report *r)
{
    tw_rows_close(&b->rows);
    r->capture.streams = b->rows.n;
    tw_quality_bound(b->quality, TW_BOUND_ROWS, b->rows.dropped, 0);
    r->rows = tw_memdup2(&b->rows, sizeof b->rows);
    r->packed = true;
    tw_rows_take_logs(r->rows, r->logs);
    tw_rows_init(&b->rows, b->options);
}

static void take_parts(struct tcpwhy_report *r, const struct tw_source *source)
{
    struct tw_capture_row *capture = &r->capture;
    const struct tw_part *part = tw_source_parts(source, &capture->n_parts);
    struct tcpwhy_part *views = tw_new0(struct tcpwhy_part, capture->n_parts);

    for (size_t i = 0; i < capture->n_parts; i++) {
        views[i] = (struct tcpwhy_part) {
            .file = tw_string_chunk_insert(r->texts, part[i].path),
            .error = part[i].error ? tw_string_chunk_insert(r->texts, part[i].error) : NULL,
            .first_frame = part[i].first_frame,
            .frames = part[i].frames,
        };
    }
    capture->parts = views;
    tw_ptr_array_add(r->blocks, views);
}

static void describe_capture(struct tcpwhy_report *r, const char *file,
                             const struct tw_totals *totals, const struct tw_source *source)
{
    r->capture.file = tw_string_chunk_insert(r->texts, file);
    r->capture.comment = source ? tw_string_chunk_insert(r->texts, tw_source_comment(source)) : "";
    r->capture.frames = totals->frames;
    r->capture.tcp_frames = totals->tcp_frames;
    r->capture.bytes = totals->bytes;
    r->capture.first_ns = totals->timed ? totals->first_ns : TCPWHY_NS_UNKNOWN;
    r->capture.last_ns = totals->timed ? totals->first_ns + totals->latest_ns : TCPWHY_NS_UNKNOWN;
    if (source)
        take_parts(r, source);
}

static void close_facts(struct tw_builder *b, const struct tw_totals *totals,
                        struct tcpwhy_report *r)
{
    const struct tw_setups setups = { b->listeners, b->attempts, b->upstream, totals->names };
    tw_array *fallbacks;

    r->status = b->status;
    r->only_status = b->only_status;
    tw_connection_attempts_close(b->attempts, totals->latest_ns, tell_unanswered, b);
    fallbacks =
        tw_ip_fallbacks(b->attempts, tw_listeners_endpoint, b->listeners, totals->latest_ns);
    if (totals->names)
        tw_upstream_add_lookups(b->upstream, totals->names->lookups);
    tw_upstream_close(b->upstream);
    tw_gathering_close(b->gathering, &setups, r);
    tw_array_append_vals(r->ports, b->ports->data, b->ports->len);
    count_ports(b, tw_connection_attempts_all(b->attempts)->len, r->ports);
    tw_failure_list_close(b->failures, fallbacks, totals->names, totals->latest_ns, r);
    tw_array_free(fallbacks, TRUE);
    tw_listeners_close(b->listeners, b->attempts, b->traffic, r);
    tw_advise_all(r, tw_report_whole(r));
    r->traffic = tw_traffic_whole(b->traffic, r->blocks);
    r->udp = tw_udp_flows_rows(totals->udp);
    tw_name_rows_keep(totals->names, r);
    r->numeric = b->options->numeric;
    tw_name_rows_place(r);
    r->probes = tw_probes_close(b->probes, totals->latest_ns);
    tw_facts_find(r);
}

/* There is no connection, but perhaps in frames that could not be read. */
static void doubt_emptiness(const struct tw_totals *t, tcpwhy_report *r)
{
    if (t->tcp_frames > 0 || t->cut_short + t->malformed + t->unsupported + t->fragments == 0)
        return;
    r->verdict.confidence = TCPWHY_AMBIGUOUS;
    r->verdict.rival = TCPWHY_CAPTURE_GAP;
}

tcpwhy_report *tw_builder_finish(struct tw_builder *b, const char *file,
                                 const struct tw_totals *totals, const struct tw_source *source)
{
    struct tcpwhy_report *r = new_report();

    take_rows(b, r);
    describe_capture(r, file, totals, source);
    tw_quality_bound(b->quality, TW_BOUND_ENDPOINTS, tw_gathering_n_mixed(b->gathering), 0);
    tw_quality_bound(b->quality, TW_BOUND_FAILURES, tw_failure_list_dropped(b->failures), 0);
    if (totals->names)
        tw_quality_bound(b->quality, TW_BOUND_LOOKUPS, tw_lookups_dropped(totals->names->lookups),
                         0);
    tw_quality_close(b->quality, totals, source, r);
    close_facts(b, totals, r);
    doubt_emptiness(totals, r);
    tw_builder_free(b);
    return r;
}
