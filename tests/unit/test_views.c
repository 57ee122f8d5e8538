/* SPDX-License-Identifier: MIT */
/* Curves and rows for programs: they say what the pictures' numbers say. */
#include "base/counts.h"
#include "tests/unit.h"
#include "tests/unit/owned.h"

#include <tcpwhy/tcpwhy.h>

#define NAGLE  TESTS_FOLDER "/../../pcaps/nginx_nagle_delack/client.pcap"
#define STREAM 2

static tcpwhy_report *analyze(bool keep_spans)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report = NULL;

    options.streams = "2";
    options.keep_spans = keep_spans;
    options.keep_exchanges = true;
    assert_int_equal(tcpwhy_analyze_file(NAGLE, &options, &report, NULL, 0), 0);
    return report;
}

#define REPORT_TEST(name)                                                                          \
    TEST_FROM(name, tcpwhy_report *, report, analyze(true), tcpwhy_report_free(report))

REPORT_TEST(a_series_has_curves_with_points_in_order)
{
    const struct tcpwhy_graph_options options = { .struct_size = sizeof options, .stream = STREAM };

    for (unsigned graph = 0; graph < TW_N_GRAPHS; graph++) {
        struct tcpwhy_series *series;

        assert_int_equal(tcpwhy_series_new(report, (enum tcpwhy_graph)graph, &options, &series), 0);
        assert_int_equal(series->graph, graph);
        assert_int_equal(series->stream, STREAM);
        assert_int_equal(series->from, TCPWHY_SERVER);
        assert_true(series->n_curves > 0);
        for (size_t i = 0; i < series->n_curves; i++) {
            const struct tcpwhy_curve *c = series->curves[i];

            assert_true(c->n_points > 0);
            for (size_t k = 1; k < c->n_points; k++)
                assert_true(c->time_ns[k - 1] <= c->time_ns[k]);
        }
        tcpwhy_series_free(series);
    }
}

TEST(a_series_outlives_its_report)
{
    const struct tcpwhy_graph_options options = { .struct_size = sizeof options, .stream = STREAM };
    tcpwhy_report *report = analyze(true);
    struct tcpwhy_series *series;

    assert_int_equal(tcpwhy_series_new(report, TCPWHY_GRAPH_SEQUENCE, &options, &series), 0);
    tcpwhy_report_free(report);
    assert_string_equal(series->curves[0]->name, "data");
    assert_int_equal(series->curves[0]->mark, TCPWHY_MARK_BAR);
    assert_int_equal(series->curves[0]->n_points, 70);
    assert_int_equal(series->curves[0]->low[1], 1);
    assert_true(series->curves[0]->high[1] > 1);
    assert_true(series->curves[0]->frames[1] > series->curves[0]->frames[0]);
    tcpwhy_series_free(series);
}

REPORT_TEST(the_rows_of_an_exchange_name_its_gap)
{
    static const enum tcpwhy_flow_kind kinds[] = {
        TCPWHY_FLOW_FRAME, TCPWHY_FLOW_FRAME, TCPWHY_FLOW_GAP,   TCPWHY_FLOW_FRAME,
        TCPWHY_FLOW_GAP,   TCPWHY_FLOW_FRAME, TCPWHY_FLOW_FRAME,
    };
    struct tcpwhy_flow *flow;

    assert_int_equal(tcpwhy_flow_new(report, STREAM, NULL, &flow), 0);
    assert_string_equal(flow->shows, "exchange");
    assert_int_equal(flow->n_rows, 7);
    for (size_t i = 0; i < flow->n_rows; i++)
        assert_int_equal(flow->rows[i]->kind, kinds[i]);
    assert_string_equal(flow->rows[0]->asks->request, "GET /");
    assert_int_equal(flow->rows[0]->bytes, 39);
    assert_int_equal(flow->rows[0]->flags, 0x018);
    assert_int_equal(flow->rows[1]->from, TCPWHY_SERVER);
    assert_int_equal(flow->rows[1]->answers->status, 200);
    assert_int_equal(flow->rows[2]->cause, TCPWHY_NAGLE_DELAYED_ACK);
    assert_int_equal(flow->rows[2]->party, TCPWHY_PARTY_SERVER);
    assert_int_equal(flow->rows[2]->to_ns, flow->rows[3]->from_ns);
    assert_int_equal(flow->rows[3]->window_bytes, 64512);
    tcpwhy_flow_free(flow);
}

TEST(without_spans_there_is_no_view)
{
    const struct tcpwhy_graph_options options = { .struct_size = sizeof options, .stream = STREAM };
    g_autoptr(tcpwhy_report) report = analyze(false);
    struct tcpwhy_series *series;
    struct tcpwhy_flow *flow;

    assert_int_equal(tcpwhy_series_new(report, TCPWHY_GRAPH_RTT, &options, &series),
                     TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tcpwhy_flow_new(report, STREAM, NULL, &flow), TCPWHY_ERR_ARGUMENT);
    tcpwhy_series_free(NULL);
    tcpwhy_flow_free(NULL);
}

REPORT_TEST(an_unknown_stream_or_graph_is_an_error)
{
    struct tcpwhy_graph_options options = { .struct_size = sizeof options, .stream = STREAM };
    struct tcpwhy_series *series;
    struct tcpwhy_flow *flow;

    assert_int_equal(tcpwhy_series_new(report, TW_N_GRAPHS, &options, &series),
                     TCPWHY_ERR_ARGUMENT);
    options.stream = STREAM + 1;
    assert_int_equal(tcpwhy_series_new(report, TCPWHY_GRAPH_RTT, &options, &series),
                     TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tcpwhy_flow_new(report, STREAM + 1, NULL, &flow), TCPWHY_ERR_ARGUMENT);
}
