/* SPDX-License-Identifier: MIT */
/* The public session: callbacks, reports while it runs, options of older and newer programs. */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "base/bytes.h"
#include "dissect/dissect.h"

#define RAW_IP 101

/* Counts what the callbacks were told, and stops after so many calls (0: never). */
struct told {
    int streams, findings, segments, progress, stop_after;
    uint32_t last_stream;
    uint64_t last_frames;
    enum tcpwhy_cause cause;
    tcpwhy_ns cost_ns;
    uint64_t done, total;
};

static bool on_stream(void *user, const struct tcpwhy_stream *stream)
{
    struct told *told = user;

    told->last_stream = stream->stream;
    told->last_frames = stream->frames;
    return ++told->streams != told->stop_after;
}

static bool on_finding(void *user, const struct tcpwhy_finding *finding)
{
    struct told *told = user;

    told->cause = finding->cause;
    told->cost_ns = finding->cost_ns;
    assert_non_null(finding->summary);
    assert_true(finding->n_frames > 0);
    return ++told->findings != told->stop_after;
}

static bool on_progress(void *user, uint64_t done, uint64_t total)
{
    struct told *told = user;

    assert_true(done >= told->done);
    told->done = done;
    told->total = total;
    return ++told->progress != told->stop_after;
}

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value);
}

#define HEADERS 40

/* An IPv4 packet between a client's port and port 80 of the server, len bytes of payload. */
static size_t packet(uint8_t *out, unsigned port, bool up, uint32_t seq, uint32_t ack,
                     uint8_t flags, unsigned len)
{
    memset(out, 0, HEADERS + len);
    out[0] = 0x45;
    put16(out + 2, HEADERS + len);
    out[8] = 64;
    out[9] = 6;
    put32(out + 12, up ? 0x0a000001 : 0x0a000002);
    put32(out + 16, up ? 0x0a000002 : 0x0a000001);
    put16(out + 20, up ? port : 80);
    put16(out + 22, up ? 80 : port);
    put32(out + 24, seq);
    put32(out + 28, ack);
    out[32] = 0x50;
    out[33] = flags;
    put16(out + 34, 60000);
    return HEADERS + len;
}

static int push(tcpwhy_session *s, int64_t ms, unsigned port, bool up, uint32_t seq, uint32_t ack,
                uint8_t flags, unsigned len)
{
    uint8_t bytes[HEADERS + 200];
    struct tcpwhy_packet p = { .link_type = RAW_IP,
                               .time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms),
                               .bytes = bytes };

    p.captured_len = p.original_len = (uint32_t)packet(bytes, port, up, seq, ack, flags, len);
    return tcpwhy_session_push(s, &p);
}

/* A question that is answered after 700 ms: 7 frames. */
static int ask(tcpwhy_session *s, int64_t ms, unsigned port)
{
    push(s, ms, port, true, 0, 0, TW_SYN, 0);
    push(s, ms + 10, port, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, ms + 11, port, true, 1, 1, TW_ACK, 0);
    push(s, ms + 12, port, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, ms + 22, port, false, 1, 101, TW_ACK, 0);
    push(s, ms + 722, port, false, 1, 101, TW_PSH | TW_ACK, 100);
    return push(s, ms + 723, port, true, 101, 101, TW_ACK, 0);
}

static tcpwhy_session *start(const struct tcpwhy_options *options)
{
    tcpwhy_session *session = NULL;
    char error[TCPWHY_ERROR_TEXT];

    assert_int_equal(tcpwhy_session_new(options, &session, error), 0);
    return session;
}

static void each_stream_and_finding_is_told_once(void **state)
{
    struct told told = { 0 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_stream = on_stream,
                                      .on_finding = on_finding,
                                      .user = &told };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report;

    (void)state;
    ask(s, 0, 40000);
    ask(s, 1000, 40001);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    assert_int_equal(told.streams, 2);
    assert_int_equal(told.last_stream, 1);
    assert_int_equal(told.last_frames, 7);
    assert_int_equal(told.findings, 2);
    assert_int_equal(told.cause, TCPWHY_SERVER_THINK);
    assert_in_range(told.cost_ns, TCPWHY_MS(680), TCPWHY_MS(710));
    tcpwhy_report_free(report);
}

