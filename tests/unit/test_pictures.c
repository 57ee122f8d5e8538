/* SPDX-License-Identifier: MIT */
/*
 * Pictures of hand-made reports against golden/.
 */
#include "base/array.h"
#include "base/counts.h"
#include "base/text.h"
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "render/pictures/graph.h"
#include "render/writers/palette.h"
#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

/* The style that all pictures share is not part of a golden picture. */
static void assert_golden_picture(const char *name, const tw_string *text)
{
    const char *style = strstr(text->str, "<style>"), *rest = strstr(text->str, "</style>\n");
    g_autoptr(tw_string) bare = tw_string_new(NULL);

    assert_non_null(style);
    assert_non_null(rest);
    tw_string_append_len(bare, text->str, style - text->str);
    tw_string_append(bare, rest + strlen("</style>\n"));
    assert_golden(name, bare);
}

static tw_string *flow(const tcpwhy_report *r, bool together)
{
    const struct tcpwhy_flow_options flow = { .struct_size = sizeof(flow), .together = together };
    const struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                                   .flow_options = &flow };
    tw_string *text = tw_string_new(NULL);

    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_FLOW, TCPWHY_FORMAT_SVG, &options, append, text),
                     0);
    return text;
}

static const enum tcpwhy_format graph_formats[] = { TCPWHY_FORMAT_SVG, TCPWHY_FORMAT_CSV,
                                                    TCPWHY_FORMAT_JSON, TCPWHY_FORMAT_XPLOT };

static int draw(const tcpwhy_report *r, enum tcpwhy_graph kind, uint32_t stream,
                enum tcpwhy_format format, tcpwhy_write_fn write, tw_string *text)
{
    const struct tcpwhy_graph_options graph = { .struct_size = sizeof(graph), .stream = stream };
    const struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                                   .graph = kind,
                                                   .graph_options = &graph };

    return tcpwhy_render(r, TCPWHY_DOC_GRAPH, format, &options, write, text);
}

static tw_string *graph(const tcpwhy_report *r, enum tcpwhy_graph kind, enum tcpwhy_format format)
{
    tw_string *text = tw_string_new(NULL);

    assert_int_equal(draw(r, kind, 3, format, append, text), 0);
    return text;
}

static void on_error(GMarkupParseContext *context, GError *error, gpointer user)
{
    (void)context;
    (void)user;
    fail_msg("%s", error->message);
}

static void assert_well_formed(const tw_string *text)
{
    const GMarkupParser parser = { .error = on_error };
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);

    assert_true(g_markup_parse_context_parse(context, text->str, (gssize)text->len, NULL));
    assert_true(g_markup_parse_context_end_parse(context, NULL));
    g_markup_parse_context_free(context);
}

static void assert_safe(const tw_string *text)
{
    assert_well_formed(text);
    assert_true(g_utf8_validate(text->str, (gssize)text->len, NULL));
    for (const char *p = text->str; *p; p++)
        assert_true((unsigned char)*p >= 0x20 || *p == '\n');
}

#define REPORT_TEST(name, make) TEST_FROM(name, tcpwhy_report *, r, make, tcpwhy_report_free(r))

REPORT_TEST(a_flow_graph_is_the_same_picture_every_time,
            made_sick("client.pcap", "GET /index.html"))
{
    g_autoptr(tw_string) text = flow(r, false);

    assert_safe(text);
    assert_golden_picture("flow.svg", text);
}

REPORT_TEST(several_streams_share_a_picture, made_sick("client.pcap", "GET /index.html"))
{
    made_stream(r, "GET /other");
    struct tw_stream_row *other = &tw_array_index(r->streams, struct tw_stream_row, 1);
    other->stream = 4;
    other->client = made_endpoint(7, 50000);
    g_autoptr(tw_string) text = flow(r, true);
    assert_safe(text);
    assert_golden_picture("flow-together.svg", text);
}

REPORT_TEST(graphs_are_the_same_picture_every_time, made_sick("client.pcap", "GET /index.html"))
{
    for (int g = 0; g < TW_N_GRAPHS; g++) {
        tw_string *text = graph(r, (enum tcpwhy_graph)g, TCPWHY_FORMAT_SVG);
        char *name = tw_strdup_printf("graph-%s.svg", tcpwhy_graph_name((enum tcpwhy_graph)g));

        assert_safe(text);
        assert_golden_picture(name, text);
        tw_free(name);
        tw_string_free(text, TRUE);
    }
}

/* It need not have been waited for: the ledger says what was. */
REPORT_TEST(a_window_that_does_not_scale_is_not_called_the_limit, made_sick("client.pcap", "GET /"))
{
    struct tw_log *log = tw_ptr_array_index(r->logs, 0);

    log->record[0].flags |= TW_SYN;
    log->record[1].flags |= TW_SYN;
    g_autoptr(tw_string) text = graph(r, TCPWHY_GRAPH_WINDOW, TCPWHY_FORMAT_SVG);
    assert_non_null(strstr(text->str, "limit 65.5 kB: no window scaling"));
}

