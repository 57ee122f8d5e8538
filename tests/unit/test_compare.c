/* SPDX-License-Identifier: MIT */
/*
 * Reports made by hand, held against each other: what counts as a difference, whose it is, which
 * cause is named, and what is said when the two are not comparable.
 */
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "base/ns.h"
#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

/* What a listener saw; times are of one request. */
struct seen {
    struct tcpwhy_endpoint endpoint;
    uint64_t connections, requests, refused, errors, payload_bytes;
    tcpwhy_ns median_ns, p99_ns;
    tcpwhy_ns nagle_ns, think_ns, wire_ns, retry_ns; /* over all */
};

static struct seen usual(void)
{
    return (struct seen) { .endpoint = made_endpoint(2, 8080),
                           .connections = 20,
                           .requests = 1000,
                           .median_ns = TCPWHY_US(900),
                           .p99_ns = TCPWHY_MS(2),
                           .payload_bytes = 900000,
                           .think_ns = TCPWHY_MS(200),
                           .wire_ns = TCPWHY_MS(700) };
}

static struct seen with_nagle(void)
{
    struct seen s = usual();

    s.median_ns = TCPWHY_US(41200);
    s.p99_ns = TCPWHY_MS(48);
    s.nagle_ns = TCPWHY_S(40);
    return s;
}

static void add_ledger(struct tcpwhy_listener *l, tcpwhy_report *r, const struct seen *s)
{
    const struct tcpwhy_ledger_entry all[] = {
        made_entry(TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_PARTY_SERVER, s->nagle_ns, 1),
        made_entry(TCPWHY_CONNECT_RETRY, TCPWHY_PARTY_SERVER, s->retry_ns, 1),
        made_entry(TCPWHY_SERVER_THINK, TCPWHY_PARTY_SERVER, s->think_ns, 1),
        made_entry(TCPWHY_WIRE, TCPWHY_PARTY_PATH, s->wire_ns, 1),
    };
    struct tcpwhy_ledger_entry *kept = g_new0(struct tcpwhy_ledger_entry, G_N_ELEMENTS(all));

    g_ptr_array_add(r->blocks, kept);
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i].ns > 0)
            kept[l->n_ledger++] = all[i];
    l->ledger = kept;
}

static void add_seen(tcpwhy_report *r, const struct seen *s)
{
    const struct tcpwhy_interval interval = { .payload_bytes = { 0, s->payload_bytes } };
    struct tcpwhy_listener l = {
        .endpoint = s->endpoint,
        .connections = s->connections,
        .refused = s->refused,
        .status = { .n = { [2] = s->requests - s->errors, [5] = s->errors } },
        .latency = r->latency
    };

    if (s->requests > 0)
        l.latency = (struct tcpwhy_percentiles) { .count = s->requests,
                                                  .min_ns = s->median_ns,
                                                  .p50_ns = s->median_ns,
                                                  .p75_ns = s->median_ns,
                                                  .p90_ns = s->median_ns,
                                                  .p99_ns = s->p99_ns,
                                                  .max_ns = s->p99_ns,
                                                  .last_ns = TCPWHY_S(2) };
    add_ledger(&l, r, s);
    l.traffic = (struct tcpwhy_traffic) { TCPWHY_S(1), 0,
                                          MADE(r, (struct tcpwhy_interval[]) { interval }), 1 };
    g_array_append_val(r->listeners, l);
    r->ledger = l.ledger;
    r->n_ledger = l.n_ledger;
    r->traffic = l.traffic;
    r->latency = l.latency;
    r->status = l.status;
}

/* Two seconds of it; the whole is what its last listener saw. */
static tcpwhy_report *report_of(const char *file, const struct seen *s)
{
    tcpwhy_report *r = made_empty(file);

    r->capture.frames = r->capture.tcp_frames = 5000;
    r->capture.bytes = s->payload_bytes + (uint64_t)(s->median_ns + s->p99_ns) + s->requests;
    r->capture.first_ns = INT64_C(1795150776264053503);
    r->capture.last_ns = r->capture.first_ns + TCPWHY_S(2);
    add_seen(r, s);
    return r;
}

