/* SPDX-License-Identifier: MIT */
/*
 * Reports made by hand, held against each other: what counts as a difference, whose it is, which
 * cause is named, and what is said when the two are not comparable.
 */
#include "base/array.h"
#include "tests/unit/compared.h"

/* ---- the verdict ----------------------------------------------------------------------------- */

TEST(a_cause_that_is_gone_is_named_with_what_it_took)
{
    const struct seen before = with_nagle(), after = usual();

    assert_said(&before, &after,
                "Median response time of 10.9.0.2:8080: 41.2 ms before, 0.900 ms now; cause: "
                "nagle_delayed_ack gone (40.0 ms per request, likely).");
    assert_said(&after, &before,
                "Median response time of 10.9.0.2:8080: 0.900 ms before, 41.2 ms now; cause: "
                "nagle_delayed_ack new (40.0 ms per request, likely).");
}

TEST(a_cause_that_took_less_fell_and_what_grew_beside_it_is_told)
{
    struct seen before = with_nagle(), after = with_nagle();

    after.median_ns = TCPWHY_MS(30);
    after.nagle_ns = TCPWHY_S(10);
    after.think_ns = TCPWHY_S(20);
    assert_said(&before, &after,
                "Median response time of 10.9.0.2:8080: 41.2 ms before, 30.0 ms now; cause: "
                "nagle_delayed_ack fell (from 40.0 ms to 10.0 ms per request, likely); opposite "
                "change: server_think grew (from 0.200 ms to 20.0 ms per request).");
}

TEST(as_many_more_requests_are_no_difference)
{
    struct seen before = with_nagle(), after = with_nagle();

    after.requests *= 50;
    after.nagle_ns *= 50;
    after.think_ns *= 50;
    after.propagation_ns *= 50;
    assert_said(
        &before, &after,
        "Median response time of 10.9.0.2:8080 about the same: 41.2 ms before, 41.2 ms now.");
}

TEST(less_than_a_tenth_is_chance)
{
    struct seen before = usual(), after = usual();

    before.median_ns = before.p99_ns = after.p99_ns = TCPWHY_MS(50);
    after.median_ns = TCPWHY_MS(45) + 1;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
    after.median_ns = TCPWHY_MS(45);
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_BETTER);
    assert_int_equal(change_between(&after, &before), TCPWHY_CHANGE_WORSE);
}

TEST(less_than_a_busy_host_makes_is_chance)
{
    struct seen before = usual(), after = usual();

    after.median_ns = before.median_ns + TCPWHY_US(200) - 1;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
    after.median_ns++;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_WORSE);
}

TEST(the_slowest_are_told_when_the_median_stays)
{
    struct seen before = usual(), after = usual();

    after.p99_ns = TCPWHY_MS(240);
    assert_said(&before, &after,
                "99th percentile of the response time of 10.9.0.2:8080: 2.00 ms before, 240 ms "
                "now; no single cause.");
    before.requests = after.requests = 99;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
}

TEST(what_failed_comes_before_how_long_the_rest_took)
{
    struct seen before = usual(), after = usual();

    before.errors = 520;
    after.median_ns = TCPWHY_MS(90);
    assert_said(&before, &after,
                "Failed requests (5xx, or no answer) of 10.9.0.2:8080: 52% before, 0% now; good "
                "answers: 480 before, 1,000 now, median 0.900 ms before, 90.0 ms now.");
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_BETTER);
    before.errors = 9;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_WORSE);
}

TEST(requests_that_nobody_answers_any_more_are_worse)
{
    struct seen before = usual(), after = usual();

    after.requests = 0;
    after.payload_bytes = 0;
    assert_said(&before, &after,
                "1,000 requests to 10.9.0.2:8080 answered before, none now; no single cause.");
    assert_int_equal(change_between(&after, &before), TCPWHY_CHANGE_BETTER);
}

