/* SPDX-License-Identifier: MIT */
/* The public session: callbacks, reports while it runs, options of older and newer programs. */
#include "tests/unit/session_wire.h"

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

TEST(each_stream_and_finding_is_told_once)
{
    struct told told = { 0 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_stream = on_stream,
                                                .on_finding = on_finding,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);

    ask(s, 0, 40000);
    ask(s, 1000, 40001);
    tcpwhy_report_free(finish(s));
    assert_int_equal(told.streams, 2);
    assert_int_equal(told.last_stream, 1);
    assert_int_equal(told.last_frames, 7);
    assert_int_equal(told.findings, 2);
    assert_int_equal(told.cause, TCPWHY_SERVER_THINK);
    assert_in_range(told.cost_ns, TCPWHY_MS(680), TCPWHY_MS(710));
}

TEST(a_callback_stops_the_finish)
{
    struct told told = { .stop_after = 1 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_stream = on_stream,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report = NULL;

    ask(s, 0, 40000);
    ask(s, 1000, 40001);
    assert_int_equal(tcpwhy_session_finish(s, &report), TCPWHY_ERR_STOPPED);
    assert_null(report);
    assert_int_equal(told.streams, 1);
}

TEST(a_snapshot_is_the_report_so_far)
{
    struct told told = { 0 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_stream = on_stream,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .keep_spans = true,
                                      .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *first, *second, *last;
    size_t n;

    ask(s, 0, 40000);
    assert_int_equal(tcpwhy_session_snapshot(s, &first), 0);
    assert_int_equal(told.streams, 0);
    ask(s, 1000, 40001);
    assert_int_equal(tcpwhy_session_snapshot(s, &second), 0);
    push(s, 1800, 40001, true, 101, 101, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_finish(s, &last), 0);

    const struct tw_stream_row *stream = tw_report_streams(first, &n);
    assert_int_equal(n, 1);
    assert_int_equal(stream->duration_ns, TCPWHY_MS(723));
    assert_int_equal(tcpwhy_report_verdict(first)->cause, TCPWHY_SERVER_THINK);
    tw_report_streams(second, &n);
    assert_int_equal(n, 2);
    assert_int_equal(tw_report_capture(second)->frames, 14);
    assert_int_equal(tcpwhy_report_latency(second)->count, 2);
    assert_int_equal(tw_report_traffic(second)->interval[0].frames, 7);
    stream = tw_report_streams(last, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream[1].frames, 8);
    assert_int_equal(tcpwhy_report_latency(last)->count, 2);
    tcpwhy_report_free(first);
    tcpwhy_report_free(second);
    tcpwhy_report_free(last);
}

TEST(an_older_program_needs_no_newer_fields)
{
    struct tcpwhy_options options;

    memset(&options, 0xff, sizeof options);
    options.struct_size = offsetof(struct tcpwhy_options, filter);
    tcpwhy_session *s = start(&options);
    ask(s, 0, 40000);
    tcpwhy_report_free(finish(s));
}

TEST(a_newer_program_may_set_no_field_that_is_not_known)
{
    struct {
        struct tcpwhy_options known;
        uint64_t newer;
    } options = { .known = TCPWHY_OPTIONS_INIT };
    tcpwhy_session *s = NULL;
    char error[TCPWHY_ERROR_TEXT] = "";

    options.known.struct_size = sizeof options;
    s = start(&options.known);
    tcpwhy_session_free(s);
    options.newer = 1;
    assert_int_equal(tcpwhy_session_new(&options.known, &s, error, sizeof error),
                     TCPWHY_ERR_ARGUMENT);
    assert_non_null(strstr(error, "struct_size"));
    options.known.struct_size = 0;
    assert_int_equal(tcpwhy_session_new(&options.known, &s, error, sizeof error),
                     TCPWHY_ERR_ARGUMENT);
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

TEST(progress_comes_to_the_end)
{
    struct told told = { 0 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_progress = on_progress,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    tcpwhy_report *report;
    size_t len;
    uint8_t *file = many_syns(&len);

    assert_int_equal(tcpwhy_analyze_memory(file, len, &options, &report, NULL, 0), 0);
    assert_true(told.progress >= 2);
    assert_int_equal(told.done, len);
    assert_int_equal(told.total, len);
    tcpwhy_report_free(report);
    test_free(file);
}

TEST(progress_cancels)
{
    struct told told = { .stop_after = 1 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_progress = on_progress,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    tcpwhy_report *report = NULL;
    size_t len;
    uint8_t *file = many_syns(&len);

    assert_int_equal(tcpwhy_analyze_memory(file, len, &options, &report, NULL, 0),
                     TCPWHY_ERR_STOPPED);
    assert_null(report);
    assert_true(told.done < len);
    test_free(file);
}

/* The clock steps back between two connections. */
TEST(a_capture_ends_with_its_latest_frame)
{
    struct tcpwhy_options options = { .struct_size = sizeof options };
    tcpwhy_session *s = start(&options);

    ask(s, 2000, 40000);
    ask(s, 1000, 40001);
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tw_capture_row *capture = tw_report_capture(report);
    assert_int_equal(capture->last_ns - capture->first_ns, TCPWHY_MS(723));
}

TEST(a_capture_begins_with_its_first_frame_that_has_a_time)
{
    const struct tcpwhy_packet untimed = { .struct_size = sizeof untimed,
                                           .link_type = RAW_IP,
                                           .time_ns = TCPWHY_NS_UNKNOWN,
                                           .captured_len = 1,
                                           .original_len = 1,
                                           .bytes = (const uint8_t *)"" };
    tcpwhy_session *s = start(NULL);

    tcpwhy_session_push(s, &untimed);
    ask(s, 0, 40000);
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tw_capture_row *capture = tw_report_capture(report);
    assert_int_equal(capture->first_ns, TCPWHY_S(1000000));
    assert_int_equal(capture->last_ns, capture->first_ns + TCPWHY_MS(723));
}

TEST(a_capture_without_frames_has_no_time)
{
    g_autoptr(tcpwhy_report) report = finish(start(NULL));

    assert_int_equal(tw_report_capture(report)->first_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(tw_report_capture(report)->last_ns, TCPWHY_NS_UNKNOWN);
}

static struct tcpwhy_verdict ended(tcpwhy_session *s)
{
    tcpwhy_report *report = finish(s);
    struct tcpwhy_verdict verdict = *tcpwhy_report_verdict(report);

    tcpwhy_report_free(report);
    return verdict;
}

/* The verdict on a packet of which this many bytes were captured, perhaps after the packets of a
 * connection; protocol: of IP. */
static struct tcpwhy_verdict verdict_of(bool behind, uint32_t captured, uint8_t protocol)
{
    struct tcpwhy_options options = { .struct_size = sizeof options };
    tcpwhy_session *s = start(&options);
    uint8_t bytes[HEADERS];
    struct tcpwhy_packet p = {
        .struct_size = sizeof p, .link_type = RAW_IP, .bytes = bytes, .captured_len = captured
    };

    if (behind)
        push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    p.original_len = (uint32_t)packet(bytes, 40000, true, 0, 0, TW_SYN, 0);
    bytes[9] = protocol;
    assert_int_equal(tcpwhy_session_push(s, &p), 0);
    return ended(s);
}

TEST(frames_that_cannot_be_read_may_hold_a_connection)
{
    assert_int_equal(verdict_of(false, HEADERS, 6).rival, TCPWHY_UNKNOWN);
    assert_int_equal(verdict_of(false, HEADERS, 50).confidence, TCPWHY_CERTAIN);
    assert_int_equal(verdict_of(true, HEADERS - 20, 6).rival, TCPWHY_UNKNOWN);
    assert_int_equal(verdict_of(false, HEADERS - 20, 6).confidence, TCPWHY_AMBIGUOUS);
    assert_int_equal(verdict_of(false, HEADERS - 20, 6).rival, TCPWHY_CAPTURE_GAP);
}

TEST(a_capture_without_duration_is_not_called_healthy)
{
    tcpwhy_session *s = start(NULL);

    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    struct tcpwhy_verdict v = ended(s);
    assert_int_equal(v.cause, TCPWHY_CAUSE_NONE);
    assert_int_equal(v.confidence, TCPWHY_AMBIGUOUS);
}

/* Beside a connection that is opened and soon closed, and that for long enough to be answered, one
 * SYN or none. */
static struct tcpwhy_verdict verdict_beside(bool asked)
{
    tcpwhy_session *s = start(NULL);

    if (asked)
        push(s, 0, 40001, true, 0, 0, TW_SYN, 0);
    push(s, 2000, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 2010, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 2011, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 2012, 40000, true, 1, 1, TW_FIN | TW_ACK, 0);
    push(s, 2022, 40000, false, 1, 2, TW_FIN | TW_ACK, 0);
    push(s, 2023, 40000, true, 2, 2, TW_ACK, 0);
    return ended(s);
}

TEST(an_unanswered_client_may_have_waited)
{
    assert_int_equal(verdict_beside(false).confidence, TCPWHY_CERTAIN);
    assert_int_equal(verdict_beside(true).cause, TCPWHY_CAUSE_NONE);
    assert_int_equal(verdict_beside(true).confidence, TCPWHY_AMBIGUOUS);
    assert_int_equal(verdict_beside(true).rival, TCPWHY_CONNECT_RETRY);
}