static tcpwhy_comparison *compared(tcpwhy_report *before, tcpwhy_report *after)
{
    tcpwhy_comparison *c = NULL;

    assert_int_equal(tcpwhy_compare(before, after, &c), 0);
    return c;
}

static void released(tcpwhy_comparison *c)
{
    const tcpwhy_report *before = tcpwhy_comparison_report(c, TCPWHY_BEFORE);
    const tcpwhy_report *after = tcpwhy_comparison_report(c, TCPWHY_AFTER);

    tcpwhy_comparison_free(c);
    tcpwhy_report_free((tcpwhy_report *)(uintptr_t)before);
    tcpwhy_report_free((tcpwhy_report *)(uintptr_t)after);
}

/* What the page says of it, in one line however long. */
static char *said(const tcpwhy_comparison *c)
{
    const struct tcpwhy_style wide = { .struct_size = sizeof(wide), .columns = 400 };
    GString *text = g_string_new(NULL);
    char **lines, *sentence;

    tcpwhy_render_comparison_text(c, &wide, append, text);
    lines = g_strsplit(text->str, "\n", -1);
    sentence = g_strdup(lines[5]);
    g_strfreev(lines);
    g_string_free(text, TRUE);
    return sentence;
}

static void assert_said(const struct seen *before, const struct seen *after, const char *sentence)
{
    tcpwhy_comparison *c = compared(report_of("a.pcap", before), report_of("b.pcap", after));
    char *text = said(c);

    assert_string_equal(text, sentence);
    g_free(text);
    released(c);
}

static enum tcpwhy_change change_between(const struct seen *before, const struct seen *after)
{
    tcpwhy_comparison *c = compared(report_of("a.pcap", before), report_of("b.pcap", after));
    enum tcpwhy_change change = tcpwhy_comparison_verdict(c)->change;

    released(c);
    return change;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static void a_cause_that_is_gone_is_named_with_what_it_took(void **state)
{
    const struct seen before = with_nagle(), after = usual();

    (void)state;
    assert_said(&before, &after,
                "A request to 10.9.0.2:8080 took 41.2 ms, now 0.900 ms at the median: "
                "nagle_delayed_ack is gone (40.0 ms a request, likely).");
    assert_said(&after, &before,
                "A request to 10.9.0.2:8080 took 0.900 ms, now 41.2 ms at the median: "
                "nagle_delayed_ack is new (40.0 ms a request, likely).");
}

static void a_cause_that_took_less_fell_and_what_grew_beside_it_is_told(void **state)
{
    struct seen before = with_nagle(), after = with_nagle();

    (void)state;
    after.median_ns = TCPWHY_MS(30);
    after.nagle_ns = TCPWHY_S(10);
    after.think_ns = TCPWHY_S(20);
    assert_said(&before, &after,
                "A request to 10.9.0.2:8080 took 41.2 ms, now 30.0 ms at the median: "
                "nagle_delayed_ack fell (from 40.0 ms to 10.0 ms a request, likely); but "
                "server_think grew (from 0.200 ms to 20.0 ms a request).");
}

static void as_many_more_requests_are_no_difference(void **state)
{
    struct seen before = with_nagle(), after = with_nagle();

    (void)state;
    after.requests *= 50;
    after.nagle_ns *= 50;
    after.think_ns *= 50;
    after.wire_ns *= 50;
    assert_said(&before, &after,
                "A request to 10.9.0.2:8080 takes about as long as before: it took 41.2 ms, now "
                "41.2 ms at the median.");
}

static void less_than_a_tenth_is_chance(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    before.median_ns = before.p99_ns = after.p99_ns = TCPWHY_MS(50);
    after.median_ns = TCPWHY_MS(45) + 1;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
    after.median_ns = TCPWHY_MS(45);
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_BETTER);
    assert_int_equal(change_between(&after, &before), TCPWHY_CHANGE_WORSE);
}

static void less_than_a_busy_host_makes_is_chance(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    after.median_ns = before.median_ns + TCPWHY_US(200) - 1;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
    after.median_ns++;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_WORSE);
}

