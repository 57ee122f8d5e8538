/* SPDX-License-Identifier: MIT */
/* A comparison as text and as JSON: its width, hostile names, forged numbers, a closed pipe. */
#include "base/text.h"
#include "tests/unit/compared.h"

/* Two services, one of which moved, and one that is gone. */
static tcpwhy_comparison *several(void)
{
    struct seen seen = with_nagle();
    tcpwhy_report *before = report_of("monday.pcap", &seen), *after;

    seen.endpoint = made_endpoint(3, 25);
    add_seen(before, &seen);
    seen = usual();
    after = report_of("tuesday.pcap", &seen);
    made_quality(after, "Frames are missing.");
    return compared(before, after);
}

static tw_string *page(const tcpwhy_comparison *c, unsigned columns, bool ascii)
{
    tw_string *text = tw_string_new(NULL);

    assert_int_equal(render_compared(c, TCPWHY_FORMAT_TEXT, columns, ascii, append, text), 0);
    return text;
}

TEST(the_page_fits_its_width)
{
    static const unsigned widths[] = { 60, 80, 120 };
    tcpwhy_comparison *c = several();

    for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
        tw_string *text = page(c, widths[i], false);
        char *name = tw_strdup_printf("diff-%u.txt", widths[i]);

        assert_within(text->str, widths[i]);
        assert_golden(name, text);
        tw_free(name);
        tw_string_free(text, TRUE);
    }
    released(c);
}

TEST(a_program_gets_the_same)
{
    tcpwhy_comparison *c = several();
    tw_string *text = tw_string_new(NULL);

    assert_int_equal(render_compared(c, TCPWHY_FORMAT_JSON, 0, false, append, text), 0);
    assert_golden("diff.json", text);
    tw_string_free(text, TRUE);
    released(c);
}

TEST(hostile_names_reach_neither_terminal_nor_parser)
{
    const struct seen before = with_nagle(), after = usual();
    tcpwhy_report *a = report_of("\x1b[2Jevil\xff\n.pcap", &before);
    tcpwhy_report *b = report_of("folder/<script>\u202e\x07\"", &after);
    tw_string *text;

    made_quality(b, "text \x1b[31m");
    tcpwhy_comparison *c = compared(a, b);
    for (int ascii = 0; ascii < 2; ascii++) {
        text = page(c, 80, ascii);
        assert_harmless(text->str);
        tw_string_free(text, TRUE);
    }
    text = tw_string_new(NULL);
    render_compared(c, TCPWHY_FORMAT_JSON, 0, false, append, text);
    assert_harmless(text->str);
    tw_string_truncate(text, 0);
    render_compared(c, TCPWHY_FORMAT_HTML, 0, false, append, text);
    assert_harmless(text->str);
    assert_non_null(strstr(text->str, "<h1>&lt;script&gt;"));
    assert_null(strstr(text->str, "<script>"));
    tw_string_free(text, TRUE);
    released(c);
}

/* Seen by the sanitizers. */
TEST(forged_clocks_and_counts_run_nothing_over)
{
    struct seen before = usual(), after = usual();
    tcpwhy_comparison *c;
    tw_string *text;

    before.think_ns = before.retry_ns = before.nagle_ns = before.propagation_ns = TW_NS_MOST;
    before.median_ns = before.p99_ns = TW_NS_MOST;
    before.payload_bytes = 1;
    before.connections = 1;
    after.payload_bytes = UINT64_MAX / 2;
    after.propagation_ns = after.think_ns = 1;
    for (int requests = 0; requests < 2; requests++) {
        before.requests = (uint64_t)requests;
        after.requests = (uint64_t)requests << 62;
        c = compared(report_of("a.pcap", &before), report_of("b.pcap", &after));
        text = page(c, 120, false);
        render_compared(c, TCPWHY_FORMAT_JSON, 0, false, append, text);
        render_compared(c, TCPWHY_FORMAT_HTML, 0, false, append, text);
        assert_harmless(text->str);
        tw_string_free(text, TRUE);
        released(c);
    }
    before.payload_bytes = 1000000;
    before.requests = after.requests = 0;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_BETTER);
}