static void a_callback_stops_the_finish(void **state)
{
    struct told told = { .stop_after = 1 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_stream = on_stream,
                                      .user = &told };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report = NULL;

    (void)state;
    ask(s, 0, 40000);
    ask(s, 1000, 40001);
    assert_int_equal(tcpwhy_session_finish(s, &report), TCPWHY_ERR_STOPPED);
    assert_null(report);
    assert_int_equal(told.streams, 1);
}

static void a_snapshot_is_the_report_so_far(void **state)
{
    struct told told = { 0 };
    struct tcpwhy_options options = {
        .struct_size = sizeof options, .on_stream = on_stream, .keep_spans = true, .user = &told
    };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *first, *second, *last;
    const struct tcpwhy_stream *stream;
    size_t n;

    (void)state;
    ask(s, 0, 40000);
    assert_int_equal(tcpwhy_session_snapshot(s, &first), 0);
    assert_int_equal(told.streams, 0);
    ask(s, 1000, 40001);
    assert_int_equal(tcpwhy_session_snapshot(s, &second), 0);
    push(s, 1800, 40001, true, 101, 101, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &last), 0);

    stream = tcpwhy_report_streams(first, &n);
    assert_int_equal(n, 1);
    assert_int_equal(stream->duration_ns, TCPWHY_MS(723));
    assert_int_equal(tcpwhy_report_verdict(first)->cause, TCPWHY_SERVER_THINK);
    tcpwhy_report_streams(second, &n);
    assert_int_equal(n, 2);
    assert_int_equal(tcpwhy_report_capture(second)->frames, 14);
    assert_int_equal(tcpwhy_report_latency(second)->count, 2);
    assert_int_equal(tcpwhy_report_traffic(second)->interval[0].frames, 7);
    stream = tcpwhy_report_streams(last, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream[1].frames, 8);
    assert_int_equal(tcpwhy_report_latency(last)->count, 2);
    tcpwhy_report_free(first);
    tcpwhy_report_free(second);
    tcpwhy_report_free(last);
}

static void an_answer_that_stands_before_its_request_took_no_known_time(void **state)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .keep_exchanges = true };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report;
    const struct tcpwhy_exchange *e;
    size_t n;

    (void)state;
    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 11, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 90, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    push(s, 99, 40000, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, 100, 40000, true, 101, 101, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    e = tcpwhy_report_streams(report, &n)->exchanges;
    assert_int_equal(e->request_frame, 5);
    assert_int_equal(e->response_frame, 4);
    assert_int_equal(e->first_byte_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(e->total_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(tcpwhy_report_latency(report)->count, 0);
    tcpwhy_report_free(report);
}

static double detail_of(const struct tcpwhy_finding *f, const char *name)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strcmp(f->details[i].name, name) == 0)
            return f->details[i].number;
    return -1;
}