static void the_slowest_are_told_when_the_median_stays(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    after.p99_ns = TCPWHY_MS(240);
    assert_said(&before, &after,
                "The slowest hundredth of the requests to 10.9.0.2:8080 took at least 2.00 ms, now "
                "240 ms, and no cause stands out.");
    before.requests = after.requests = 99;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
}

static void requests_that_nobody_answers_any_more_are_worse(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    after.requests = 0;
    after.payload_bytes = 0;
    assert_said(&before, &after,
                "1,000 requests to 10.9.0.2:8080 were answered before, none now, and no cause "
                "stands out.");
    assert_int_equal(change_between(&after, &before), TCPWHY_CHANGE_BETTER);
}

static void opening_connections_counts_when_requests_are_as_fast(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    after.retry_ns = 20 * TCPWHY_S(1);
    assert_said(&before, &after,
                "Opening a connection to 10.9.0.2:8080 took 0.000 ms, now 1.00 s: connect_retry is "
                "new (1.00 s a connection).");
    after.retry_ns = 20 * TCPWHY_MS(5) - 20;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
}

static void opening_connections_stands_beside_slower_requests(void **state)
{
    struct seen before = usual(), after = with_nagle();

    (void)state;
    after.retry_ns = 20 * TCPWHY_S(1);
    assert_said(&before, &after,
                "A request to 10.9.0.2:8080 took 0.900 ms, now 41.2 ms at the median: "
                "nagle_delayed_ack is new (40.0 ms a request, likely); beside it connect_retry is "
                "new (1.00 s a connection).");
}

static void transfers_without_requests_are_compared_by_rate(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    before.requests = after.requests = 0;
    before.payload_bytes = after.payload_bytes = 10000000;
    before.nagle_ns = TCPWHY_MS(9100);
    assert_said(&before, &after,
                "Data to and from 10.9.0.2:8080 went at 8.0 Mbit/s, now at 88.9 Mbit/s: "
                "nagle_delayed_ack is gone (910 ms a megabyte, likely).");
    assert_int_equal(change_between(&after, &before), TCPWHY_CHANGE_WORSE);
}

static void without_requests_a_connection_is_the_measure(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    before.requests = after.requests = 0;
    before.nagle_ns = 20 * TCPWHY_MS(90);
    before.think_ns = after.think_ns = 20 * TCPWHY_MS(10);
    assert_said(&before, &after,
                "A connection to 10.9.0.2:8080 lost 100 ms, now 10.0 ms: nagle_delayed_ack is gone "
                "(90.0 ms a connection, likely).");
    before.refused = after.refused = 20;
    assert_said(&before, &after, "Connections to 10.9.0.2:8080 are refused, before as now.");
}

static void the_same_capture_says_so(void **state)
{
    const struct seen seen = with_nagle();

    (void)state;
    assert_said(&seen, &seen, "The two are the same capture: nothing differs.");
}

static void without_tcp_there_is_nothing_to_compare(void **state)
{
    const struct seen seen = usual();
    tcpwhy_report *empty = report_of("a.pcap", &seen), *full = report_of("b.pcap", &seen);
    tcpwhy_comparison *c;
    char *text;

    (void)state;
    g_array_set_size(empty->listeners, 0);
    empty->n_ledger = 0;
    c = compared(empty, full);
    text = said(c);
    assert_string_equal(text,
                        "Nothing to compare: there is no TCP connection in the capture before.");
    g_free(text);
    released(c);
}

/* ---- listeners ------------------------------------------------------------------------------- */

static const struct tcpwhy_listener_change *listener_at(const tcpwhy_comparison *c, size_t at)
{
    size_t n;
    const struct tcpwhy_listener_change *l = tcpwhy_comparison_listeners(c, &n);

    assert_true(at < n);
    return &l[at];
}

