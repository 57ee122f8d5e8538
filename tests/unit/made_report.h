/* SPDX-License-Identifier: MIT */
/*
 * Reports made by hand, so that rendering is tested without an engine: one sick connection, a
 * healthy capture, and one whose every text is hostile.
 */
#ifndef TW_TESTS_MADE_REPORT_H
#define TW_TESTS_MADE_REPORT_H

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "report/report.h"
#include "tests/unit/owned.h"

static inline struct tcpwhy_endpoint made_endpoint(uint8_t last, uint16_t port)
{
    return (struct tcpwhy_endpoint) { .address = { 10, 9, 0, last }, .port = port, .version = 4 };
}

static inline tcpwhy_report *made_empty(const char *file)
{
    tcpwhy_report *r = tw_new0(tcpwhy_report, 1);

    r->capture = (struct tw_capture_row) {
        .file = file, .comment = "", .first_ns = TCPWHY_NS_UNKNOWN, .last_ns = TCPWHY_NS_UNKNOWN
    };
    r->verdict.confidence = TCPWHY_CERTAIN;
    r->traffic.interval_ns = TCPWHY_S(1);
    r->latency = (struct tcpwhy_percentiles) { 0,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN,
                                               TCPWHY_NS_UNKNOWN };
    r->findings = tw_array_new(FALSE, TRUE, sizeof(struct tw_finding_row));
    r->failures = tw_array_new(FALSE, TRUE, sizeof(struct tw_failure_row));
    r->streams = tw_array_new(FALSE, TRUE, sizeof(struct tw_stream_row));
    r->listeners = tw_array_new(FALSE, TRUE, sizeof(struct tw_listener_row));
    r->ports = tw_array_new(FALSE, TRUE, sizeof(struct tcpwhy_ports));
    r->facts = tw_array_new(FALSE, TRUE, sizeof(struct tcpwhy_fact));
    r->logs = tw_ptr_array_new_with_free_func((GDestroyNotify)tw_log_free);
    r->texts = tw_string_chunk_new(256);
    r->blocks = tw_ptr_array_new_with_free_func(tw_free);
    return r;
}

/* An array that lives as long as the report. */
static inline void *made_block(tcpwhy_report *r, const void *from, size_t size)
{
    void *block = tw_memdup2(from, size);

    tw_ptr_array_add(r->blocks, block);
    return block;
}
#define MADE(report, ...) made_block(report, __VA_ARGS__, sizeof(__VA_ARGS__))

static inline struct tcpwhy_percentiles made_latency(void)
{
    return (struct tcpwhy_percentiles) { 69,       1533076,  43879255, 44013146,   44114546,
                                         47782437, 47999999, 0,        TCPWHY_S(3) };
}

static inline struct tcpwhy_verdict made_verdict(void)
{
    return (struct tcpwhy_verdict) { .cause = TCPWHY_NAGLE_DELAYED_ACK,
                                     .party = TCPWHY_PARTY_SERVER,
                                     .confidence = TCPWHY_LIKELY,
                                     .rival = TCPWHY_SERVER_THINK,
                                     .endpoint = made_endpoint(2, 8080),
                                     .cost_ns = 2889412345,
                                     .share = 0.9621,
                                     .streams = 1 };
}

static inline void made_finding(tcpwhy_report *r)
{
    const uint32_t frames[] = { 391, 411, 446, 483 };
    const struct tcpwhy_detail details[] = { { "delayed_ack_us", NULL, 40000 },
                                             { "stack", "Linux", 0 } };
    struct tw_finding_row f = { .cause = TCPWHY_NAGLE_DELAYED_ACK,
                                .party = TCPWHY_PARTY_SERVER,
                                .confidence = TCPWHY_LIKELY,
                                .rival = TCPWHY_SERVER_THINK,
                                .endpoint = made_endpoint(2, 8080),
                                .peer = made_endpoint(1, 60436),
                                .stream = 3,
                                .streams = 1,
                                .cost_ns = 2889412345,
                                .count = 68,
                                .median_ns = 42600000 };

    f.frames = MADE(r, frames);
    f.n_frames = G_N_ELEMENTS(frames);
    f.details = MADE(r, details);
    f.n_details = G_N_ELEMENTS(details);
    f.summary = "Nagle's algorithm at 10.9.0.2:8080 waited for delayed ACKs of 10.9.0.1, 43 ms at "
                "the median, 68 times: 2889 ms.";
    f.remedy = "At 10.9.0.2:8080: set TCP_NODELAY, or hand header and body to the kernel in one "
               "write (nginx: tcp_nodelay on). At 10.9.0.1: TCP_QUICKACK helps too.";
    tw_array_append_val(r->findings, f);
}