/* Both sides wait for delayed ACKs: the server's come 60 ms late, the client's 150 ms. */
static void a_finding_tells_the_numbers_of_its_own_direction(void **state)
{
    struct tcpwhy_options options = { .struct_size = sizeof options };
    tcpwhy_session *s = start(&options);
    const struct tcpwhy_finding *f;
    tcpwhy_report *report;
    size_t n;

    (void)state;
    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 10, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 100, 40000, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, 170, 40000, false, 1, 101, TW_ACK, 0);
    push(s, 170, 40000, true, 101, 1, TW_PSH | TW_ACK, 150);
    push(s, 180, 40000, false, 1, 251, TW_PSH | TW_ACK, 100);
    push(s, 330, 40000, true, 251, 101, TW_ACK, 0);
    push(s, 340, 40000, false, 101, 251, TW_PSH | TW_ACK, 150);
    push(s, 340, 40000, true, 251, 251, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    f = tcpwhy_report_findings(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(f[0].cause, TCPWHY_NAGLE_DELAYED_ACK);
    assert_int_equal(f[0].party, TCPWHY_PARTY_SERVER);
    assert_int_equal((int)detail_of(&f[0], "ack_delay_ms"), 150);
    assert_int_equal(f[1].cause, TCPWHY_NAGLE_DELAYED_ACK);
    assert_int_equal(f[1].party, TCPWHY_PARTY_CLIENT);
    assert_int_equal((int)detail_of(&f[1], "ack_delay_ms"), 60);
    tcpwhy_report_free(report);
}

/* The answer is lost until its third repeat: seen at the server. */
static void how_often_a_repair_was_waited_for_is_not_how_often_it_was_sent(void **state)
{
    struct tcpwhy_options options = { .struct_size = sizeof options };
    tcpwhy_session *s = start(&options);
    const struct tcpwhy_finding *f;
    tcpwhy_report *report;
    size_t n;

    (void)state;
    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 0, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 10, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 100, 40000, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, 101, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    push(s, 401, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    push(s, 1001, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    push(s, 2201, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    push(s, 2211, 40000, true, 101, 101, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    f = tcpwhy_report_findings(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(f->cause, TCPWHY_LOSS_RECOVERY);
    assert_int_equal((int)detail_of(f, "timeouts"), 3);
    assert_non_null(strstr(f->summary, "Repairs were waited for once: 2110 ms."));
    tcpwhy_report_free(report);
}

static void that_nobody_waited_is_not_certain_across_a_gap(void **state)
{
    struct tcpwhy_options options = { .struct_size = sizeof options };
    tcpwhy_session *s = start(&options);
    const struct tcpwhy_verdict *v;
    tcpwhy_report *report;

    (void)state;
    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 10, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 20, 40000, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, 500, 40000, true, 101, 501, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    v = tcpwhy_report_verdict(report);
    assert_int_equal(v->cause, TCPWHY_CAUSE_NONE);
    assert_int_equal(v->confidence, TCPWHY_AMBIGUOUS);
    assert_int_equal(v->rival, TCPWHY_CAPTURE_GAP);
    tcpwhy_report_free(report);
}

/* FINs of both sides, acknowledged: 3 frames. */
static int close_it(tcpwhy_session *s, int64_t ms, unsigned port)
{
    push(s, ms, port, true, 101, 101, TW_FIN | TW_ACK, 0);
    push(s, ms + 10, port, false, 101, 102, TW_FIN | TW_ACK, 0);
    return push(s, ms + 11, port, true, 102, 102, TW_ACK, 0);
}

static tcpwhy_ns ledger_sum(const struct tcpwhy_stream *stream)
{
    tcpwhy_ns sum = 0;

    for (size_t i = 0; i < stream->n_ledger; i++)
        sum += stream->ledger[i].ns;
    return sum;
}

static void a_stream_is_told_when_it_is_over(void **state)
{
    struct told told = { 0 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_stream = on_stream,
                                      .user = &told };
    tcpwhy_session *s = start(&options);

    (void)state;
    ask(s, 0, 40000);
    close_it(s, 1000, 40000);
    ask(s, 60000, 40001);
    assert_int_equal(told.streams, 0);
    push(s, 61012, 40001, true, 101, 101, TW_ACK, 0);
    assert_int_equal(told.streams, 1);
    assert_int_equal(told.last_frames, 10);
    tcpwhy_session_free(s);
}

static bool take_first(void *user, const struct tcpwhy_stream *stream)
{
    *(struct tcpwhy_stream *)user = *stream;
    return false;
}

/* But not its ledger. */
static void visit_first(const tcpwhy_report *report, struct tcpwhy_stream *out)
{
    *out = (struct tcpwhy_stream) { .stream = UINT32_MAX };
    tcpwhy_report_visit_streams(report, take_first, out);
    assert_int_equal(out->stream, 0);
}

static void late_frames_join_what_was_told(void **state)
{
    struct tcpwhy_stream seen;
    struct told told = { 0 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_stream = on_stream,
                                      .keep_exchanges = true,
                                      .keep_spans = true,
                                      .user = &told };
    tcpwhy_session *s = start(&options);
    const struct tcpwhy_stream *stream;
    tcpwhy_report *report;
    size_t n;

    (void)state;
    ask(s, 0, 40000);
    close_it(s, 1000, 40000);
    ask(s, 70000, 40001);
    assert_int_equal(told.streams, 1);
    push(s, 90000, 40000, false, 101, 102, TW_FIN | TW_ACK, 0);
    push(s, 90001, 40000, true, 102, 102, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_snapshot(s, &report), 0);
    visit_first(report, &seen);
    assert_int_equal(seen.frames, 12);
    assert_int_equal(seen.n_exchanges, 1);
    stream = tcpwhy_report_streams(report, &n);
    assert_int_equal(stream->frames, 12);
    visit_first(report, &seen);
    assert_int_equal(seen.frames, 12);
    assert_ptr_equal(seen.exchanges, stream->exchanges);
    tcpwhy_report_free(report);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    stream = tcpwhy_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream->stream, 0);
    assert_int_equal(stream->frames, 12);
    assert_int_equal(stream->last_frame, 19);
    assert_int_equal(stream->retransmissions, 1);
    assert_int_equal(stream->duration_ns, TCPWHY_MS(90001));
    assert_int_equal(ledger_sum(stream), stream->duration_ns);
    assert_int_equal(stream->bytes_to_server, 100);
    assert_int_equal(stream->n_exchanges, 1);
    assert_int_equal(stream->spans[stream->n_spans - 1].cause, TCPWHY_CLOSE);
    assert_int_equal(stream->spans[stream->n_spans - 1].from_ns, TCPWHY_MS(1000));
    assert_int_equal(stream->spans[stream->n_spans - 1].to_ns, TCPWHY_MS(90001));
    assert_int_equal(stream->spans[stream->n_spans - 1].last_frame, 19);
    assert_int_equal(tcpwhy_report_listeners(report, &n)->connections, 2);
    assert_int_equal(tcpwhy_report_capture(report)->streams, 2);
    tcpwhy_report_free(report);
}

static void data_after_the_end_is_explained_too(void **state)
{
    tcpwhy_session *s = start(NULL);
    const struct tcpwhy_stream *stream;
    tcpwhy_report *report;
    size_t n;

    (void)state;
    ask(s, 0, 40000);
    push(s, 1000, 40000, false, 101, 101, TW_RST, 0); /* forged: it goes on */
    ask(s, 70000, 40001);
    push(s, 80000, 40000, true, 101, 101, TW_PSH | TW_ACK, 100);
    push(s, 80700, 40000, false, 101, 201, TW_PSH | TW_ACK, 100);
    push(s, 80701, 40000, true, 201, 201, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    stream = tcpwhy_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream->latency.count, 2);
    assert_int_equal(stream->bytes_to_client, 200);
    assert_int_equal(stream->duration_ns, TCPWHY_MS(80701));
    assert_int_equal(ledger_sum(stream), stream->duration_ns);
    tcpwhy_report_free(report);
}

static void a_port_used_anew_ends_what_was_there(void **state)
{
    struct told told = { 0 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_stream = on_stream,
                                      .user = &told };
    tcpwhy_session *s = start(&options);

    (void)state;
    ask(s, 0, 40000);
    push(s, 2000, 40000, true, 5000, 0, TW_SYN, 0);
    assert_int_equal(told.streams, 1);
    assert_int_equal(told.last_stream, 0);
    tcpwhy_session_free(s);
}

static const struct tcpwhy_quality *quality(const tcpwhy_report *report, const char *fact)
{
    const struct tcpwhy_capture *c = tcpwhy_report_capture(report);

    for (size_t i = 0; i < c->n_quality; i++)
        if (strcmp(c->quality[i].fact, fact) == 0)
            return &c->quality[i];
    return NULL;
}

/* 16 MiB, the least, hold about 44,000 records with what explaining them takes. */
static void a_long_connection_is_told_in_parts_within_the_bound(void **state)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .memory_bytes = 1 };
    tcpwhy_session *s = start(&options);
    const struct tcpwhy_stream *stream;
    tcpwhy_report *report;
    uint32_t n_pieces = 60000;
    size_t n;

    (void)state;
    ask(s, 0, 40000);
    for (uint32_t i = 0; i < n_pieces; i++)
        push(s, 1000 + i, 40000, true, 101 + 10 * i, 101, TW_ACK, 10);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    stream = tcpwhy_report_streams(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(stream->frames, 7 + n_pieces);
    assert_int_equal(stream->bytes_to_server, 100 + 10 * n_pieces);
    assert_int_equal(ledger_sum(stream), stream->duration_ns);
    assert_non_null(quality(report, "memory_split"));
    assert_true(quality(report, "memory_split")->count > 1);
    tcpwhy_report_free(report);
}

static void the_rows_that_lost_most_are_kept(void **state)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .keep_streams = 2 };
    tcpwhy_session *s = start(&options);
    const struct tcpwhy_stream *stream;
    tcpwhy_report *report;
    size_t n;

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        if (i == 100 || i == 2900)
            ask(s, 10 * i, 20000 + i);
        else
            push(s, 10 * i, 20000 + i, true, 0, 0, TW_SYN, 0);
    }
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    stream = tcpwhy_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream[0].stream, 100);
    assert_int_equal(stream[1].stream, 2900);
    assert_int_equal(tcpwhy_report_capture(report)->streams, 3000);
    tcpwhy_report_free(report);
}