static void listeners_are_matched_by_endpoint_then_by_port(void **state)
{
    struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after = report_of("b.pcap", &seen);
    tcpwhy_comparison *c;

    (void)state;
    seen.endpoint = made_endpoint(3, 443);
    add_seen(before, &seen);
    seen.endpoint = made_endpoint(3, 25);
    add_seen(before, &seen);
    seen.endpoint = made_endpoint(9, 443);
    add_seen(after, &seen);
    c = compared(before, after);
    assert_int_equal(listener_at(c, 0)->endpoint[1].port, 8080);
    assert_int_equal(listener_at(c, 1)->endpoint[0].address[3], 3);
    assert_int_equal(listener_at(c, 1)->endpoint[1].address[3], 9);
    assert_int_equal(listener_at(c, 2)->endpoint[0].port, 25);
    assert_int_equal(listener_at(c, 2)->endpoint[1].version, 0);
    assert_int_equal(listener_at(c, 2)->change, TCPWHY_CHANGE_UNKNOWN);
    released(c);
}

static void a_port_with_two_listeners_matches_none(void **state)
{
    struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after;
    tcpwhy_comparison *c;

    (void)state;
    seen.endpoint = made_endpoint(3, 8080);
    add_seen(before, &seen);
    seen.endpoint = made_endpoint(4, 8080);
    after = report_of("b.pcap", &seen);
    c = compared(before, after);
    assert_int_equal(listener_at(c, 0)->endpoint[1].version, 0);
    assert_int_equal(listener_at(c, 1)->endpoint[1].version, 0);
    assert_int_equal(listener_at(c, 2)->endpoint[0].version, 0);
    released(c);
}

static void the_only_listeners_are_matched_whatever_their_ports(void **state)
{
    struct seen before = with_nagle(), after = usual();

    (void)state;
    after.endpoint = made_endpoint(5, 81);
    assert_said(&before, &after,
                "A request to 10.9.0.2:8080 (now 10.9.0.5:81) took 41.2 ms, now 0.900 ms at the "
                "median: nagle_delayed_ack is gone (40.0 ms a request, likely).");
}

static void the_listener_that_changed_most_is_the_verdict(void **state)
{
    struct seen before = usual(), after = usual();
    tcpwhy_report *a = report_of("a.pcap", &before), *b = report_of("b.pcap", &after);
    tcpwhy_comparison *c;

    (void)state;
    before.endpoint = after.endpoint = made_endpoint(2, 443);
    after.median_ns = TCPWHY_MS(2);
    add_seen(a, &before);
    add_seen(b, &after);
    before.endpoint = after.endpoint = made_endpoint(2, 9000);
    after.median_ns = TCPWHY_MS(8);
    add_seen(a, &before);
    add_seen(b, &after);
    c = compared(a, b);
    assert_int_equal(tcpwhy_comparison_verdict(c)->listener->endpoint[0].port, 9000);
    assert_int_equal(listener_at(c, 0)->endpoint[0].port, 9000);
    assert_int_equal(listener_at(c, 1)->endpoint[0].port, 443);
    assert_int_equal(tcpwhy_comparison_verdict(c)->worse, 2);
    assert_int_equal(tcpwhy_comparison_verdict(c)->better, 0);
    released(c);
}

/* ---- doubts ---------------------------------------------------------------------------------- */

/* Is that fact among the reasons? */
static bool doubts(const tcpwhy_comparison *c, const char *fact)
{
    size_t n;
    const struct tcpwhy_unfair *u = tcpwhy_comparison_unfair(c, &n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(u[i].fact, fact) == 0)
            return true;
    return false;
}

static bool doubted(const struct seen *before, const struct seen *after, const char *fact)
{
    tcpwhy_comparison *c = compared(report_of("a.pcap", before), report_of("b.pcap", after));
    bool found = doubts(c, fact);

    released(c);
    return found;
}

static void like_captures_leave_no_doubt(void **state)
{
    const struct seen before = with_nagle();
    struct seen after = with_nagle();
    tcpwhy_comparison *c;
    size_t n;

    (void)state;
    after.requests++;
    c = compared(report_of("a.pcap", &before), report_of("b.pcap", &after));
    tcpwhy_comparison_unfair(c, &n);
    assert_int_equal(n, 0);
    released(c);
}

