/* SPDX-License-Identifier: MIT */
/*
 * Sentences and lines of a diagnosis, and their fit on narrow screens.
 */
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/view/view.h"
#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

static void assert_told(const tcpwhy_report *r, unsigned columns, const char *part)
{
    struct tcpwhy_render_options style = { .struct_size = sizeof(style), .columns = columns };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(
        tcpwhy_render(r, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT, &style, append, text), 0);
    assert_within(text->str, columns);
    if (!strstr(text->str, part))
        fail_msg("%s is not told in\n%s", part, text->str);
}

#define REPORT_TEST(name, make) TEST_FROM(name, tcpwhy_report *, r, make, tcpwhy_report_free(r))

REPORT_TEST(a_cause_on_the_path_is_at_neither_end, made_sick("client.pcap", "GET /"))
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_told(r, 200, "delayed ACK at 10.9.0.2:8080 (server) cost ");
    r->verdict.cause = TCPWHY_LOSS_RECOVERY;
    r->verdict.party = TCPWHY_PARTY_PATH;
    assert_told(r, 200, "Loss recovery on the path from 10.9.0.2:8080 cost ");
    r->verdict.cause = TCPWHY_CONNECT_RETRY;
    assert_told(r, 200, "(retransmitted) on the path to 10.9.0.2:8080 cost ");
    tw_stream_lines[TW_STREAM_LINES - 1].words(text,
                                               &(struct tw_stream_row) { .verdict = r->verdict });
    assert_non_null(strstr(text->str, "(retransmitted) on the path to 10.9.0.2:8080: "));
}

/* A second finding at the same sender, of that cause. */
static tcpwhy_report *made_lossy(enum tcpwhy_cause verdict, enum tcpwhy_cause other)
{
    tcpwhy_report *r = made_sick("client.pcap", "GET /");
    struct tw_finding_row *f;

    r->verdict.cause = verdict;
    r->verdict.party = TCPWHY_PARTY_PATH;
    made_finding(r);
    f = &tw_array_index(r->findings, struct tw_finding_row, 0);
    f->cause = verdict;
    f[1].cause = other;
    f[0].party = f[1].party = TCPWHY_PARTY_PATH;
    f[1].cost_ns = TCPWHY_MS(50);
    return r;
}

REPORT_TEST(losses_and_the_window_after_them_are_one_story,
            made_lossy(TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_LOSS_RECOVERY))
{
    assert_told(r, 200,
                "Packet loss on the path from 10.9.0.2:8080 cost 2.94 of 3.00 s of waiting (98%): "
                "0.050 s in repairs,\n2.89 s because the sender slowed down. ");
}

REPORT_TEST(causes_that_do_not_follow_each_other_are_told_apart,
            made_lossy(TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_BANDWIDTH_LIMITED))
{
    assert_told(r, 200, "Congestion window limit after loss on the path from 10.9.0.2:8080 cost ");
}

/* The repairs took too little for a finding, as the listener's ledger has it. */
static tcpwhy_report *made_repaired(enum tcpwhy_cause verdict, enum tcpwhy_cause root)
{
    const struct tcpwhy_ledger_entry little[] = {
        { .cause = root, .party = TCPWHY_PARTY_PATH, .ns = TCPWHY_MS(20) },
    };
    tcpwhy_report *r = made_lossy(verdict, TCPWHY_BANDWIDTH_LIMITED);
    struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, 0);

    l->ledger = MADE(r, little);
    l->n_ledger = 1;
    return r;
}

REPORT_TEST(a_window_after_losses_is_their_story_however_little_the_repairs_took,
            made_repaired(TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_LOSS_RECOVERY))
{
    assert_told(r, 200, "Packet loss on the path from 10.9.0.2:8080 cost 2.91 of 3.00 s");
    assert_told(r, 200, "What to do:\nAt 10.9.0.2:8080: ");
}

REPORT_TEST(a_small_window_that_was_closed_for_a_moment_is_no_slow_reader,
            made_repaired(TCPWHY_RECEIVE_WINDOW_LIMITED, TCPWHY_ZERO_WINDOW))
{
    assert_told(r, 200, "Receive window limit");
}

REPORT_TEST(losses_of_another_sender_are_another_story,
            made_lossy(TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_LOSS_RECOVERY))
{
    tw_array_index(r->findings, struct tw_finding_row, 1).endpoint = made_endpoint(9, 8080);
    assert_told(r, 200, "Congestion window limit after loss on the path from 10.9.0.2:8080 cost ");
}

TEST(a_name_stands_beside_its_address)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    const struct tcpwhy_endpoint at = made_endpoint(2, 80);

    tw_text_holder(text, &at, "a.test", TCPWHY_PARTY_SERVER);
    tw_string_append_c(text, ';');
    tw_text_holder(text, &at, "a.test", TCPWHY_PARTY_NONE);
    tw_string_append_c(text, ';');
    tw_text_holder(text, &at, NULL, TCPWHY_PARTY_SERVER);
    assert_string_equal(text->str,
                        "10.9.0.2:80 (a.test, server);10.9.0.2:80 (a.test);10.9.0.2:80 (server)");
}

REPORT_TEST(frames_at_one_moment_take_no_time, made_healthy())
{
    r->capture.frames = r->capture.tcp_frames = 1;
    r->capture.first_ns = r->capture.last_ns = 0;
    assert_told(r, 80, ", 1 frame, from 1970-01-01 00:00:00 UTC\n");
}