static void an_older_program_needs_no_newer_fields(void **state)
{
    struct tcpwhy_options options;
    tcpwhy_session *s;
    tcpwhy_report *report;

    (void)state;
    memset(&options, 0xff, sizeof options);
    options.struct_size = offsetof(struct tcpwhy_options, filter);
    s = start(&options);
    ask(s, 0, 40000);
    assert_int_equal(tcpwhy_session_finish(s, &report), 0);
    tcpwhy_report_free(report);
}

static void a_newer_program_may_set_no_field_that_is_not_known(void **state)
{
    struct {
        struct tcpwhy_options known;
        uint64_t newer;
    } options = { .known = TCPWHY_OPTIONS_INIT };
    tcpwhy_session *s = NULL;
    char error[TCPWHY_ERROR_TEXT] = "";

    (void)state;
    options.known.struct_size = sizeof options;
    s = start(&options.known);
    tcpwhy_session_free(s);
    options.newer = 1;
    assert_int_equal(tcpwhy_session_new(&options.known, &s, error), TCPWHY_ERR_ARGUMENT);
    assert_non_null(strstr(error, "struct_size"));
    options.known.struct_size = 0;
    assert_int_equal(tcpwhy_session_new(&options.known, &s, error), TCPWHY_ERR_ARGUMENT);
}