static void other_work_is_told(void **state)
{
    struct seen before = usual(), after = usual();

    (void)state;
    after.payload_bytes = 2 * before.payload_bytes - 1;
    assert_false(doubted(&before, &after, "sizes"));
    after.payload_bytes++;
    assert_true(doubted(&before, &after, "sizes"));
    after.errors = 49;
    assert_false(doubted(&before, &after, "errors"));
    after.errors = 50;
    assert_true(doubted(&before, &after, "errors"));
    after.requests = 29;
    assert_true(doubted(&before, &after, "few_exchanges"));
    after.requests = 30;
    assert_false(doubted(&before, &after, "few_exchanges"));
}

static void add_stream(tcpwhy_report *r, tcpwhy_ns rtt_ns, enum tcpwhy_vantage vantage)
{
    struct tcpwhy_stream s = { .rtt_min_ns = rtt_ns, .vantage = vantage };

    g_array_append_val(r->streams, s);
}

static void another_path_vantage_length_or_load_is_told(void **state)
{
    const struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after = report_of("b.pcap", &seen);
    tcpwhy_comparison *c;

    (void)state;
    add_stream(before, TCPWHY_MS(1), TCPWHY_VANTAGE_CLIENT);
    add_stream(after, TCPWHY_MS(2), TCPWHY_VANTAGE_SERVER);
    after->capture.last_ns = after->capture.first_ns + TCPWHY_MS(500);
    c = compared(before, after);
    assert_true(doubts(c, "path"));
    assert_true(doubts(c, "vantage"));
    assert_true(doubts(c, "lengths"));
    assert_true(doubts(c, "load"));
    released(c);
    before = report_of("a.pcap", &seen);
    after = report_of("b.pcap", &seen);
    add_stream(before, TCPWHY_US(499), TCPWHY_VANTAGE_CLIENT);
    add_stream(after, TCPWHY_US(999), TCPWHY_VANTAGE_UNKNOWN);
    after->capture.last_ns = after->capture.first_ns + TCPWHY_MS(501);
    c = compared(before, after);
    assert_false(doubts(c, "path"));
    assert_false(doubts(c, "vantage"));
    assert_false(doubts(c, "lengths"));
    released(c);
}

static void a_worse_capture_is_told(void **state)
{
    const struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after = report_of("b.pcap", &seen);
    tcpwhy_comparison *c;
    size_t n;

    (void)state;
    made_quality(after, "Frames are missing.");
    after->capture.frames++;
    after->capture.last_ns++;
    c = compared(before, after);
    assert_string_equal(tcpwhy_comparison_unfair(c, &n)->detail, "frames_missing");
    assert_int_equal(n, 1);
    released(c);
}

/* ---- the page -------------------------------------------------------------------------------- */

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

static GString *page(const tcpwhy_comparison *c, unsigned columns, bool ascii)
{
    const struct tcpwhy_style style = { .struct_size = sizeof(style),
                                        .columns = columns,
                                        .ascii = ascii };
    GString *text = g_string_new(NULL);

    assert_int_equal(tcpwhy_render_comparison_text(c, &style, append, text), 0);
    return text;
}

static void the_page_fits_its_width(void **state)
{
    static const unsigned widths[] = { 60, 80, 120 };
    tcpwhy_comparison *c = several();

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
        GString *text = page(c, widths[i], false);
        char *name = g_strdup_printf("diff-%u.txt", widths[i]);

        assert_within(text->str, widths[i]);
        assert_golden(name, text);
        g_free(name);
        g_string_free(text, TRUE);
    }
    released(c);
}

static void a_program_gets_the_same(void **state)
{
    tcpwhy_comparison *c = several();
    GString *text = g_string_new(NULL);

    (void)state;
    assert_int_equal(tcpwhy_render_comparison_json(c, append, text), 0);
    assert_golden("diff.json", text);
    g_string_free(text, TRUE);
    released(c);
}

static void hostile_names_reach_neither_terminal_nor_parser(void **state)
{
    const struct seen before = with_nagle(), after = usual();
    tcpwhy_report *a = report_of("\x1b[2Jevil\xff\n.pcap", &before);
    tcpwhy_report *b = report_of("</script>\u202e\x07\"", &after);
    tcpwhy_comparison *c;
    GString *text;

    (void)state;
    made_quality(b, "text \x1b[31m");
    c = compared(a, b);
    for (int ascii = 0; ascii < 2; ascii++) {
        text = page(c, 80, ascii);
        assert_harmless(text->str);
        g_string_free(text, TRUE);
    }
    text = g_string_new(NULL);
    tcpwhy_render_comparison_json(c, append, text);
    assert_harmless(text->str);
    g_string_truncate(text, 0);
    tcpwhy_render_comparison_html(c, append, text);
    assert_harmless(text->str);
    assert_non_null(strstr(text->str, "&lt;/script&gt;"));
    assert_null(strstr(text->str, "</script>"));
    g_string_free(text, TRUE);
    released(c);
}

