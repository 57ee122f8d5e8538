/* SPDX-License-Identifier: MIT */
/*
 * Documents of hand-made reports against the texts in golden/.
 */
#include "base/array.h"
#include "base/counts.h"
#include "base/text.h"
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "render/view/view.h"
#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

static tw_string *drawn(const tcpwhy_report *r, enum tcpwhy_document document, unsigned columns,
                        bool ascii)
{
    struct tcpwhy_render_options style = { .struct_size = sizeof(style),
                                           .columns = columns,
                                           .ascii = ascii };
    tw_string *text = tw_string_new(NULL);

    assert_int_equal(tcpwhy_render(r, document, TCPWHY_FORMAT_TEXT, &style, append, text), 0);
    return text;
}

static void check_text(const tcpwhy_report *r, enum tcpwhy_document document, const char *name)
{
    static const unsigned widths[] = { 80, 120 };

    for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
        tw_string *text = drawn(r, document, widths[i], false);
        char *file = tw_strdup_printf("%s-%u.txt", name, widths[i]);

        assert_within(text->str, widths[i]);
        assert_golden(file, text);
        tw_free(file);
        tw_string_free(text, TRUE);
    }
}

static void check_json(const tcpwhy_report *r, enum tcpwhy_document document, const char *name)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(tcpwhy_render(r, document, TCPWHY_FORMAT_JSON, NULL, append, text), 0);
    assert_golden(name, text);
}

#define REPORT_TEST(name, make) TEST_FROM(name, tcpwhy_report *, r, make, tcpwhy_report_free(r))

REPORT_TEST(the_first_screen_of_one_sick_stream_fits_24_lines,
            made_sick("client.pcap", "GET /index.html"))
{
    tw_string *text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 80, false);
    unsigned lines = 0;

    for (const char *p = text->str; *p; p++)
        lines += *p == '\n';
    assert_true(lines <= 24);
    tw_string_free(text, TRUE);
    check_text(r, TCPWHY_DOC_DIAGNOSIS, "diagnosis");
    check_json(r, TCPWHY_DOC_DIAGNOSIS, "diagnosis.json");
}

REPORT_TEST(a_healthy_capture_is_called_healthy, made_healthy())
{
    check_text(r, TCPWHY_DOC_DIAGNOSIS, "healthy");
    check_json(r, TCPWHY_DOC_DIAGNOSIS, "healthy.json");
}

REPORT_TEST(a_capture_without_tcp_says_so, made_empty("udp.pcap"))
{
    r->capture.frames = 12;
    check_text(r, TCPWHY_DOC_DIAGNOSIS, "no_tcp");
    check_json(r, TCPWHY_DOC_DIAGNOSIS, "no_tcp.json");
}

REPORT_TEST(traffic_has_a_row_a_second, made_sick("client.pcap", "GET /index.html"))
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    made_traffic(r);
    check_text(r, TCPWHY_DOC_TRAFFIC, "traffic");
    check_json(r, TCPWHY_DOC_TRAFFIC, "traffic.json");
    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_TRAFFIC, TCPWHY_FORMAT_CSV, NULL, append, text),
                     0);
    assert_golden("traffic.csv", text);
}

REPORT_TEST(little_traffic_is_not_none, made_sick("client.pcap", "GET /index.html"))
{
    made_traffic(r);
    r->traffic.interval_ns = TCPWHY_S(32768);
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_TRAFFIC, 120, false);
    assert_non_null(strstr(text->str, " <1 "));
    assert_non_null(strstr(text->str, " <0.001 "));
}

REPORT_TEST(silence_takes_one_row_however_long_it_is, made_sick("client.pcap", "GET /index.html"))
{
    struct tcpwhy_interval interval[1000] = { [0] = { .frames = 9 }, [999] = { .frames = 7 } };

    r->traffic = (struct tw_interval_series) { .interval_ns = TCPWHY_S(1),
                                               .interval = interval,
                                               .n = G_N_ELEMENTS(interval) };
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_TRAFFIC, 80, false);
    assert_non_null(strstr(text->str, "row of dashes: no frames until the next row\n"));
    assert_non_null(strstr(text->str, "\n     0         9 "));
    assert_non_null(strstr(text->str, "\n     1         -       -          -"));
    assert_null(strstr(text->str, "\n     2 "));
    assert_non_null(strstr(text->str, "\n   999         7 "));
}