/* A pcap file of 20,000 SYNs in memory. */
#define N_SYNS 20000
#define RECORD (16 + HEADERS)

static uint8_t *many_syns(size_t *len)
{
    static const uint8_t head[24] = { 0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0,
                                      0,    0,    0,    0,    0, 4, 0, 0, 0, 0, 0, RAW_IP };
    uint8_t *file = test_calloc(1, sizeof head + N_SYNS * RECORD);

    memcpy(file, head, sizeof head);
    for (unsigned i = 0; i < N_SYNS; i++) {
        uint8_t *record = file + sizeof head + i * (size_t)RECORD;

        put32(record, 1 + i);
        put32(record + 8, HEADERS);
        put32(record + 12, HEADERS);
        packet(record + 16, 20000 + i, true, 0, 0, TW_SYN, 0);
    }
    *len = sizeof head + N_SYNS * (size_t)RECORD;
    return file;
}

static void progress_comes_to_the_end(void **state)
{
    struct told told = { 0 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_progress = on_progress,
                                      .user = &told };
    tcpwhy_report *report;
    size_t len;
    uint8_t *file = many_syns(&len);

    (void)state;
    assert_int_equal(tcpwhy_analyze_memory(file, len, &options, &report, NULL), 0);
    assert_true(told.progress >= 2);
    assert_int_equal(told.done, len);
    assert_int_equal(told.total, len);
    tcpwhy_report_free(report);
    test_free(file);
}

static void progress_cancels(void **state)
{
    struct told told = { .stop_after = 1 };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .on_progress = on_progress,
                                      .user = &told };
    tcpwhy_report *report = NULL;
    size_t len;
    uint8_t *file = many_syns(&len);

    (void)state;
    assert_int_equal(tcpwhy_analyze_memory(file, len, &options, &report, NULL), TCPWHY_ERR_STOPPED);
    assert_null(report);
    assert_true(told.done < len);
    test_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stream_and_finding_is_told_once),
        cmocka_unit_test(a_callback_stops_the_finish),
        cmocka_unit_test(a_snapshot_is_the_report_so_far),
        cmocka_unit_test(an_answer_that_stands_before_its_request_took_no_known_time),
        cmocka_unit_test(a_finding_tells_the_numbers_of_its_own_direction),
        cmocka_unit_test(how_often_a_repair_was_waited_for_is_not_how_often_it_was_sent),
        cmocka_unit_test(that_nobody_waited_is_not_certain_across_a_gap),
        cmocka_unit_test(a_stream_is_told_when_it_is_over),
        cmocka_unit_test(late_frames_join_what_was_told),
        cmocka_unit_test(data_after_the_end_is_explained_too),
        cmocka_unit_test(a_port_used_anew_ends_what_was_there),
        cmocka_unit_test(a_long_connection_is_told_in_parts_within_the_bound),
        cmocka_unit_test(the_rows_that_lost_most_are_kept),
        cmocka_unit_test(an_older_program_needs_no_newer_fields),
        cmocka_unit_test(a_newer_program_may_set_no_field_that_is_not_known),
        cmocka_unit_test(progress_comes_to_the_end),
        cmocka_unit_test(progress_cancels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
