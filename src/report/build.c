/* SPDX-License-Identifier: MIT */
#include "report/build.h"

#include "report/alone.h"
#include "report/facts.h"
#include "report/findings.h"
#include "report/ledger.h"
#include "report/listeners.h"
#include "report/openings.h"
#include "report/percentiles.h"
#include "report/ports.h"
#include "report/quality.h"

struct tw_builder {
    struct tcpwhy_report *report;
    struct tw_gathering *gathering;
    struct tw_listeners *listeners;
    struct tw_quality *quality;
    struct tw_traffic *traffic;
    struct tw_openings *openings;
    struct tw_alone *alone;
    const struct tcpwhy_options *options;
};

struct tw_builder *tw_builder_new(const struct tcpwhy_options *options, struct tw_traffic *traffic)
{
    struct tw_builder *b = g_new0(struct tw_builder, 1);
    struct tcpwhy_report *r = g_new0(struct tcpwhy_report, 1);

    r->findings = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_finding));
    r->streams = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_stream));
    r->listeners = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_listener));
    r->ports = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports));
    r->facts = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_fact));
    r->logs = g_ptr_array_new_with_free_func((GDestroyNotify)tw_log_free);
    r->texts = g_string_chunk_new(1024);
    r->blocks = g_ptr_array_new_with_free_func(g_free);
    b->report = r;
    b->gathering = tw_gathering_new(options->keep_waits);
    b->listeners = tw_listeners_new();
    b->quality = tw_quality_new();
    b->traffic = traffic;
    b->openings = tw_openings_new();
    b->alone = tw_alone_new();
    b->options = options;
    return b;
}

/* An array that a view points into: the report releases it. */
static void *keep(struct tw_builder *b, void *block)
{
    if (block)
        g_ptr_array_add(b->report->blocks, block);
    return block;
}

static uint32_t frame_at(const struct tw_log *log, uint32_t record)
{
    return record < log->n ? log->record[record].frame : 0;
}

static tcpwhy_ns time_at(const struct tw_log *log, uint32_t record)
{
    return record < log->n ? log->record[record].time_ns : TCPWHY_NS_UNKNOWN;
}

/*
 * An exchange as the asker's host lived it: the request leaves half a round trip before the vantage
 * sees it, and the response arrives half a round trip after.
 */
static struct tcpwhy_exchange exchange_view(const struct tw_story *story,
                                            const struct tw_exchange *e, GStringChunk *texts)
{
    const struct tw_log *log = story->log;
    tcpwhy_ns way = story->explanation->vantage.to_side_ns[e->asker];
    tcpwhy_ns asked = time_at(log, e->request_first);
    tcpwhy_ns first = time_at(log, e->response_first), last = time_at(log, e->response_last);
    struct tcpwhy_exchange view = {
        .protocol = e->protocol,
        .request = texts ? g_string_chunk_insert_const(texts, e->request) : "",
        .status = e->status,
        .complete = e->complete,
        .request_frame = frame_at(log, e->request_first),
        .request_last_frame = frame_at(log, e->request_last),
        .response_frame = frame_at(log, e->response_first),
        .response_last_frame = frame_at(log, e->response_last),
        .start_ns = asked,
        .first_byte_ns = TCPWHY_NS_UNKNOWN,
        .total_ns = TCPWHY_NS_UNKNOWN,
        .request_bytes = (uint64_t)(e->request_to - e->request_from),
        .response_bytes = (uint64_t)(e->response_to - e->response_from),
    };

    if (asked == TCPWHY_NS_UNKNOWN)
        return view;
    view.start_ns = asked - way;
    if (first != TCPWHY_NS_UNKNOWN)
        view.first_byte_ns = first - asked + 2 * way;
    if (last != TCPWHY_NS_UNKNOWN)
        view.total_ns = tw_exchange_arrival(log, e, way) - view.start_ns;
    return view;
}

static void count_status(struct tcpwhy_report *r, struct tcpwhy_stream *s, uint16_t status)
{
    int class = status >= 100 && status < 600 ? status / 100 : 0;

    if (!status)
        return;
    s->status.n[class]++;
    r->status.n[class]++;
    r->only_status =
        r->only_status == TW_STATUS_NONE || r->only_status == status ? status : TW_STATUS_SEVERAL;
}