REPORT_TEST(a_listener_without_time_has_no_table, made_sick("client.pcap", "GET /"))
{
    made_listener(r);
    tw_array_index(r->listeners, struct tw_listener_row, 1).endpoint.port = 81;
    tw_array_index(r->listeners, struct tw_listener_row, 1).n_ledger = 0;
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_LEDGER, 80, false);
    assert_non_null(strstr(text->str, "10.9.0.2:8080\n"));
    assert_null(strstr(text->str, "10.9.0.2:81\n"));
}

REPORT_TEST(a_ledger_has_each_listener_when_there_are_several,
            made_sick("client.pcap", "GET /index.html"))
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_LEDGER, TCPWHY_FORMAT_FOLDED, NULL, append, text),
                     0);
    assert_string_equal(text->str, "10.9.0.2;10.9.0.2:8080;stream_3;handshake 1\n"
                                   "10.9.0.2;10.9.0.2:8080;stream_3;nagle_delayed_ack 2889\n"
                                   "10.9.0.2;10.9.0.2:8080;stream_3;wire 115\n");
    made_listener(r);
    check_text(r, TCPWHY_DOC_LEDGER, "ledger");
    check_json(r, TCPWHY_DOC_LEDGER, "ledger.json");
}

REPORT_TEST(rounding_of_stacks_adds_up_by_cause, made_empty("client.pcap"))
{
    struct tcpwhy_ledger_entry entry = made_entry(TCPWHY_WIRE, TCPWHY_PARTY_PATH, 400000, 1);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (uint32_t i = 0; i < 5; i++) {
        struct tw_stream_row s = { .stream = i, .server = made_endpoint(2, 80) };

        s.ledger = made_block(r, &entry, sizeof(entry));
        s.n_ledger = 1;
        tw_array_append_val(r->streams, s);
    }
    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_LEDGER, TCPWHY_FORMAT_FOLDED, NULL, append, text),
                     0);
    assert_string_equal(text->str, "10.9.0.2;10.9.0.2:80;stream_1;wire 1\n"
                                   "10.9.0.2;10.9.0.2:80;stream_3;wire 1\n");
}

REPORT_TEST(facts_beside_no_lost_time_are_not_called_healthy, made_healthy())
{
    made_traffic(r);
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 80, false);
    assert_null(strstr(text->str, "No problem found"));
    assert_non_null(strstr(text->str, "! Every one of 69 answers was 5xx (502)."));
}

REPORT_TEST(streams_have_a_row_each, made_sick("client.pcap", "GET /index.html"))
{
    made_stream(r, "GET /");
    check_text(r, TCPWHY_DOC_STREAMS, "streams");
    check_json(r, TCPWHY_DOC_STREAMS, "streams.json");
}

REPORT_TEST(a_stream_is_explained_by_its_ledger, made_sick("client.pcap", "GET /index.html"))
{
    made_quality(r, "Frames are missing from the capture.");
    check_text(r, TCPWHY_DOC_EXPLAIN, "explain");
    check_json(r, TCPWHY_DOC_EXPLAIN, "explain.json");
}

REPORT_TEST(exchanges_have_a_row_each, made_sick("client.pcap", "GET /index.html"))
{
    check_text(r, TCPWHY_DOC_EXCHANGES, "exchanges");
    check_json(r, TCPWHY_DOC_EXCHANGES, "exchanges.json");
}

REPORT_TEST(a_flow_graph_shows_the_silence_and_its_cause,
            made_sick("client.pcap", "GET /index.html"))
{
    check_text(r, TCPWHY_DOC_FLOW, "flow");
    check_json(r, TCPWHY_DOC_FLOW, "flow.json");
    tw_string *text = drawn(r, TCPWHY_DOC_FLOW, 80, true);
    assert_golden("flow-ascii.txt", text);
    tw_string_free(text, TRUE);
    text = drawn(r, TCPWHY_DOC_FLOW, 60, false);
    assert_non_null(strstr(text->str, "42.901 ms nagle_dela\u2026\u250a  server, likely\n"));
    tw_string_free(text, TRUE);
}

