/* SPDX-License-Identifier: MIT */
/* The public view of a report: rows by index, lists as arrays of pointers. */
#include "base/memory.h"
#include "tests/unit/session_wire.h"

#include "report/report_views.h"

/* Two connections that wait for their server, with everything kept. */
static tcpwhy_report *report_of_two(void)
{
    struct tcpwhy_options options = {
        .struct_size = sizeof options, .keep_exchanges = true, .keep_spans = true, .keep_waits = 2
    };
    tcpwhy_session *s = start(&options);

    ask(s, 0, 40000);
    ask(s, 1000, 40001);
    return finish(s);
}

#define REPORT_TEST(name)                                                                          \
    TEST_FROM(name, tcpwhy_report *, report, report_of_two(), tcpwhy_report_free(report))

REPORT_TEST(a_stream_is_shown_with_its_lists)
{
    size_t n;
    const struct tw_stream_row *row = tw_report_streams(report, &n);

    assert_int_equal(n, 2);
    assert_int_equal(tcpwhy_report_stream_count(report), 2);
    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_stream *stream = tcpwhy_report_stream(report, i);

        assert_int_equal(stream->stream, i);
        assert_int_equal(stream->server.port, row[i].server.port);
        assert_int_equal(stream->duration_ns, row[i].duration_ns);
        assert_int_equal(stream->way_ns[1], row[i].way_ns[1]);
        assert_int_equal(stream->isn[1], row[i].isn[1]);
        assert_memory_equal(stream->verdict, &row[i].verdict, sizeof row[i].verdict);
        assert_memory_equal(stream->latency, &row[i].latency, sizeof row[i].latency);
        assert_memory_equal(stream->repairs, &row[i].repairs, sizeof row[i].repairs);
        assert_int_equal(stream->n_ledger, row[i].n_ledger);
        assert_ptr_equal(stream->ledger[1], &row[i].ledger[1]);
        assert_int_equal(stream->n_exchanges, 1);
        assert_ptr_equal(stream->exchanges[0], row[i].exchanges);
        assert_int_equal(stream->n_spans, row[i].n_spans);
        assert_ptr_equal(stream->spans[stream->n_spans - 1], &row[i].spans[row[i].n_spans - 1]);
    }
}

/* Every list of a weighing is the program's to read, in a snapshot as in the report. */
static void check_weighings(const tcpwhy_report *report)
{
    const struct tcpwhy_stream *stream = tcpwhy_report_stream(report, 0);
    const struct tcpwhy_weighing *w;

    assert_true(stream->n_weighings > 0);
    w = stream->weighings[0];
    assert_int_equal(w->cause, TCPWHY_SERVER_THINK);
    assert_int_equal(w->cause, stream->verdict->cause);
    assert_true(w->last_frame > w->first_frame);
    assert_true(w->n_hypotheses > 20);
    assert_int_equal(w->hypotheses[0]->cause, w->cause);
    assert_null(w->hypotheses[0]->refuted);
    assert_non_null(w->hypotheses[w->n_hypotheses - 1]->refuted);
}

TEST(a_stream_is_shown_with_its_weighings)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .keep_weighings = true };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report;

    ask(s, 0, 40000);
    assert_int_equal(tcpwhy_session_snapshot(s, &report), 0);
    check_weighings(report);
    tcpwhy_report_free(report);
    report = finish(s);
    check_weighings(report);
    tcpwhy_report_free(report);
}

REPORT_TEST(weighings_are_kept_only_when_asked_for)
{
    assert_null(tcpwhy_report_stream(report, 0)->weighings);
    assert_int_equal(tcpwhy_report_stream(report, 0)->n_weighings, 0);
}

/* With fewer rows than streams rows are not packed, and those that leave take theirs along. */
TEST(rows_that_leave_release_their_weighings)
{
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .keep_weighings = true,
                                      .keep_streams = 1 };
    tcpwhy_session *s = start(&options);

    ask(s, 0, 40000);
    ask(s, 1000, 40001);
    g_autoptr(tcpwhy_report) report = finish(s);
    assert_int_equal(tcpwhy_report_stream_count(report), 1);
    check_weighings(report);
}

REPORT_TEST(a_row_stays_where_it_is)
{
    assert_ptr_equal(tcpwhy_report_stream(report, 1), tcpwhy_report_stream(report, 1));
    assert_ptr_equal(tcpwhy_report_finding(report, 0), tcpwhy_report_finding(report, 0));
    assert_ptr_equal(tcpwhy_report_capture(report), tcpwhy_report_capture(report));
}