static GArray *add_exchanges(struct tw_builder *b, const struct tw_story *story,
                             struct tcpwhy_stream *s)
{
    const struct tw_exchanges *all = story->exchanges;
    GArray *latencies = g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    struct tcpwhy_exchange *views = NULL;
    tcpwhy_ns first_ns = TCPWHY_NS_UNKNOWN, last_ns = TCPWHY_NS_UNKNOWN;

    if (b->options->keep_exchanges)
        s->exchanges = views = keep(b, g_new0(struct tcpwhy_exchange, all->n + 1));
    for (uint32_t i = 0; i < all->n; i++) {
        struct tcpwhy_exchange view =
            exchange_view(story, &all->exchange[i], views ? b->report->texts : NULL);

        count_status(b->report, s, view.status);
        if (view.complete && view.total_ns != TCPWHY_NS_UNKNOWN) {
            g_array_append_val(latencies, view.total_ns);
            first_ns = first_ns == TCPWHY_NS_UNKNOWN ? view.start_ns : MIN(first_ns, view.start_ns);
            last_ns = MAX(last_ns, view.start_ns + view.total_ns);
        }
        if (views)
            views[i] = view;
    }
    if (views)
        s->n_exchanges = all->n;
    s->latency = tw_percentiles(latencies);
    tw_percentiles_span(&s->latency, first_ns, last_ns);
    return latencies;
}

static void add_ledger(struct tw_builder *b, const struct tw_explanation *x,
                       struct tcpwhy_stream *s)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));

    for (uint32_t i = 0; i < x->n_spans; i++) {
        struct tcpwhy_ledger_entry entry = tw_ledger_entry(&x->span[i]);

        tw_ledger_add(entries, &entry);
    }
    tw_ledger_sort(entries);
    s->n_ledger = entries->len;
    s->ledger = keep(b, g_array_free(entries, FALSE));
}

static void add_spans(struct tw_builder *b, struct tw_story *story, struct tcpwhy_stream *s)
{
    const struct tw_explanation *x = story->explanation;
    struct tcpwhy_span *views = keep(b, g_new0(struct tcpwhy_span, x->n_spans + 1));

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
            .first_frame = frame_at(story->log, span->first_record),
            .last_frame = frame_at(story->log, span->last_record),
        };
    }
    s->spans = views;
    s->n_spans = x->n_spans;
}

static struct tcpwhy_stream stream_view(const struct tw_story *story)
{
    const struct tw_connection *c = story->connection;
    const struct tw_vantage *v = &story->explanation->vantage;
    const struct tw_repair_counts *n = &story->explanation->repairs;

    return (struct tcpwhy_stream) {
        .stream = c->stream,
        .client = tw_tuple_endpoint(&c->tuple, TCPWHY_CLIENT),
        .server = tw_tuple_endpoint(&c->tuple, TCPWHY_SERVER),
        .roles_inferred = c->roles_inferred,
        .complete_start = c->side[TCPWHY_CLIENT].syn && c->side[TCPWHY_SERVER].syn,
        .complete_end = c->side[0].fin || c->side[1].fin || c->side[0].rst || c->side[1].rst,
        .vantage = v->place,
        .vantage_confidence = v->confidence,
        .start_ns = story->log->record[0].time_ns,
        .duration_ns =
            story->log->record[story->log->n - 1].time_ns - story->log->record[0].time_ns,
        .first_frame = c->first_frame,
        .last_frame = c->last_frame,
        .frames = c->frames,
        .bytes_to_server = c->side[TCPWHY_CLIENT].bytes,
        .bytes_to_client = c->side[TCPWHY_SERVER].bytes,
        .retransmissions = c->side[0].retransmissions + c->side[1].retransmissions,
        .repairs = { n->fast, n->probes, n->timeouts, n->after_timeouts, n->spurious },
        .rtt_min_ns = v->rtt_min_ns,
        .rtt_median_ns = v->rtt_median_ns,
        .rtt_max_ns = v->rtt_max_ns,
        .way_ns = { v->to_side_ns[TCPWHY_CLIENT], v->to_side_ns[TCPWHY_SERVER] },
    };
}

/* What the connection adds to its listener and to the traffic. */
static void add_facts(struct tw_builder *b, const struct tw_story *story,
                      const struct tcpwhy_stream *s, const GArray *latencies)
{
    guint listener = tw_listeners_number(b->listeners, &s->server);
    struct tw_traffic_pen pen = tw_traffic_pen(b->traffic, listener);
    struct tw_setup setup;

    tw_setup_read(story->log, story->connection->tuple.version, &setup, tw_traffic_event, &pen);
    tw_traffic_log(&pen, story->log);
    tw_openings_add(b->openings, listener, story, &setup);
    tw_listeners_add(b->listeners, listener, s, story->connection, &setup, latencies);
}