/* Seen by the sanitizers. */
static void forged_clocks_and_counts_run_nothing_over(void **state)
{
    struct seen before = usual(), after = usual();
    tcpwhy_comparison *c;
    GString *text;

    (void)state;
    before.think_ns = before.retry_ns = before.nagle_ns = before.wire_ns = TW_NS_MOST;
    before.median_ns = before.p99_ns = TW_NS_MOST;
    before.payload_bytes = 1;
    before.connections = 1;
    after.payload_bytes = UINT64_MAX / 2;
    after.wire_ns = after.think_ns = 1;
    for (int requests = 0; requests < 2; requests++) {
        before.requests = (uint64_t)requests;
        after.requests = (uint64_t)requests << 62;
        c = compared(report_of("a.pcap", &before), report_of("b.pcap", &after));
        text = page(c, 120, false);
        tcpwhy_render_comparison_json(c, append, text);
        tcpwhy_render_comparison_html(c, append, text);
        assert_harmless(text->str);
        g_string_free(text, TRUE);
        released(c);
    }
    before.payload_bytes = 1000000;
    before.requests = after.requests = 0;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_BETTER);
}

static void a_closed_pipe_is_reported(void **state)
{
    tcpwhy_comparison *c = several();

    (void)state;
    assert_int_equal(tcpwhy_render_comparison_text(c, NULL, stop, NULL), TCPWHY_ERR_STOPPED);
    assert_int_equal(tcpwhy_render_comparison_json(c, stop, NULL), TCPWHY_ERR_STOPPED);
    assert_int_equal(tcpwhy_render_comparison_html(c, stop, NULL), TCPWHY_ERR_STOPPED);
    released(c);
    tcpwhy_comparison_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cause_that_is_gone_is_named_with_what_it_took),
        cmocka_unit_test(a_cause_that_took_less_fell_and_what_grew_beside_it_is_told),
        cmocka_unit_test(as_many_more_requests_are_no_difference),
        cmocka_unit_test(less_than_a_tenth_is_chance),
        cmocka_unit_test(less_than_a_busy_host_makes_is_chance),
        cmocka_unit_test(the_slowest_are_told_when_the_median_stays),
        cmocka_unit_test(requests_that_nobody_answers_any_more_are_worse),
        cmocka_unit_test(opening_connections_counts_when_requests_are_as_fast),
        cmocka_unit_test(opening_connections_stands_beside_slower_requests),
        cmocka_unit_test(transfers_without_requests_are_compared_by_rate),
        cmocka_unit_test(without_requests_a_connection_is_the_measure),
        cmocka_unit_test(the_same_capture_says_so),
        cmocka_unit_test(without_tcp_there_is_nothing_to_compare),
        cmocka_unit_test(listeners_are_matched_by_endpoint_then_by_port),
        cmocka_unit_test(a_port_with_two_listeners_matches_none),
        cmocka_unit_test(the_only_listeners_are_matched_whatever_their_ports),
        cmocka_unit_test(the_listener_that_changed_most_is_the_verdict),
        cmocka_unit_test(like_captures_leave_no_doubt),
        cmocka_unit_test(other_work_is_told),
        cmocka_unit_test(another_path_vantage_length_or_load_is_told),
        cmocka_unit_test(a_worse_capture_is_told),
        cmocka_unit_test(the_page_fits_its_width),
        cmocka_unit_test(a_program_gets_the_same),
        cmocka_unit_test(hostile_names_reach_neither_terminal_nor_parser),
        cmocka_unit_test(forged_clocks_and_counts_run_nothing_over),
        cmocka_unit_test(a_closed_pipe_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