REPORT_TEST(without_frames_kept_a_flow_graph_says_what_to_ask_for,
            made_sick("client.pcap", "GET /index.html"))
{
    tw_string *text, *svg = tw_string_new(NULL);

    tw_ptr_array_set_size(r->logs, 0);
    text = drawn(r, TCPWHY_DOC_FLOW, 80, true);
    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_FLOW, TCPWHY_FORMAT_SVG, NULL, append, svg), 0);
    assert_non_null(strstr(text->str, "keep_spans"));
    assert_non_null(strstr(svg->str, "keep_spans"));
    assert_null(strstr(svg->str, "width=\"0\""));
    tw_string_free(svg, TRUE);
    tw_string_free(text, TRUE);
}

TEST(hostile_text_reaches_neither_terminal_nor_parser)
{
    tcpwhy_report *r = made_sick("\x1b[2Jevil\xff.pcap", "GET /\x1b]0;owned\x07\"</script>\u202e");
    enum tcpwhy_document documents[] = { TCPWHY_DOC_DIAGNOSIS, TCPWHY_DOC_STREAMS,
                                         TCPWHY_DOC_EXPLAIN,   TCPWHY_DOC_EXCHANGES,
                                         TCPWHY_DOC_FLOW,      TCPWHY_DOC_LEDGER };

    r->capture.comment = "a\x9b comment\r\nwith \x07 everything";
    made_quality(r, "text \x1b[31m");
    for (size_t i = 0; i < G_N_ELEMENTS(documents); i++) {
        tw_string *text = drawn(r, documents[i], 80, i % 2);

        assert_harmless(text->str);
        tw_string_truncate(text, 0);
        tcpwhy_render(r, documents[i], TCPWHY_FORMAT_JSON, NULL, append, text);
        assert_harmless(text->str);
        tw_string_free(text, TRUE);
    }
    check_json(r, TCPWHY_DOC_EXCHANGES, "hostile.json");
    tcpwhy_report_free(r);
}

REPORT_TEST(findings_at_one_endpoint_are_told_apart_by_their_peers,
            made_sick("client.pcap", "GET /"))
{
    struct tw_finding_row *f = &tw_array_index(r->findings, struct tw_finding_row, 0);

    f->streams = 20;
    f->peer.port = 0;
    tw_string *text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 120, false);
    assert_non_null(strstr(text->str, "the worst of 20 with 10.9.0.1\n"));
    tw_string_free(text, TRUE);
    f->peer = (struct tcpwhy_endpoint) { 0 };
    text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 120, false);
    assert_non_null(strstr(text->str, "the worst of 20\n"));
    tw_string_free(text, TRUE);
}

REPORT_TEST(a_finding_has_the_name_of_its_endpoint, made_sick("client.pcap", "GET /"))
{
    struct tw_finding_row *f = &tw_array_index(r->findings, struct tw_finding_row, 0);
    tw_string *text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 120, false);

    assert_null(strstr(text->str, "   name  "));
    tw_string_free(text, TRUE);
    f->endpoint_name = "shop.test";
    text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 120, false);
    assert_non_null(strstr(text->str, "\n   name    shop.test\n"));
    tw_string_free(text, TRUE);
}

/* A listener stands there once for each client; numbers of two digits move nothing. */
REPORT_TEST(brief_findings_name_their_streams, made_sick("client.pcap", "GET /"))
{
    for (int i = 0; i < 9; i++)
        made_finding(r);
    struct tw_finding_row *f = (struct tw_finding_row *)(void *)r->findings->data;
    f[8].streams = 20;
    f[9].stream = 17;
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 120, false);
    assert_non_null(strstr(text->str, "\n9  Nagle"));
    assert_non_null(strstr(text->str, "10.9.0.2:8080 (server), 20 streams "));
    assert_non_null(strstr(text->str, "\n10 Nagle"));
    assert_non_null(strstr(text->str, "10.9.0.2:8080 (server), stream 17 "));
}

/* A SYN alone takes no time. */
REPORT_TEST(a_ledger_without_rows_is_not_headed, made_healthy())
{
    struct tw_stream_row *s = &tw_array_index(r->streams, struct tw_stream_row, 0);

    s->n_ledger = 0;
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 80, false);
    assert_null(strstr(text->str, "Where the time went"));
}