/* @return false when a callback asked to stop. */
static bool announce(const struct tcpwhy_options *o, const struct tcpwhy_stream *s,
                     const GArray *findings)
{
    for (guint i = 0; o->on_finding && i < findings->len; i++)
        if (!o->on_finding(o->user, &g_array_index(findings, struct tcpwhy_finding, i)))
            return false;
    return !o->on_stream || o->on_stream(o->user, s);
}

bool tw_builder_add(struct tw_builder *b, struct tw_story *story)
{
    struct tcpwhy_stream s = stream_view(story);
    GArray *latencies = add_exchanges(b, story, &s);
    const struct tcpwhy_report *alone;

    add_ledger(b, story->explanation, &s);
    if (b->options->keep_spans)
        add_spans(b, story, &s);
    alone = tw_alone_judge(b->alone, &s, story->log, story->explanation);
    s.verdict = alone->verdict;
    tw_gathering_add(b->gathering, &s, story->log, story->explanation);
    add_facts(b, story, &s, latencies);
    tw_quality_add(b->quality, story->connection, story->log);
    g_array_append_val(b->report->streams, s);
    g_array_free(latencies, TRUE);
    if (b->options->keep_spans) {
        g_ptr_array_add(b->report->logs, story->log);
        story->log = NULL;
    }
    return announce(b->options, &s, alone->findings);
}

static void tell_unanswered(void *builder, guint listener, tcpwhy_ns at_ns)
{
    struct tw_builder *b = builder;
    struct tw_traffic_pen pen = tw_traffic_pen(b->traffic, listener);

    tw_traffic_event(&pen, TW_EVENT_UNANSWERED, at_ns);
}

static void close_facts(struct tw_builder *b, const struct tw_totals *totals)
{
    const struct tw_setups setups = { b->listeners, b->openings };
    struct tcpwhy_report *r = b->report;

    tw_openings_close(b->openings, totals->last_ns - totals->first_ns, tell_unanswered, b);
    tw_gathering_close(b->gathering, &setups, r);
    tw_ports_count(tw_openings_all(b->openings), r->ports, tw_listeners_endpoint, b->listeners);
    tw_listeners_close(b->listeners, b->openings, b->traffic, r);
    r->traffic = tw_traffic_whole(b->traffic, r->blocks);
    tw_facts_find(r);
}

static void take_parts(struct tw_builder *b, const struct tw_source *source)
{
    struct tcpwhy_capture *capture = &b->report->capture;
    const struct tw_part *part = tw_source_parts(source, &capture->n_parts);
    struct tcpwhy_part *views = keep(b, g_new0(struct tcpwhy_part, capture->n_parts));

    for (size_t i = 0; i < capture->n_parts; i++) {
        views[i] = (struct tcpwhy_part) {
            .file = g_string_chunk_insert(b->report->texts, part[i].path),
            .error = part[i].error ? g_string_chunk_insert(b->report->texts, part[i].error) : NULL,
            .first_frame = part[i].first_frame,
            .frames = part[i].frames,
        };
    }
    capture->parts = views;
}

tcpwhy_report *tw_builder_finish(struct tw_builder *b, const char *file,
                                 const struct tw_totals *totals, const struct tw_source *source)
{
    struct tcpwhy_report *r = b->report;

    r->capture.file = g_string_chunk_insert(r->texts, file);
    r->capture.comment = source ? g_string_chunk_insert(r->texts, tw_source_comment(source)) : "";
    r->capture.frames = totals->frames;
    r->capture.tcp_frames = totals->tcp_frames;
    r->capture.bytes = totals->bytes;
    r->capture.first_ns = totals->first_ns;
    r->capture.last_ns = totals->last_ns;
    if (source)
        take_parts(b, source);
    tw_quality_close(b->quality, totals, source, r);
    close_facts(b, totals);
    tw_quality_free(b->quality);
    tw_gathering_free(b->gathering);
    tw_listeners_free(b->listeners);
    tw_openings_free(b->openings);
    tw_alone_free(b->alone);
    g_free(b);
    return r;
}