static inline struct tcpwhy_ledger_entry
made_entry(enum tcpwhy_cause cause, enum tcpwhy_party party, tcpwhy_ns ns, uint32_t count)
{
    bool sure = cause != TCPWHY_NAGLE_DELAYED_ACK;

    return (struct tcpwhy_ledger_entry) { .cause = cause,
                                          .party = party,
                                          .from = TCPWHY_SERVER,
                                          .confidence = sure ? TCPWHY_CERTAIN : TCPWHY_LIKELY,
                                          .rival = sure ? TCPWHY_CAUSE_NONE : TCPWHY_SERVER_THINK,
                                          .ns = ns,
                                          .count = count };
}

/* A request, half of its response, 42.9 ms, the other half. */
static inline struct tw_log *made_log(void)
{
    static const struct tw_record records[] = {
        { .time_ns = 624389469,
          .seq = 118,
          .ack = 2551,
          .frame = 391,
          .len = 39,
          .window_bytes = 64512,
          .flags = TW_PSH | TW_ACK,
          .from = TCPWHY_CLIENT,
          .frame_class = TCPWHY_CLASS_DATA },
        { .time_ns = 624875394,
          .seq = 2551,
          .ack = 157,
          .frame = 411,
          .len = 238,
          .window_bytes = 65536,
          .flags = TW_PSH | TW_ACK,
          .from = TCPWHY_SERVER,
          .frame_class = TCPWHY_CLASS_DATA },
        { .time_ns = 667776461,
          .seq = 157,
          .ack = 2789,
          .frame = 446,
          .window_bytes = 64512,
          .flags = TW_ACK,
          .from = TCPWHY_CLIENT,
          .frame_class = TCPWHY_CLASS_ACK },
        { .time_ns = 668323116,
          .seq = 2789,
          .ack = 157,
          .frame = 483,
          .len = 612,
          .window_bytes = 65536,
          .flags = TW_PSH | TW_ACK,
          .from = TCPWHY_SERVER,
          .frame_class = TCPWHY_CLASS_DATA },
        { .time_ns = 668325000,
          .seq = 157,
          .ack = 3401,
          .frame = 484,
          .window_bytes = (uint32_t)TW_WINDOW_UNKNOWN,
          .flags = TW_ACK,
          .from = TCPWHY_CLIENT,
          .frame_class = TCPWHY_CLASS_ACK },
    };
    struct tw_log *log = tw_log_new();

    log->record = tw_memdup2(records, sizeof(records));
    log->n = log->capacity = G_N_ELEMENTS(records);
    return log;
}

static inline void made_stream(tcpwhy_report *r, const char *request)
{
    const struct tcpwhy_ledger_entry ledger[] = {
        made_entry(TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_PARTY_SERVER, 2889412345, 68),
        made_entry(TCPWHY_WIRE, TCPWHY_PARTY_PATH, 114587655, 285),
        made_entry(TCPWHY_HANDSHAKE, TCPWHY_PARTY_PATH, 1000000, 1),
    };
    const struct tcpwhy_exchange exchanges[] = {
        { .protocol = "http",
          .request = request,
          .status = 200,
          .complete = true,
          .request_frame = 391,
          .request_last_frame = 391,
          .response_frame = 411,
          .response_last_frame = 483,
          .start_ns = 624389469,
          .first_byte_ns = 485925,
          .total_ns = 43933647,
          .request_bytes = 39,
          .response_bytes = 850,
          .detail = request + strlen(request) },
    };
    const struct tcpwhy_span spans[] = {
        { .from_ns = 624875394,
          .to_ns = 667776461,
          .cause = TCPWHY_NAGLE_DELAYED_ACK,
          .party = TCPWHY_PARTY_SERVER,
          .from = TCPWHY_SERVER,
          .confidence = TCPWHY_LIKELY,
          .rival = TCPWHY_SERVER_THINK,
          .first_frame = 411,
          .last_frame = 446 },
    };
    struct tw_stream_row s = { .stream = 3,
                               .client = made_endpoint(1, 60436),
                               .server = made_endpoint(2, 8080),
                               .complete_start = true,
                               .complete_end = true,
                               .vantage = TCPWHY_VANTAGE_CLIENT,
                               .vantage_confidence = TCPWHY_CERTAIN,
                               .start_ns = 535678000,
                               .duration_ns = 3005000000,
                               .first_frame = 9,
                               .last_frame = 7125,
                               .frames = 356,
                               .bytes_to_server = 2730,
                               .bytes_to_client = 59500,
                               .rtt_min_ns = 350123,
                               .rtt_median_ns = 360000,
                               .rtt_max_ns = 1200000,
                               .verdict = made_verdict(),
                               .latency = made_latency(),
                               .status = { .n = { [2] = 69 } } };

    s.ledger = MADE(r, ledger);
    s.n_ledger = G_N_ELEMENTS(ledger);
    s.exchanges = MADE(r, exchanges);
    s.n_exchanges = G_N_ELEMENTS(exchanges);
    s.spans = MADE(r, spans);
    s.n_spans = G_N_ELEMENTS(spans);
    tw_array_append_val(r->streams, s);
    r->capture.streams = r->streams->len;
    tw_ptr_array_add(r->logs, made_log());
}

