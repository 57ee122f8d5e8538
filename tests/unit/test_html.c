/* SPDX-License-Identifier: MIT */
/*
 * Pages of hand-made reports: what a capture holds stays text, and what is not there is left out.
 */
#include "base/array.h"
#include "base/text.h"
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "render/page/page.h"
#include "render/writers/json.h"
#include "render/writers/writer.h"
#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

#define HOSTILE "</script><img src=x onerror=alert(1)>\"'&\x01\u2028\xff"

static tw_string *page_of(const tcpwhy_report *r)
{
    tw_string *text = tw_string_new(NULL);

    assert_int_equal(tcpwhy_render(r, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, NULL, append, text),
                     0);
    return text;
}

TEST(markup_and_controls_become_text)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    struct tw_writer out;

    tw_writer_init(&out, append, text);
    tw_writer_escaped(&out, HOSTILE);
    assert_int_equal(tw_writer_finish(&out), 0);
    assert_string_equal(text->str,
                        "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"
                        "\\x01\\u2028\\xff");
}

TEST(json_inside_a_page_ends_no_script)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    struct tw_json json;
    struct tw_writer out;

    tw_writer_init(&out, append, text);
    tw_json_init(&json, &out, 0);
    json.embedded = true;
    tw_json_object(&json, NULL);
    tw_json_string(&json, "<!--", HOSTILE);
    tw_json_int(&json, "n", 1);
    tw_json_end(&json);
    assert_int_equal(tw_writer_finish(&out), 0);
    assert_string_equal(text->str,
                        "{\"\\u003c!--\":\"\\u003c/script>\\u003cimg src=x onerror=alert(1)>"
                        "\\\"'&\\u0001\\u2028\xEF\xBF\xBD\",\"n\":1}\n");
}

#define REPORT_TEST(name, make) TEST_FROM(name, tcpwhy_report *, r, make, tcpwhy_report_free(r))

REPORT_TEST(names_of_a_capture_stay_text, made_sick(HOSTILE, HOSTILE))
{
    r->capture.comment = HOSTILE;
    made_quality(r, HOSTILE);
    g_autoptr(tw_string) text = page_of(r);
    assert_null(strstr(text->str, "<img"));
    assert_null(strstr(text->str, "\u2028"));
    assert_null(strchr(text->str, '\x01'));
    assert_true(g_utf8_validate(text->str, (gssize)text->len, NULL));
    assert_non_null(strstr(text->str, "<title>tcpwhy: script&gt;&lt;img"));
    assert_non_null(strstr(text->str, "<h1>script&gt;&lt;img"));
}

REPORT_TEST(a_capture_without_streams_says_so, made_empty("empty.pcap"))
{
    g_autoptr(tw_string) text = page_of(r);

    assert_non_null(strstr(text->str, "No TCP connection in this capture."));
    assert_null(strstr(text->str, "data-packed="));
    assert_null(strstr(text->str, "<table"));
}

REPORT_TEST(without_logs_the_graphs_are_left_out, made_sick("no-logs.pcap", "GET /"))
{
    tw_ptr_array_set_size(r->logs, 0);
    g_autoptr(tw_string) text = page_of(r);
    const char *first = strstr(text->str, "<svg");
    assert_non_null(first); /* the waterfall of the requests */
    assert_null(strstr(first + 1, "<svg"));
    assert_non_null(strstr(text->str, "data-packed="));
    assert_non_null(strstr(text->str, "cost 2.89 of 3.00 s of waiting"));
}

/* A sink that accepts a limited number of bytes. */
static bool full(void *user, const char *bytes, size_t len)
{
    size_t *room = user;

    (void)bytes;
    if (*room < len)
        return false;
    *room -= len;
    return true;
}

/* Neither is 'nothing was found, but who knows' good news, nor bad. */
TEST(the_verdict_wears_the_colour_of_its_words)
{
    tcpwhy_report *sick = made_sick("a.pcap", "GET /"), *healthy = made_healthy();
    tw_string *text = page_of(sick);

    assert_non_null(strstr(text->str, "class=\"verdict bad\""));
    tw_string_free(text, TRUE);
    text = page_of(healthy);
    assert_non_null(strstr(text->str, "class=\"verdict good\""));
    tw_string_free(text, TRUE);
    healthy->verdict.confidence = TCPWHY_AMBIGUOUS;
    text = page_of(healthy);
    assert_non_null(strstr(text->str, "class=\"verdict warn\""));
    tw_string_free(text, TRUE);
    tcpwhy_report_free(healthy);
    tcpwhy_report_free(sick);
}