TEST(opening_connections_counts_when_requests_are_as_fast)
{
    struct seen before = usual(), after = usual();

    after.retry_ns = 20 * TCPWHY_S(1);
    assert_said(&before, &after,
                "Connection setup to 10.9.0.2:8080: 0.000 ms before, 1.00 s now; cause: "
                "connect_retry new (1.00 s per connection).");
    after.retry_ns = 20 * TCPWHY_MS(5) - 20;
    assert_int_equal(change_between(&before, &after), TCPWHY_CHANGE_NONE);
}

TEST(opening_connections_stands_beside_slower_requests)
{
    struct seen before = usual(), after = with_nagle();

    after.retry_ns = 20 * TCPWHY_S(1);
    assert_said(&before, &after,
                "Median response time of 10.9.0.2:8080: 0.900 ms before, 41.2 ms now; cause: "
                "nagle_delayed_ack new (40.0 ms per request, likely); connection setup: "
                "connect_retry new (1.00 s per connection).");
}

TEST(transfers_without_requests_are_compared_by_rate)
{
    struct seen before = usual(), after = usual();

    before.requests = after.requests = 0;
    before.payload_bytes = after.payload_bytes = 10000000;
    before.nagle_ns = TCPWHY_MS(9100);
    assert_said(&before, &after,
                "Throughput of 10.9.0.2:8080: 8.00 Mbit/s before, 88.9 Mbit/s now; cause: "
                "nagle_delayed_ack gone (910 ms per megabyte, likely).");
    assert_int_equal(change_between(&after, &before), TCPWHY_CHANGE_WORSE);
}

TEST(without_requests_a_connection_is_the_measure)
{
    struct seen before = usual(), after = usual();

    before.requests = after.requests = 0;
    before.nagle_ns = 20 * TCPWHY_MS(90);
    before.think_ns = after.think_ns = 20 * TCPWHY_MS(10);
    assert_said(&before, &after,
                "Lost time per connection to 10.9.0.2:8080: 100 ms before, 10.0 ms now; cause: "
                "nagle_delayed_ack gone (90.0 ms per connection, likely).");
    before.refused = after.refused = 20;
    assert_said(&before, &after,
                "Connections to 10.9.0.2:8080 were refused before and are refused now.");
}

TEST(the_same_capture_says_so)
{
    const struct seen seen = with_nagle();

    assert_said(&seen, &seen, "Both captures are the same.");
}

TEST(without_tcp_there_is_nothing_to_compare)
{
    const struct seen seen = usual();
    tcpwhy_report *empty = report_of("a.pcap", &seen), *full = report_of("b.pcap", &seen);

    tw_array_set_size(empty->listeners, 0);
    empty->n_ledger = 0;
    tcpwhy_comparison *c = compared(empty, full);
    char *text = said(c);
    assert_string_equal(text, "Nothing to compare: no TCP connection in the first capture.");
    tw_free(text);
    released(c);
}

/* ---- listeners ------------------------------------------------------------------------------- */

static const struct tw_listener_change *listener_at(const tcpwhy_comparison *c, size_t at)
{
    size_t n;
    const struct tw_listener_change *l = tw_comparison_listeners(c, &n);

    assert_true(at < n);
    return &l[at];
}

TEST(listeners_are_matched_by_endpoint_then_by_port)
{
    struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after = report_of("b.pcap", &seen);

    seen.endpoint = made_endpoint(3, 443);
    add_seen(before, &seen);
    seen.endpoint = made_endpoint(3, 25);
    add_seen(before, &seen);
    seen.endpoint = made_endpoint(9, 443);
    add_seen(after, &seen);
    tcpwhy_comparison *c = compared(before, after);
    assert_int_equal(listener_at(c, 0)->endpoint[1].port, 8080);
    assert_int_equal(listener_at(c, 1)->endpoint[0].address[3], 3);
    assert_int_equal(listener_at(c, 1)->endpoint[1].address[3], 9);
    assert_int_equal(listener_at(c, 2)->endpoint[0].port, 25);
    assert_int_equal(listener_at(c, 2)->endpoint[1].version, 0);
    assert_int_equal(listener_at(c, 2)->change, TCPWHY_CHANGE_UNKNOWN);
    released(c);
}