static inline void made_listener(tcpwhy_report *r)
{
    const struct tw_stream_row *s = &tw_array_index(r->streams, struct tw_stream_row, 0);
    struct tw_listener_row l = { .endpoint = s->server,
                                 .connections = 1,
                                 .latency = s->latency,
                                 .status = s->status,
                                 .ledger = s->ledger,
                                 .n_ledger = s->n_ledger };

    r->ledger = s->ledger;
    r->n_ledger = s->n_ledger;
    tw_array_append_val(r->listeners, l);
}

static inline tcpwhy_report *made_sick(const char *file, const char *request)
{
    tcpwhy_report *r = made_empty(file);

    r->capture.frames = 7129;
    r->capture.tcp_frames = 7126;
    r->capture.bytes = 1714998;
    r->capture.first_ns = INT64_C(1795150776264053503);
    r->capture.last_ns = INT64_C(1795150779804786711);
    r->verdict = made_verdict();
    r->latency = made_latency();
    made_finding(r);
    made_stream(r, request);
    made_listener(r);
    return r;
}

/* Two seconds with a listener that does not answer everybody, and what is to be known of it. */
static inline void made_traffic(tcpwhy_report *r)
{
    const struct tcpwhy_interval intervals[] = { { .frames = 1250,
                                                   .bytes = 1500000,
                                                   .payload_bytes = { 2000, 1400000 },
                                                   .retransmissions = 3,
                                                   .syns = 30,
                                                   .unanswered = 24,
                                                   .opened = 6 },
                                                 { .frames = 40, .bytes = 4000, .syns = 1 } };
    const struct tcpwhy_ports ports = { .client = made_endpoint(1, 0),
                                        .listener = made_endpoint(2, 8080),
                                        .connections = 27000,
                                        .ports = 26000,
                                        .in_use = 25500,
                                        .range = 28232,
                                        .lowest = 32769,
                                        .highest = 60998,
                                        .reused = 1000,
                                        .exhausted = true };
    const struct tcpwhy_fact fact = { .fact = "error_answers",
                                      .text = "Every one of 69 answers was 5xx (502).",
                                      .confidence = TCPWHY_CERTAIN,
                                      .count = 69,
                                      .of = 69 };
    struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, 0);

    r->traffic.interval = MADE(r, intervals);
    r->traffic.n = G_N_ELEMENTS(intervals);
    tw_array_append_val(r->ports, ports);
    tw_array_append_val(r->facts, fact);
    l->traffic = r->traffic;
    l->openings = (struct tcpwhy_openings) { .syns = 31,
                                             .syn_repeats = 1,
                                             .unanswered_syns = 24,
                                             .unanswered_share = 24. / 31,
                                             .waited = 24,
                                             .opened = 6,
                                             .resets_by_server = 2,
                                             .peak_opened_per_s = 6,
                                             .peak_syns_per_s = 30,
                                             .silence = TCPWHY_SILENCE_BACKLOG,
                                             .silence_confidence = TCPWHY_LIKELY,
                                             .silence_rival = TCPWHY_SILENCE_FILTER };
}

static inline void made_quality(tcpwhy_report *r, const char *text)
{
    const uint32_t frames[] = { 109, 149 };
    struct tcpwhy_quality q = { .fact = "frames_missing", .text = text, .count = 140 };

    q.frames = MADE(r, frames);
    q.n_frames = G_N_ELEMENTS(frames);
    r->capture.quality = made_block(r, &q, sizeof(q));
    r->capture.n_quality = 1;
}

static inline tcpwhy_report *made_healthy(void)
{
    tcpwhy_report *r = made_sick("healthy.pcap", "GET /");
    struct tw_stream_row *s = &tw_array_index(r->streams, struct tw_stream_row, 0);

    tw_array_set_size(r->findings, 0);
    r->verdict = (struct tcpwhy_verdict) { .confidence = TCPWHY_CERTAIN };
    s->verdict = r->verdict;
    s->ledger++;
    s->n_ledger--;
    s->duration_ns = 115587655;
    return r;
}

#endif