REPORT_TEST(a_full_disk_stops_it, made_sick("sick.pcap", "GET /"))
{
    const tcpwhy_report *reports[] = { r };

    for (size_t room = 0; room < 100000; room += 17000) {
        size_t left = room;

        assert_int_equal(
            tcpwhy_render(reports[0], TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, NULL, full, &left),
            TCPWHY_ERR_STOPPED);
    }
}

REPORT_TEST(the_costliest_stream_comes_first, made_sick("sick.pcap", "GET /"))
{
    struct tw_stream_row healthy = tw_array_index(r->streams, struct tw_stream_row, 0);
    struct tw_stream_row idle, worse;

    healthy.verdict.cause = TCPWHY_CAUSE_NONE;
    healthy.duration_ns = TCPWHY_S(1000);
    idle = worse = healthy;
    idle.stream = 4;
    idle.verdict.cause = TCPWHY_CLIENT_IDLE;
    idle.verdict.cost_ns = TCPWHY_S(900);
    idle.duration_ns = TCPWHY_S(999);
    worse.stream = 5;
    worse.verdict.cause = TCPWHY_LOSS_RECOVERY;
    worse.verdict.cost_ns = TCPWHY_S(3);
    healthy.stream = 6;
    tw_array_append_val(r->streams, idle);
    tw_array_append_val(r->streams, worse);
    tw_array_append_val(r->streams, healthy);
    g_autoptr(tw_array) ranked = tw_html_worst_first(r);
    for (guint i = 0; i < 4; i++) {
        static const uint32_t wanted[] = { 5, 3, 6, 4 };

        assert_int_equal(tw_array_index(ranked, struct tw_ranked, i).stream->stream, wanted[i]);
    }
}

REPORT_TEST(a_stream_that_a_finding_names_is_detailed, made_sick("sick.pcap", "GET /"))
{
    struct tw_stream_row worse = tw_array_index(r->streams, struct tw_stream_row, 0);

    worse.verdict.cost_ns = TCPWHY_S(100);
    for (worse.stream = 100; worse.stream < 100 + TW_HTML_MAX_DETAILED + 5; worse.stream++)
        tw_array_append_val(r->streams, worse);
    g_autoptr(tw_array) ranked = tw_html_worst_first(r);
    assert_int_equal(ranked->len, TW_HTML_MAX_DETAILED + 6);
    assert_int_equal(
        tw_array_index(ranked, struct tw_ranked, TW_HTML_MAX_DETAILED - 1).stream->stream, 3);
}

/* Each sentence of findings and failures in both, once apostrophes are markup. */
REPORT_TEST(text_and_page_tell_the_same_of_findings_and_failures, made_sick("sick.pcap", "GET /"))
{
    static const char *const told[] = {
        "frames 391, 411, 446, 483 of stream 3",
        "server_think (tcpwhy causes server_think)",
        "set TCP_NODELAY, or hand header and body",
        "40 ms after the SYN",
        "connection reset by peer (ECONNRESET)",
        "shorten it",
        "the window was open; no FIN",
        "Idle connection forgotten",
        "12 times",
    };
    static const uint32_t frames[] = { 391 };
    static const struct tcpwhy_clue clues[] = { { "window", "the window was open" },
                                                { "fin", "no FIN" } };
    const struct tcpwhy_render_options wide = { .struct_size = sizeof(wide), .columns = 400 };
    const struct tw_failure_row failure = { .kind = TCPWHY_FAILURE_IDLE_FORGOTTEN,
                                            .seen_as = TCPWHY_SEEN_RESET,
                                            .stream = 3,
                                            .server = made_endpoint(2, 8080),
                                            .frames = frames,
                                            .n_frames = 1,
                                            .clues = clues,
                                            .n_clues = 2,
                                            .summary = "It broke 40 ms after the SYN.",
                                            .remedy = "shorten it",
                                            .of_sort = 12 };
    g_autoptr(tw_string) text = tw_string_new(NULL);
    g_autoptr(tw_string) page = NULL;
    GString *flat;

    for (int i = 0; i < 12; i++)
        tw_array_append_val(r->failures, failure);
    page = page_of(r);
    assert_int_equal(
        tcpwhy_render(r, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT, &wide, append, text), 0);
    flat = g_string_new(text->str);
    g_string_replace(flat, "   frames  ", "   frames ", 0);
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
        assert_non_null(strstr(flat->str, told[i]));
        assert_non_null(strstr(page->str, told[i]));
    }
    assert_non_null(strstr(page->str, "data-stream=\"3\" data-frames=\"391-391\">frame 391 of"));
    g_string_free(flat, TRUE);
}
