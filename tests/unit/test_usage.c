/* SPDX-License-Identifier: MIT */
/*
 * Errors of programs: NULL where a pointer is required, and an object that is used from within its
 * own callback. Each is told by a code, or by nothing found; none is a crash or done in silence.
 */
#include "tests/unit.h"
#include "tests/unit/owned.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#define CAPTURE TESTS_FOLDER "/../../pcaps/think200_rtt7/client.pcap"

#define assert_usage(call) assert_int_equal(call, TCPWHY_ERR_USAGE)

static bool swallow(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
    return true;
}

static tcpwhy_report *report_of_capture(void)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report;

    options.keep_spans = true;
    assert_int_equal(tcpwhy_analyze_file(CAPTURE, &options, &report, NULL, 0), 0);
    return report;
}

TEST(an_analysis_needs_a_capture_and_a_place_for_the_report)
{
    const char *const paths[] = { CAPTURE, NULL };
    char error[TCPWHY_ERROR_TEXT] = "";
    tcpwhy_report *report;

    assert_usage(tcpwhy_analyze_file(NULL, NULL, &report, error, sizeof error));
    assert_string_equal(error, tcpwhy_strerror(TCPWHY_ERR_USAGE));
    assert_usage(tcpwhy_analyze_file(CAPTURE, NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_analyze_files(paths, 2, NULL, &report, NULL, 0));
    assert_usage(tcpwhy_analyze_files(NULL, 1, NULL, &report, NULL, 0));
    assert_usage(tcpwhy_analyze_files(paths, 1, NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_analyze_memory(NULL, 1, NULL, &report, NULL, 0));
    assert_usage(tcpwhy_analyze_memory((const uint8_t *)"", 0, NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_annotate_file(NULL, NULL, NULL, swallow, NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_annotate_file(CAPTURE, NULL, NULL, NULL, NULL, NULL, NULL, 0));
}

static int64_t begins_at_0(void *user, const char *path)
{
    (void)user;
    (void)path;
    return 0;
}

TEST(files_are_not_chained_without_a_way_to_learn_their_beginning)
{
    struct tcpwhy_file file = TCPWHY_FILE_INIT, *files[] = { &file, NULL };
    struct tcpwhy_file no_path = TCPWHY_FILE_INIT, *pathless[] = { &no_path };
    size_t n = 7;

    file.path = CAPTURE;
    assert_usage(tcpwhy_chain_files(NULL, 1, TCPWHY_CHAIN_NONE, begins_at_0, NULL, &n));
    assert_usage(tcpwhy_chain_files(files, 1, TCPWHY_CHAIN_NONE, NULL, NULL, &n));
    assert_usage(tcpwhy_chain_files(files, 2, TCPWHY_CHAIN_NONE, begins_at_0, NULL, &n));
    assert_usage(tcpwhy_chain_files(files, 1, TCPWHY_CHAIN_NONE, begins_at_0, NULL, NULL));
    assert_usage(tcpwhy_chain_files(pathless, 1, TCPWHY_CHAIN_NONE, begins_at_0, NULL, &n));
    assert_int_equal(n, 7);
}

TEST(a_session_is_required_by_its_functions)
{
    struct tcpwhy_packet without_bytes = TCPWHY_PACKET_INIT;
    tcpwhy_session *session;
    tcpwhy_report *report;

    without_bytes.captured_len = 1;
    assert_usage(tcpwhy_session_new(NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_session_push(NULL, &without_bytes));
    assert_usage(tcpwhy_session_dropped(NULL, 1));
    assert_usage(tcpwhy_session_snapshot(NULL, &report));
    assert_usage(tcpwhy_session_finish(NULL, &report));
    assert_int_equal(tcpwhy_session_free(NULL), 0);
    assert_int_equal(tcpwhy_session_new(NULL, &session, NULL, 0), 0);
    assert_usage(tcpwhy_session_push(session, NULL));
    assert_usage(tcpwhy_session_push(session, &without_bytes));
    assert_usage(tcpwhy_session_snapshot(session, NULL));
    assert_usage(tcpwhy_session_finish(session, NULL));
    assert_int_equal(tcpwhy_session_free(session), 0);
}

TEST(a_live_source_is_required_by_its_functions)
{
    struct tcpwhy_live_counts counts = TCPWHY_LIVE_COUNTS_INIT;
    struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
    tcpwhy_live *live;

    assert_usage(tcpwhy_live_open(NULL, NULL, &live, NULL, 0));
    assert_usage(tcpwhy_live_open("lo", NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_live_follow(NULL, NULL, &live, NULL, 0));
    assert_usage(tcpwhy_live_follow(CAPTURE, NULL, NULL, NULL, 0));
    assert_usage(tcpwhy_live_next(NULL, 0, &packet, NULL, 0));
    assert_usage(tcpwhy_live_counts(NULL, &counts));
    assert_usage(tcpwhy_live_fd(NULL));
    assert_int_equal(tcpwhy_live_follow(CAPTURE, NULL, &live, NULL, 0), 0);
    assert_usage(tcpwhy_live_next(live, 0, NULL, NULL, 0));
    assert_usage(tcpwhy_live_counts(live, NULL));
    tcpwhy_live_close(live);
    tcpwhy_live_close(NULL);
}

TEST(nothing_is_found_in_no_report)
{
    assert_null(tcpwhy_report_capture(NULL));
    assert_null(tcpwhy_report_verdict(NULL));
    assert_null(tcpwhy_report_latency(NULL));
    assert_null(tcpwhy_report_status(NULL));
    assert_null(tcpwhy_report_traffic(NULL));
    assert_int_equal(tcpwhy_report_finding_count(NULL), 0);
    assert_null(tcpwhy_report_finding(NULL, 0));
    assert_int_equal(tcpwhy_report_failure_count(NULL), 0);
    assert_null(tcpwhy_report_failure(NULL, 0));
    assert_int_equal(tcpwhy_report_stream_count(NULL), 0);
    assert_null(tcpwhy_report_stream(NULL, 0));
    assert_int_equal(tcpwhy_report_listener_count(NULL), 0);
    assert_null(tcpwhy_report_listener(NULL, 0));
    assert_int_equal(tcpwhy_report_ledger_entry_count(NULL), 0);
    assert_null(tcpwhy_report_ledger_entry(NULL, 0));
    assert_int_equal(tcpwhy_report_ports_count(NULL), 0);
    assert_null(tcpwhy_report_ports(NULL, 0));
    assert_int_equal(tcpwhy_report_fact_count(NULL), 0);
    assert_null(tcpwhy_report_fact(NULL, 0));
    assert_usage(tcpwhy_report_visit_streams(NULL, NULL, NULL));
    tcpwhy_report_free(NULL);
}

TEST(nothing_is_found_in_no_comparison)
{
    g_autoptr(tcpwhy_report) report = report_of_capture();
    tcpwhy_comparison *comparison;

    assert_usage(tcpwhy_compare(NULL, report, &comparison));
    assert_usage(tcpwhy_compare(report, NULL, &comparison));
    assert_usage(tcpwhy_compare(report, report, NULL));
    assert_null(tcpwhy_comparison_report(NULL, TCPWHY_BEFORE));
    assert_null(tcpwhy_comparison_verdict(NULL));
    assert_null(tcpwhy_comparison_whole(NULL));
    assert_int_equal(tcpwhy_comparison_listener_count(NULL), 0);
    assert_null(tcpwhy_comparison_listener(NULL, 0));
    assert_int_equal(tcpwhy_comparison_unfair_count(NULL), 0);
    assert_null(tcpwhy_comparison_unfair(NULL, 0));
    tcpwhy_comparison_free(NULL);
}

TEST(a_report_and_a_place_are_required_to_make_something_of_it)
{
    g_autoptr(tcpwhy_report) report = report_of_capture();
    struct ArrowArrayStream stream;
    struct tcpwhy_series *series;
    struct tcpwhy_flow *flow;

    assert_usage(tcpwhy_report_visit_streams(report, NULL, NULL));
    assert_usage(tcpwhy_series_new(NULL, TCPWHY_GRAPH_SEQUENCE, NULL, &series));
    assert_usage(tcpwhy_series_new(report, TCPWHY_GRAPH_SEQUENCE, NULL, NULL));
    assert_usage(tcpwhy_flow_new(NULL, 0, NULL, &flow));
    assert_usage(tcpwhy_flow_new(report, 0, NULL, NULL));
    assert_usage(tcpwhy_table_stream(report, TCPWHY_TABLE_CAPTURES, NULL, NULL));
    assert_int_equal(tcpwhy_table_stream(NULL, TCPWHY_TABLE_CAPTURES, NULL, &stream),
                     TCPWHY_ERR_ARGUMENT);
    tcpwhy_series_free(NULL);
    tcpwhy_flow_free(NULL);
}

TEST(a_document_needs_a_place_to_be_written_to_and_what_it_is_made_of)
{
    g_autoptr(tcpwhy_report) report = report_of_capture();
    const tcpwhy_report *const more[] = { report, NULL };
    struct tcpwhy_render_options options = TCPWHY_RENDER_INIT;

    assert_usage(tcpwhy_render(report, TCPWHY_DOC_STREAMS, TCPWHY_FORMAT_TEXT, NULL, NULL, NULL));
    assert_int_equal(
        tcpwhy_render(NULL, TCPWHY_DOC_STREAMS, TCPWHY_FORMAT_TEXT, NULL, swallow, NULL),
        TCPWHY_ERR_ARGUMENT);
    options.n_more = 2;
    assert_int_equal(
        tcpwhy_render(report, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, &options, swallow, NULL),
        TCPWHY_ERR_ARGUMENT);
    options.more = more;
    assert_int_equal(
        tcpwhy_render(report, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, &options, swallow, NULL),
        TCPWHY_ERR_ARGUMENT);
}

TEST(a_followed_stream_needs_a_place_to_be_written_to)
{
    const struct tcpwhy_endpoint end = { .version = 4 };
    tcpwhy_follow *follow;

    assert_usage(tcpwhy_follow_new(NULL, NULL, NULL, &follow));
    assert_usage(tcpwhy_follow_new(NULL, swallow, NULL, NULL));
    assert_usage(tcpwhy_follow_ends(NULL, &end, &end));
    assert_usage(tcpwhy_follow_bytes(NULL, TCPWHY_CLIENT, 1, NULL, 0));
    assert_usage(tcpwhy_follow_end(NULL));
    assert_int_equal(tcpwhy_follow_free(NULL), 0);
    assert_int_equal(tcpwhy_follow_new(NULL, swallow, NULL, &follow), 0);
    assert_usage(tcpwhy_follow_ends(follow, NULL, &end));
    assert_usage(tcpwhy_follow_ends(follow, &end, NULL));
    assert_usage(tcpwhy_follow_bytes(follow, TCPWHY_CLIENT, 1, NULL, 1));
    assert_int_equal(tcpwhy_follow_bytes(follow, (enum tcpwhy_side)2, 1, NULL, 0),
                     TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tcpwhy_follow_free(follow), 0);
}

TEST(a_null_name_finds_nothing)
{
    char text[TCPWHY_ENDPOINT_TEXT] = "x", id[TCPWHY_CAPTURE_ID_TEXT];
    const struct tcpwhy_endpoint end = { .version = 4 };
    enum tcpwhy_failure_kind failure;
    enum tcpwhy_cause cause;
    enum tcpwhy_graph graph;
    enum tcpwhy_table table;

    assert_false(tcpwhy_failure_by_name(NULL, &failure));
    assert_false(tcpwhy_failure_by_name("reset", NULL));
    assert_false(tcpwhy_cause_by_name(NULL, &cause));
    assert_false(tcpwhy_cause_by_name("wire", NULL));
    assert_false(tcpwhy_graph_by_name(NULL, &graph));
    assert_false(tcpwhy_graph_by_name("cwnd", NULL));
    assert_false(tcpwhy_table_by_name(NULL, &table));
    assert_false(tcpwhy_table_by_name("captures", NULL));
    assert_string_equal(tcpwhy_endpoint_format(NULL, text), "");
    assert_null(tcpwhy_endpoint_format(&end, NULL));
    assert_null(tcpwhy_capture_id(NULL, id));
    assert_null(tcpwhy_capture_id("a", NULL));
}

TEST(every_code_has_a_sentence_of_its_own)
{
    for (int a = 0; a >= TCPWHY_ERR_USAGE; a--)
        for (int b = a - 1; b >= TCPWHY_ERR_USAGE - 1; b--)
            assert_string_not_equal(tcpwhy_strerror(a), tcpwhy_strerror(b));
}

TEST(an_error_text_is_cut_to_its_buffer)
{
    char error[8] = "#######";
    tcpwhy_report *report;

    assert_int_equal(tcpwhy_analyze_file("/no/such", NULL, &report, error, 4), TCPWHY_ERR_OPEN);
    assert_memory_equal(error, "/no\0###", sizeof error);
    assert_int_equal(tcpwhy_analyze_file("/no/such", NULL, &report, error, 0), TCPWHY_ERR_OPEN);
    assert_memory_equal(error, "/no\0###", sizeof error);
}

/* A session or a followed stream, and how often its callback was called. */
struct caller {
    tcpwhy_session *session;
    tcpwhy_follow *follow;
    unsigned calls;
};

static bool call_session(void *user, const struct tcpwhy_segment *segment)
{
    const struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
    struct caller *caller = user;
    tcpwhy_report *report;

    (void)segment;
    assert_usage(tcpwhy_session_push(caller->session, &packet));
    assert_usage(tcpwhy_session_dropped(caller->session, 1));
    assert_usage(tcpwhy_session_snapshot(caller->session, &report));
    assert_usage(tcpwhy_session_finish(caller->session, &report));
    assert_usage(tcpwhy_session_free(caller->session));
    caller->calls++;
    return true;
}

TEST(a_session_is_not_used_from_within_its_callback)
{
    /* A raw IPv4 SYN from 10.0.0.1:1 to 10.0.0.2:80. */
    static const uint8_t syn[] = { 0x45, 0, 0,  40, 0,    0, 0, 0, 64, 6,  0, 0, 10, 0,
                                   0,    1, 10, 0,  0,    2, 0, 1, 0,  80, 0, 0, 0,  1,
                                   0,    0, 0,  0,  0x50, 2, 4, 0, 0,  0,  0, 0 };
    struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    struct caller caller = { 0 };
    tcpwhy_report *report;

    packet.link_type = 101;
    packet.captured_len = packet.original_len = sizeof syn;
    packet.bytes = syn;
    callbacks.on_segment = call_session;
    callbacks.user = &caller;
    options.callbacks = &callbacks;
    assert_int_equal(tcpwhy_session_new(&options, &caller.session, NULL, 0), 0);
    assert_int_equal(tcpwhy_session_push(caller.session, &packet), 0);
    assert_int_equal(caller.calls, 1);
    assert_int_equal(tcpwhy_session_finish(caller.session, &report), 0);
    assert_int_equal(tcpwhy_report_capture(report)->frames, 1);
    tcpwhy_report_free(report);
}

static bool call_follow(void *user, const char *bytes, size_t len)
{
    const struct tcpwhy_endpoint end = { .version = 4 };
    struct caller *caller = user;

    (void)bytes;
    (void)len;
    assert_usage(tcpwhy_follow_ends(caller->follow, &end, &end));
    assert_usage(tcpwhy_follow_bytes(caller->follow, TCPWHY_CLIENT, 1, NULL, 0));
    assert_usage(tcpwhy_follow_end(caller->follow));
    assert_usage(tcpwhy_follow_free(caller->follow));
    caller->calls++;
    return true;
}

TEST(a_followed_stream_is_not_used_from_within_its_callback)
{
    struct caller caller = { 0 };
    unsigned calls;

    assert_int_equal(tcpwhy_follow_new(NULL, call_follow, &caller, &caller.follow), 0);
    assert_int_equal(tcpwhy_follow_bytes(caller.follow, TCPWHY_CLIENT, 1, NULL, 0), 0);
    calls = caller.calls;
    assert_true(calls > 0);
    assert_int_equal(tcpwhy_follow_end(caller.follow), 0);
    assert_true(caller.calls > calls);
    assert_int_equal(tcpwhy_follow_free(caller.follow), 0);
}

static bool release_report(void *user, const char *bytes, size_t len)
{
    tcpwhy_report **report = user;

    (void)bytes;
    (void)len;
    tcpwhy_report_free(*report);
    *report = NULL;
    return true;
}

static bool release_visited(void *user, const struct tcpwhy_stream *stream)
{
    assert_int_equal(stream->stream, 0);
    return release_report(user, NULL, 0);
}

TEST(a_report_that_its_own_document_releases_lives_until_it_is_written)
{
    tcpwhy_report *const report = report_of_capture(), *owned = report;
    tcpwhy_report *visited = report_of_capture();

    assert_int_equal(
        tcpwhy_render(report, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, NULL, release_report, &owned),
        0);
    assert_null(owned);
    assert_int_equal(tcpwhy_report_visit_streams(visited, release_visited, &visited), 0);
    assert_null(visited);
}

TEST(one_of_more_reports_that_the_document_releases_lives_until_it_is_written)
{
    g_autoptr(tcpwhy_report) report = report_of_capture();
    tcpwhy_report *owned = report_of_capture();
    const tcpwhy_report *const more[] = { owned };
    struct tcpwhy_render_options options = TCPWHY_RENDER_INIT;

    options.more = more;
    options.n_more = 1;
    assert_int_equal(tcpwhy_render(report, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, &options,
                                   release_report, &owned),
                     0);
    assert_null(owned);
}

static bool release_comparison(void *user, const char *bytes, size_t len)
{
    tcpwhy_comparison **comparison = user;

    (void)bytes;
    (void)len;
    tcpwhy_comparison_free(*comparison);
    *comparison = NULL;
    return true;
}

TEST(a_comparison_holds_its_reports_and_lives_until_it_is_written)
{
    tcpwhy_report *const before = report_of_capture(), *const after = report_of_capture();
    struct tcpwhy_render_options options = TCPWHY_RENDER_INIT;
    tcpwhy_comparison *comparison;

    assert_int_equal(tcpwhy_compare(before, after, &comparison), 0);
    tcpwhy_report_free(before);
    tcpwhy_report_free(after);
    assert_int_equal(
        tcpwhy_report_stream_count(tcpwhy_comparison_report(comparison, TCPWHY_BEFORE)), 1);
    options.comparison = comparison;
    assert_int_equal(tcpwhy_render(NULL, TCPWHY_DOC_COMPARISON, TCPWHY_FORMAT_HTML, &options,
                                   release_comparison, &comparison),
                     0);
    assert_null(comparison);
}