REPORT_TEST(a_single_frame_has_no_duration_and_no_ledger, made_healthy())
{
    struct tcpwhy_render_options style = { .struct_size = sizeof(style), .columns = 80 };
    struct tw_stream_row *s = &tw_array_index(r->streams, struct tw_stream_row, 0);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    s->duration_ns = 0;
    s->n_ledger = 0;
    tcpwhy_render(r, TCPWHY_DOC_EXPLAIN, TCPWHY_FORMAT_TEXT, &style, append, text);
    assert_non_null(strstr(text->str, "duration   0.000 ms, start"));
    assert_null(strstr(text->str, "cause"));
}

TEST(few_requests_have_no_rate)
{
    struct tcpwhy_percentiles latency = made_latency();
    g_autoptr(tw_string) text = tw_string_new(NULL);

    latency.count = 10;
    tw_text_answered(text, &latency, NULL);
    assert_non_null(strstr(text->str, "10 requests, 3/s; response time median"));
    latency.count = 9;
    tw_string_truncate(text, 0);
    tw_text_answered(text, &latency, NULL);
    assert_non_null(strstr(text->str, "9 requests; response time median"));
}

TEST(incomplete_responses_are_counted)
{
    const struct tcpwhy_status_classes all = { .n = { [2] = 69 } }, more = { .n = { [2] = 70 } };
    const struct tcpwhy_percentiles latency = made_latency();
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_text_answered(text, &latency, &all);
    assert_true(g_str_has_suffix(text->str, "; 69 \u00D7 2xx"));
    tw_text_answered(text, &latency, &more);
    assert_true(g_str_has_suffix(text->str, "; 70 \u00D7 2xx (1 incomplete)"));
}

TEST(a_small_cost_is_not_rounded_to_zero)
{
    assert_string_equal(tw_cost(0).text, "0.0");
    assert_string_equal(tw_cost(26000).text, "0.026");
    assert_string_equal(tw_cost(TCPWHY_US(100) - 1).text, "0.100");
    assert_string_equal(tw_cost(TCPWHY_US(100)).text, "0.1");
    assert_string_equal(tw_cost(TCPWHY_NS_UNKNOWN).text, "-");
}

/* A finding that is told in a line, at an endpoint so long that not all of it has room. */
REPORT_TEST(without_room_for_its_title_a_cause_has_its_short_name,
            made_sick("client.pcap", "GET /"))
{
    made_finding(r);
    struct tw_finding_row *f = &tw_array_index(r->findings, struct tw_finding_row, 1);
    f->cause = TCPWHY_NAGLE_HOLD;
    f->cost_ns = TCPWHY_MS(300);
    assert_told(r, 100,
                "2  Nagle's algorithm without delayed ACK, 10.9.0.2:8080 (server), stream 3 ");
    assert_told(r, 80, "2  Nagle's algorithm without delayed ACK, 10.9.0.2:8080, stream 3 ");
    assert_told(r, 72, "2  nagle_hold, 10.9.0.2:8080 (server), stream 3 ");
    f->cause = TCPWHY_CONGESTION_WINDOW_LIMITED;
    assert_told(r, 62, "2  congestion_window_limited, 10.9.0.2:8080, stream 3 ");
    f->cost_ns = r->verdict.cost_ns;
    assert_told(r, 60, "2  congestion_window_limited (server) ");
}

TEST(without_a_file_no_command_is_shown)
{
    static const char *const files[] = { "", "-" };

    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        tcpwhy_report *r = made_sick(files[i], "GET /");

        assert_told(r, 80, "   frames  391, 411, 446, 483 of stream 3\n");
        tcpwhy_report_free(r);
    }
}

/* Of seven answers, 'bad' ones failed at the server. */
static void fail_answers(tcpwhy_report *r, uint64_t bad)
{
    const struct tcpwhy_fact fact = { .fact = "error_answers",
                                      .text = "Most responses were 5xx.",
                                      .confidence = TCPWHY_CERTAIN,
                                      .count = bad,
                                      .of = 7 };

    r->status = (struct tcpwhy_status_classes) { { [4] = 7 - bad, [5] = bad } };
    tw_array_append_val(r->facts, fact);
}

static void assert_times(const tcpwhy_report *r, const char *part, int times)
{
    struct tcpwhy_render_options style = { .struct_size = sizeof(style), .columns = 200 };
    g_autoptr(tw_string) text = tw_string_new(NULL);
    int n = 0;

    assert_int_equal(
        tcpwhy_render(r, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT, &style, append, text), 0);
    for (const char *at = text->str; (at = strstr(at, part)); at++)
        n++;
    assert_int_equal(n, times);
}

REPORT_TEST(answers_that_fail_come_before_the_time_that_they_took, made_healthy())
{
    fail_answers(r, 6);
    assert_told(r, 200,
                "responses were 5xx: the server failed, or what stands behind it; "
                "its error log says why.");
    assert_times(r, "responses were 5xx", 1);
    assert_times(r, "No time was lost", 0);
}

REPORT_TEST(answers_to_wrong_requests_are_a_fact_beside_the_verdict, made_healthy())
{
    fail_answers(r, 3);
    assert_told(r, 200, "! Most responses were 5xx.");
    assert_times(r, "the server failed", 0);
}