REPORT_TEST(without_the_syns_a_picture_of_the_window_says_why_it_is_empty,
            made_sick("client.pcap", "GET /"))
{
    struct tw_log *log = tw_ptr_array_index(r->logs, 0);

    for (uint32_t i = 0; i < log->n; i++)
        log->record[i].window_bytes = (uint32_t)TW_WINDOW_UNKNOWN;
    g_autoptr(tw_string) text = graph(r, TCPWHY_GRAPH_WINDOW, TCPWHY_FORMAT_SVG);
    assert_non_null(strstr(text->str, "Receive window unknown"));
}

REPORT_TEST(graphs_as_numbers_hold_every_point, made_sick("client.pcap", "GET /index.html"))
{
    tw_string *text = graph(r, TCPWHY_GRAPH_SEQUENCE, TCPWHY_FORMAT_CSV);
    assert_golden("graph-sequence.csv", text);
    tw_string_free(text, TRUE);
    text = graph(r, TCPWHY_GRAPH_RTT, TCPWHY_FORMAT_CSV);
    assert_golden("graph-rtt.csv", text);
    tw_string_free(text, TRUE);
    text = graph(r, TCPWHY_GRAPH_INFLIGHT, TCPWHY_FORMAT_JSON);
    assert_golden("graph-inflight.json", text);
    tw_string_free(text, TRUE);
    text = graph(r, TCPWHY_GRAPH_SEQUENCE, TCPWHY_FORMAT_XPLOT);
    assert_golden("graph-sequence.xpl", text);
    tw_string_free(text, TRUE);
}

TEST(hostile_text_stays_text)
{
    tcpwhy_report *r =
        made_sick("\x1b[2J</svg><script>.pcap", "GET /\x1b]0;\x07<script>alert('&\"')</script>"
                                                "\xff\u202e]]>\x01");

    r->capture.comment = "</title><script>";
    tw_string *text = flow(r, false);
    assert_safe(text);
    assert_null(strstr(text->str, "<script"));
    assert_non_null(strstr(text->str, "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;"));
    assert_non_null(strstr(text->str, "\\u202e"));
    tw_string_free(text, TRUE);
    for (size_t f = 0; f < G_N_ELEMENTS(graph_formats); f++) {
        text = graph(r, TCPWHY_GRAPH_SEQUENCE, graph_formats[f]);
        /* In JSON a bracket is a character like others. */
        assert_true(graph_formats[f] == TCPWHY_FORMAT_JSON || !strstr(text->str, "<script"));
        assert_null(strchr(text->str, '\x1b'));
        tw_string_free(text, TRUE);
    }
    tcpwhy_report_free(r);
}

REPORT_TEST(a_stream_that_is_not_there_is_an_error_before_anything_is_written,
            made_sick("client.pcap", "GET /"))
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(draw(r, TCPWHY_GRAPH_RTT, 77, TCPWHY_FORMAT_SVG, append, text),
                     TCPWHY_ERR_ARGUMENT);
    assert_int_equal(text->len, 0);
}

TEST(ticks_are_round_numbers)
{
    struct tw_axis axis = tw_axis_of_values(TW_UNIT_BYTES, 0, 16324, 7);

    assert_int_equal(axis.step, 5000);
    assert_string_equal(axis.unit, "kB");
    assert_string_equal(tw_axis_label(&axis, 15000).text, "15");
    axis = tw_axis_of_time(TCPWHY_MS(535), TCPWHY_MS(13540), 10);
    assert_int_equal(axis.step, TCPWHY_S(2));
    assert_int_equal(tw_axis_first(&axis), TCPWHY_S(2));
    assert_string_equal(axis.unit, "s");
    axis = tw_axis_of_time(TCPWHY_MS(4000), TCPWHY_MS(4001), 10);
    assert_string_equal(tw_axis_label(&axis, TCPWHY_US(4000200)).text, "4,000.2");
    axis = tw_axis_of_values(TW_UNIT_NS, 0, 0, 7);
    assert_true(axis.step >= 1 && axis.high > axis.low);
}

TEST(no_two_causes_share_a_colour)
{
    for (int a = 0; a < TW_N_CAUSES; a++) {
        struct tw_colour x = tw_palette_cause((enum tcpwhy_cause)a);

        assert_string_equal(tcpwhy_cause_color((enum tcpwhy_cause)a, false), x.light);
        assert_string_equal(tcpwhy_cause_color((enum tcpwhy_cause)a, true), x.dark);

        assert_non_null(x.light);
        assert_non_null(x.dark);
        for (int b = 0; b < a; b++) {
            struct tw_colour y = tw_palette_cause((enum tcpwhy_cause)b);

            assert_string_not_equal(x.light, y.light);
            /* White stands for what is not known on dark ground too. */
            assert_string_not_equal(x.dark, y.dark);
        }
    }
}

REPORT_TEST(a_closed_pipe_ends_a_picture, made_sick("client.pcap", "GET /"))
{
    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_FLOW, TCPWHY_FORMAT_SVG, NULL, stop, NULL),
                     TCPWHY_ERR_STOPPED);
    for (size_t f = 0; f < G_N_ELEMENTS(graph_formats); f++)
        assert_int_equal(draw(r, TCPWHY_GRAPH_SEQUENCE, 3, graph_formats[f], stop, NULL),
                         TCPWHY_ERR_STOPPED);
}