TEST(listeners_that_are_left_out_are_counted)
{
    struct seen seen = with_nagle();
    tcpwhy_report *before = report_of("monday.pcap", &seen);

    for (uint8_t i = 0; i < 24; i++) {
        seen.endpoint = made_endpoint(3, 25 + i);
        add_seen(before, &seen);
    }
    seen = usual();
    tcpwhy_comparison *c = compared(before, report_of("tuesday.pcap", &seen));
    tw_string *text = page(c, 100, false);
    assert_non_null(strstr(text->str, "  and 5 more\n"));
    tw_string_truncate(text, 0);
    assert_int_equal(render_compared(c, TCPWHY_FORMAT_HTML, 0, false, append, text), 0);
    assert_non_null(strstr(text->str, ">and 5 more</p>"));
    tw_string_free(text, TRUE);
    released(c);
}

/* A request to redis on the same host, before and after. */
TEST(microseconds_are_told_apart)
{
    struct seen seen = usual();

    seen.median_ns = TCPWHY_US(34);
    tcpwhy_report *before = report_of("monday.pcap", &seen);
    seen.median_ns = TCPWHY_US(27);
    tcpwhy_comparison *c = compared(before, report_of("tuesday.pcap", &seen));
    tw_string *text = page(c, 100, false);
    assert_non_null(strstr(text->str, " 0.034 "));
    assert_non_null(strstr(text->str, " 0.027 "));
    tw_string_free(text, TRUE);
    released(c);
}

TEST(a_closed_pipe_is_reported)
{
    tcpwhy_comparison *c = several();

    assert_int_equal(render_compared(c, TCPWHY_FORMAT_TEXT, 0, false, stop, NULL),
                     TCPWHY_ERR_STOPPED);
    assert_int_equal(render_compared(c, TCPWHY_FORMAT_JSON, 0, false, stop, NULL),
                     TCPWHY_ERR_STOPPED);
    assert_int_equal(render_compared(c, TCPWHY_FORMAT_HTML, 0, false, stop, NULL),
                     TCPWHY_ERR_STOPPED);
    released(c);
    tcpwhy_comparison_free(NULL);
}

/* In the nearest rank of fewer than a hundred the 99th percentile is the slowest, and so on. */
TEST(percentiles_of_few_requests_are_left_out)
{
    static const struct {
        uint64_t requests;
        const char *rows;
    } cases[] = { { 1, "median" }, { 4, "p75" }, { 10, "p90" }, { 99, "p90" }, { 100, "p99" } };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct seen before = with_nagle(), after = usual();
        tcpwhy_comparison *c;
        tw_string *text;
        const char *slowest;

        before.requests = cases[i].requests;
        after.requests = 1;
        c = compared(report_of("a.pcap", &before), report_of("b.pcap", &after));
        text = page(c, 80, false);
        slowest = strstr(text->str, "max ms");
        assert_non_null(slowest);
        assert_non_null(g_strstr_len(slowest - 60, 60, cases[i].rows));
        tw_string_free(text, TRUE);
        released(c);
    }
}

/* The cause is what the row is about; whose it is goes with it. */
TEST(names_of_causes_are_whole_where_80_columns_are)
{
    struct seen before = usual(), after = usual();

    before.retry_ns = TCPWHY_S(900);
    after.nagle_ns = TCPWHY_S(900);
    before.requests = after.requests = 1;
    tcpwhy_comparison *c = compared(report_of("a.pcap", &before), report_of("b.pcap", &after));
    tw_string *text = page(c, 76, false);
    assert_non_null(strstr(text->str, "\n  nagle_delayed_ack "));
    assert_null(strstr(text->str, "\u2026"));
    assert_within(text->str, 76);
    tw_string_free(text, TRUE);
    released(c);
}