/* The port is its most telling part. */
REPORT_TEST(a_long_listener_is_told_to_its_end, made_sick("client.pcap", "GET /"))
{
    struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, 0);

    r->capture.streams = 2;
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the report has a listener. */
    memset(l->endpoint.address, 0xab, sizeof(l->endpoint.address));
    l->endpoint.version = 6;
    l->connections = 1234;
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 80, false);
    assert_non_null(strstr(text->str, "]:8080\n  cause"));
}

REPORT_TEST(half_a_handshake_is_a_beginning, made_sick("client.pcap", "GET /"))
{
    struct tw_stream_row s = *tw_report_streams(r, &(size_t) { 0 });
    g_autoptr(tw_string) text = tw_string_new(NULL);

    s.complete_start = false;
    s.frames = 1;
    tw_stream_lines[0].words(text, &s);
    assert_non_null(strstr(text->str, "frame 9; handshake incomplete"));
    s.roles_inferred = true;
    s.frames = 2;
    tw_string_truncate(text, 0);
    tw_stream_lines[0].words(text, &s);
    assert_non_null(strstr(text->str, "(2); start not captured"));
}

REPORT_TEST(lines_of_a_comment_are_told_apart, made_sick("client.pcap", "GET /"))
{
    r->capture.comment = "one\r\n\ntwo ";
    g_autoptr(tw_string) text = drawn(r, TCPWHY_DOC_DIAGNOSIS, 80, false);
    assert_non_null(strstr(text->str, "\none; two\n"));
}

REPORT_TEST(one_object_a_line_has_no_other_line_feeds, made_sick("client.pcap", "GET /a\nb"))
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    unsigned lines = 0;

    made_stream(r, "GET /");
    tcpwhy_render(r, TCPWHY_DOC_STREAMS, TCPWHY_FORMAT_NDJSON, NULL, append, text);
    tcpwhy_render(r, TCPWHY_DOC_EXCHANGES, TCPWHY_FORMAT_NDJSON, NULL, append, text);
    tcpwhy_render(r, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_NDJSON, NULL, append, text);
    for (const char *p = text->str; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 5);
}

REPORT_TEST(a_closed_pipe_is_reported, made_sick("client.pcap", "GET /"))
{
    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT, NULL, stop, NULL),
                     TCPWHY_ERR_STOPPED);
    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_JSON, NULL, stop, NULL),
                     TCPWHY_ERR_STOPPED);
}

static int tell_cause(int cause, enum tcpwhy_format format, tw_string *text)
{
    const struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                                   .cause = (enum tcpwhy_cause)cause };

    return tcpwhy_render(NULL, TCPWHY_DOC_CAUSE, format, &options, append, text);
}

TEST(every_cause_is_told)
{
    for (int c = TCPWHY_CAUSE_NONE; c < TW_N_CAUSES; c++) {
        tw_string *text = tw_string_new(NULL);

        assert_int_equal(tell_cause(c, TCPWHY_FORMAT_TEXT, text), 0);
        assert_true(text->len > 100);
        assert_within(text->str, 80);
        tw_string_free(text, TRUE);
    }
}

TEST(a_number_that_is_no_cause_is_refused)
{
    int beyond = (int)tcpwhy_cause_count();
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(tell_cause(beyond, TCPWHY_FORMAT_TEXT, text), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tell_cause(beyond, TCPWHY_FORMAT_JSON, text), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tell_cause(TCPWHY_CAUSE_ANY, TCPWHY_FORMAT_TEXT, text), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(text->len, 0);
}

TEST(all_causes_are_listed)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(tcpwhy_render(NULL, TCPWHY_DOC_CAUSES, TCPWHY_FORMAT_TEXT, NULL, append, text),
                     0);
    assert_within(text->str, 80);
    for (int c = TCPWHY_CAUSE_NONE + 1; c < TW_N_CAUSES; c++)
        assert_non_null(strstr(text->str, tcpwhy_cause_info((enum tcpwhy_cause)c)->name));
}

TEST(items_of_a_list_have_lines_of_their_own)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(tell_cause(TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_FORMAT_TEXT, text), 0);
    assert_non_null(strstr(text->str, ".\n  - Receiver: "));
    assert_non_null(strstr(text->str, "\n    exchange; "));
}