REPORT_TEST(an_index_beyond_the_last_gives_null)
{
    assert_null(tcpwhy_report_stream(report, tcpwhy_report_stream_count(report)));
    assert_null(tcpwhy_report_finding(report, tcpwhy_report_finding_count(report)));
    assert_null(tcpwhy_report_listener(report, tcpwhy_report_listener_count(report)));
    assert_null(tcpwhy_report_ledger_entry(report, tcpwhy_report_ledger_entry_count(report)));
    assert_null(tcpwhy_report_ports(report, tcpwhy_report_ports_count(report)));
    assert_null(tcpwhy_report_fact(report, tcpwhy_report_fact_count(report)));
    assert_null(tcpwhy_report_stream(report, SIZE_MAX));
}

REPORT_TEST(a_finding_is_shown_with_its_waits)
{
    size_t n;
    const struct tw_finding_row *row = tw_report_findings(report, &n);
    const struct tcpwhy_finding *finding = tcpwhy_report_finding(report, 0);

    assert_int_equal(tcpwhy_report_finding_count(report), n);
    assert_int_equal(finding->cause, TCPWHY_SERVER_THINK);
    assert_int_equal(finding->cost_ns, row->cost_ns);
    assert_string_equal(finding->summary, row->summary);
    assert_ptr_equal(finding->frames, row->frames);
    assert_int_equal(finding->n_waits, 2);
    assert_ptr_equal(finding->waits[1], &row->waits[1]);
}

TEST(a_finding_is_shown_with_its_details_and_read_back)
{
    static const struct tcpwhy_detail details[] = { { "rtt_us", NULL, 250 },
                                                    { "stack", "linux", 0 } };
    const struct tw_finding_row row = {
        .cause = TCPWHY_ZERO_WINDOW, .details = details, .n_details = 2, .summary = "a sentence"
    };
    tw_autofree struct tcpwhy_finding *view = tw_finding_view(&row);
    tw_autofree struct tw_finding_row *back = tw_finding_of_view(view);

    assert_int_equal(view->n_details, 2);
    assert_ptr_equal(view->details[1], &details[1]);
    assert_int_equal(view->n_waits, 0);
    assert_null(view->waits);
    assert_int_equal(back->cause, TCPWHY_ZERO_WINDOW);
    assert_int_equal(back->n_details, 2);
    assert_string_equal(back->details[1].text, "linux");
    assert_string_equal(back->summary, "a sentence");
}

REPORT_TEST(a_listener_is_shown_with_its_ledger_and_traffic)
{
    const struct tcpwhy_listener *listener = tcpwhy_report_listener(report, 0);
    const struct tcpwhy_traffic *traffic = tcpwhy_report_traffic(report);

    assert_int_equal(tcpwhy_report_listener_count(report), 1);
    assert_int_equal(listener->connections, 2);
    assert_int_equal(listener->latency->count, 2);
    assert_int_equal(listener->openings->opened, 2);
    assert_true(listener->n_ledger > 1);
    assert_true(listener->ledger[0]->ns >= listener->ledger[1]->ns);
    assert_int_equal(listener->traffic->n_intervals, 2);
    assert_int_equal(listener->traffic->intervals[1]->syns, 1);
    assert_int_equal(traffic->n_intervals, 2);
    assert_int_equal(traffic->intervals[0]->frames + traffic->intervals[1]->frames, 14);
    assert_int_equal(tcpwhy_report_ledger_entry(report, 0)->cause, listener->ledger[0]->cause);
}

static bool count_stream(void *user, const struct tcpwhy_stream *stream)
{
    unsigned *n = user;

    assert_int_equal(stream->stream, *n);
    assert_true(stream->n_ledger > 0);
    assert_int_equal(stream->verdict->cause, TCPWHY_SERVER_THINK);
    return ++*n < 2;
}

REPORT_TEST(streams_are_visited_in_their_order)
{
    unsigned n = 0;

    tcpwhy_report_visit_streams(report, count_stream, &n);
    assert_int_equal(n, 2);
}

REPORT_TEST(a_comparison_is_shown_with_its_causes)
{
    tcpwhy_comparison *comparison;

    assert_int_equal(tcpwhy_compare(report, report, &comparison), 0);
    assert_int_equal(tcpwhy_comparison_listener_count(comparison), 1);
    assert_null(tcpwhy_comparison_listener(comparison, 1));
    const struct tcpwhy_listener_change *listener = tcpwhy_comparison_listener(comparison, 0);
    assert_int_equal(listener->connections[TCPWHY_AFTER], 2);
    assert_int_equal(listener->latency[TCPWHY_BEFORE]->count, 2);
    assert_true(listener->n_causes > 0);
    assert_int_equal(listener->causes[0]->count[0], listener->causes[0]->count[1]);
    assert_true(tcpwhy_comparison_verdict(comparison)->same_capture);
    assert_int_equal(tcpwhy_comparison_whole(comparison)->connections[0], 2);
    assert_null(tcpwhy_comparison_unfair(comparison, tcpwhy_comparison_unfair_count(comparison)));
    tcpwhy_comparison_free(comparison);
}