TEST(a_port_with_two_listeners_matches_none)
{
    struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after;

    seen.endpoint = made_endpoint(3, 8080);
    add_seen(before, &seen);
    seen.endpoint = made_endpoint(4, 8080);
    after = report_of("b.pcap", &seen);
    tcpwhy_comparison *c = compared(before, after);
    assert_int_equal(listener_at(c, 0)->endpoint[1].version, 0);
    assert_int_equal(listener_at(c, 1)->endpoint[1].version, 0);
    assert_int_equal(listener_at(c, 2)->endpoint[0].version, 0);
    released(c);
}

TEST(the_only_listeners_are_matched_whatever_their_ports)
{
    struct seen before = with_nagle(), after = usual();

    after.endpoint = made_endpoint(5, 81);
    assert_said(&before, &after,
                "Median response time of 10.9.0.2:8080 (now 10.9.0.5:81): 41.2 ms before, 0.900 ms "
                "now; cause: nagle_delayed_ack gone (40.0 ms per request, likely).");
}

TEST(the_listener_that_changed_most_is_the_verdict)
{
    struct seen before = usual(), after = usual();
    tcpwhy_report *a = report_of("a.pcap", &before), *b = report_of("b.pcap", &after);

    before.endpoint = after.endpoint = made_endpoint(2, 443);
    after.median_ns = TCPWHY_MS(2);
    add_seen(a, &before);
    add_seen(b, &after);
    before.endpoint = after.endpoint = made_endpoint(2, 9000);
    after.median_ns = TCPWHY_MS(8);
    add_seen(a, &before);
    add_seen(b, &after);
    tcpwhy_comparison *c = compared(a, b);
    assert_int_equal(tw_comparison_verdict(c)->listener->endpoint[0].port, 9000);
    assert_int_equal(listener_at(c, 0)->endpoint[0].port, 9000);
    assert_int_equal(listener_at(c, 1)->endpoint[0].port, 443);
    assert_int_equal(tw_comparison_verdict(c)->worse, 2);
    assert_int_equal(tw_comparison_verdict(c)->better, 0);
    released(c);
}

/* ---- doubts ---------------------------------------------------------------------------------- */

/* Is that fact among the reasons? */
static bool doubts(const tcpwhy_comparison *c, const char *fact)
{
    size_t n;
    const struct tcpwhy_unfair *u = tw_comparison_unfair(c, &n);

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

TEST(similar_captures_are_comparable)
{
    const struct seen before = with_nagle();
    struct seen after = with_nagle();
    size_t n;

    after.requests++;
    tcpwhy_comparison *c = compared(report_of("a.pcap", &before), report_of("b.pcap", &after));
    tw_comparison_unfair(c, &n);
    assert_int_equal(n, 0);
    released(c);
}

TEST(other_sizes_errors_or_few_requests_are_reported)
{
    struct seen before = usual(), after = usual();

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
    struct tw_stream_row s = { .rtt_min_ns = rtt_ns, .vantage = vantage };

    tw_array_append_val(r->streams, s);
}

TEST(a_different_path_vantage_length_or_load_is_reported)
{
    const struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after = report_of("b.pcap", &seen);

    add_stream(before, TCPWHY_MS(1), TCPWHY_VANTAGE_CLIENT);
    add_stream(after, TCPWHY_MS(2), TCPWHY_VANTAGE_SERVER);
    after->capture.last_ns = after->capture.first_ns + TCPWHY_MS(500);
    tcpwhy_comparison *c = compared(before, after);
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

TEST(a_capture_of_lower_quality_is_reported)
{
    const struct seen seen = usual();
    tcpwhy_report *before = report_of("a.pcap", &seen), *after = report_of("b.pcap", &seen);
    size_t n;

    made_quality(after, "Frames are missing.");
    after->capture.frames++;
    after->capture.last_ns++;
    tcpwhy_comparison *c = compared(before, after);
    assert_string_equal(tw_comparison_unfair(c, &n)->detail, "frames_missing");
    assert_int_equal(n, 1);
    released(c);
}
