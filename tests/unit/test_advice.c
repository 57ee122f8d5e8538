/* SPDX-License-Identifier: MIT */
/* The sentences of a finding, with its numbers in their places. */
#include "base/text.h"
#include "tests/unit.h"

#include <string.h>

#include "report/findings/advice.h"

/* A finding of server think time: its count, median and total. */
static void thought(tw_string_chunk *texts, struct tw_finding_row *f, uint64_t count, int median_ms,
                    int cost_ms)
{
    *f = (struct tw_finding_row) {
        .cause = TCPWHY_SERVER_THINK,
        .confidence = TCPWHY_CERTAIN,
        .endpoint = { .version = 4, .address = { 10, 0, 0, 2 }, .port = 80 },
        .count = count,
        .median_ns = TCPWHY_MS(median_ms),
        .cost_ns = TCPWHY_MS(cost_ms),
    };
    tw_advise(f, texts);
}

#define ADVICE_TEST(name)                                                                          \
    TEST_FROM(name, tw_string_chunk *, texts, tw_string_chunk_new(256), tw_string_chunk_free(texts))

ADVICE_TEST(several_waits_have_a_median_and_a_total)
{
    struct tw_finding_row f;

    thought(texts, &f, 3, 40, 121);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 3 times, "
                                   "median 40.0 ms, 121 ms in total.");
}

ADVICE_TEST(a_median_far_below_the_maximum_has_the_maximum_beside_it)
{
    static const struct tcpwhy_detail longest = { .name = TW_LONGEST_MS, .number = 60001 };
    struct tw_finding_row f;

    thought(texts, &f, 3, 40, 60082);
    f.details = &longest;
    f.n_details = 1;
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 3 times, "
                                   "median 40.0 ms (max 60.0 s), 60.1 s in total.");
}

ADVICE_TEST(a_cost_is_in_the_unit_of_its_screen_and_one_wait_in_its_own)
{
    struct tw_finding_row f;

    thought(texts, &f, 3, 40, 121);
    f.whole_ns = TCPWHY_S(2);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 3 times, "
                                   "median 40.0 ms, 0.121 s in total.");
}

ADVICE_TEST(a_single_wait_has_no_median)
{
    struct tw_finding_row f;

    thought(texts, &f, 1, 40, 40);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 40.0 ms.");
    thought(texts, &f, 1, 40, 45); /* of which a part is another's */
    assert_non_null(strstr(f.summary, "once, median 40.0 ms, 45.0 ms in total."));
}

/* A connection has one greeting: what else it waited for was no greeting. */
ADVICE_TEST(of_more_waits_than_connections_some_are_for_no_greeting)
{
    static const struct tcpwhy_detail kind = { .name = "kind", .text = "greeting" };
    struct tw_finding_row f;

    thought(texts, &f, 2, 40, 80);
    f.peer = f.endpoint;
    f.details = &kind;
    f.n_details = 1;
    f.streams = 2;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, "waiting for its greeting: 2 times"));
    f.streams = 1;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, "waiting mostly for its greeting: 2 times"));
}

/* 10.0.0.1 was refused 'count' times, at this many ports of 10.0.0.2. */
static void refused(tw_string_chunk *texts, struct tw_finding_row *f, uint64_t count, double ports)
{
    const struct tcpwhy_detail n = { .name = TW_ENDPOINTS, .number = ports };

    *f = (struct tw_finding_row) { .cause = TCPWHY_CONNECT_REFUSED,
                                   .endpoint = { .version = 4, .address = { 10, 0, 0, 2 } },
                                   .peer = { .version = 4, .address = { 10, 0, 0, 1 } },
                                   .count = count,
                                   .details = &n,
                                   .n_details = 1 };
    tw_advise(f, texts);
    f->details = NULL;
}

ADVICE_TEST(many_closed_ports_that_are_asked_once_are_a_scan)
{
    struct tw_finding_row f;

    refused(texts, &f, 119, 119);
    assert_non_null(strstr(f.summary, "10.0.0.1 asked for 119 closed ports of 10.0.0.2"));
}

ADVICE_TEST(services_that_are_down_and_tried_again_are_no_scan)
{
    struct tw_finding_row f;

    refused(texts, &f, 300, 119);
    assert_null(strstr(f.summary, "scan"));
    refused(texts, &f, 12, 12);
    assert_null(strstr(f.summary, "scan"));
}

/* The advice for one endpoint, or many, at which connections failed for a cause. */
static const char *do_about(tw_string_chunk *texts, enum tcpwhy_cause cause, bool many)
{
    static const struct tcpwhy_detail endpoints = { .name = TW_ENDPOINTS, .number = 40 };
    struct tw_finding_row f = {
        .cause = cause, .count = 40, .details = &endpoints, .n_details = many ? 1 : 0
    };

    tw_advise(&f, texts);
    return f.remedy;
}

ADVICE_TEST(of_many_endpoints_the_addresses_are_checked_before_a_listener)
{
    const char *about = do_about(texts, TCPWHY_CONNECT_REFUSED, true);

    assert_true(g_str_has_prefix(about, "Nothing listens there"));
    assert_non_null(strstr(about, "the addresses and ports that its peers asked for"));
    about = do_about(texts, TCPWHY_CONNECT_RETRY, true);
    assert_true(g_str_has_prefix(about, "Begin with what they have in common"));
    assert_non_null(strstr(do_about(texts, TCPWHY_CONNECT_REFUSED, false), "bind address"));
    assert_true(g_str_has_prefix(do_about(texts, TCPWHY_CONNECT_RETRY, false), "On "));
    assert_non_null(strstr(do_about(texts, TCPWHY_SERVER_THINK, true), "application"));
}

ADVICE_TEST(a_short_wait_is_not_rounded_to_zero)
{
    struct tw_finding_row f;

    thought(texts, &f, 1, 0, 0);
    f.median_ns = f.cost_ns = TCPWHY_US(30);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 0.030 ms.");
    f.median_ns = f.cost_ns = TCPWHY_US(99);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 0.099 ms.");
    f.median_ns = f.cost_ns = TCPWHY_US(100);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 0.100 ms.");
}

ADVICE_TEST(thousands_are_grouped)
{
    struct tw_finding_row f;

    thought(texts, &f, 1360, 40, 54000);
    assert_string_equal(f.summary, "The application at 10.0.0.2:80 was slow to respond: 1,360 "
                                   "times, median 40.0 ms, 54.0 s in total.");
}

TEST(the_unit_of_a_time_fits_its_size)
{
    static const struct {
        tcpwhy_ns ns;
        const char *text;
    } cases[] = { { TCPWHY_US(3297), ": 3.30 ms." },     { TCPWHY_MS(40), ": 40.0 ms." },
                  { TCPWHY_MS(999), ": 999 ms." },       { TCPWHY_US(999500), ": 1.00 s." },
                  { TCPWHY_MS(7941), ": 7.94 s." },      { TCPWHY_MS(9995), ": 10.0 s." },
                  { TCPWHY_S(599), ": 599 s." },         { TCPWHY_S(600), ": 10 min 0 s." },
                  { TCPWHY_S(65536), ": 18 h 12 min." }, { TCPWHY_S(90000), ": 1 d 1 h." } };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        tw_string_chunk *texts = tw_string_chunk_new(256);
        struct tw_finding_row f;

        thought(texts, &f, 1, 0, 0);
        f.median_ns = f.cost_ns = cases[i].ns;
        tw_advise(&f, texts);
        assert_non_null(strstr(f.summary, cases[i].text));
        tw_string_chunk_free(texts);
    }
}

/* They are compared where they stand together. */
TEST(units_of_rates_and_sizes_fit_their_size)
{
    static const struct {
        double size, rate, path;
        const char *text;
    } cases[] = {
        { 512, 99400, 999e3,
          "A window of 512 B per RTT of 35.0 ms is 795 kbit/s; seen: 795 kbit/s. The path "
          "carries "
          "about 7.99 Mbit/s and needs a window of 512 B." },
        { 65536, 1867e3, 20e6,
          "A window of 65.5 kB per RTT of 35.0 ms is 14.9 Mbit/s; seen: 14.9 Mbit/s. The path "
          "carries about 160 Mbit/s and needs a window of 65.5 kB." },
        { 1e18, 1e18, 9.94e6, " The path carries about 79.5 Mbit/s" },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        tw_string_chunk *texts = tw_string_chunk_new(256);
        const struct tcpwhy_detail details[] = { { "ceiling_bytes", NULL, cases[i].size },
                                                 { "rtt_us", NULL, 35000 },
                                                 { "rate_bytes_per_s", NULL, cases[i].rate },
                                                 { "seen_bytes_per_s", NULL, cases[i].rate },
                                                 { "path_bytes_per_s", NULL, cases[i].path },
                                                 { "bdp_bytes", NULL, cases[i].size },
                                                 { "window_scale", "none", 0 } };
        struct tw_finding_row f;

        thought(texts, &f, 1, 0, 0);
        f.cause = TCPWHY_RECEIVE_WINDOW_LIMITED;
        f.details = details;
        f.n_details = G_N_ELEMENTS(details);
        tw_advise(&f, texts);
        assert_non_null(strstr(f.summary, cases[i].text));
        tw_string_chunk_free(texts);
    }
}

ADVICE_TEST(the_limit_behind_a_send_buffer_is_told_with_its_rate)
{
    static const struct tcpwhy_detail next[] = { { "next_window_bytes", NULL, 87000 },
                                                 { "next_bytes_per_s", NULL, 4.3e6 } };
    struct tw_finding_row f;

    thought(texts, &f, 1, 200, 200);
    f.cause = TCPWHY_SEND_BUFFER_LIMITED;
    f.details = next;
    f.n_details = G_N_ELEMENTS(next);
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, ", 87.0 kB: 34.4 Mbit/s unless it grows."));
    f.n_details = 0;
    tw_advise(&f, texts);
    assert_null(strstr(f.summary, "is next"));
}

ADVICE_TEST(the_fix_names_the_setting_of_the_stack)
{
    static const struct tcpwhy_detail windows = { "stack", "Windows (40, 50 or 200 ms)", 0 },
                                      linux_ = { "stack", "Linux (40 to 200 ms)", 0 },
                                      other = { "stack", "a stack that is not known", 0 };
    struct tw_finding_row f;

    thought(texts, &f, 1, 200, 200);
    f.cause = TCPWHY_NAGLE_DELAYED_ACK;
    f.details = &windows;
    f.n_details = 1;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.remedy, "TcpAckFrequency = 1"));
    assert_null(strstr(f.remedy, "TCP_QUICKACK"));
    f.details = &linux_;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.remedy, "TCP_QUICKACK."));
    f.cause = TCPWHY_DELAYED_ACK;
    f.details = &other;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.remedy, "TCP_QUICKACK, if its stack has it, or a shorter"));
}

/* A SYN/ACK that goes again is no SYN that does. */
ADVICE_TEST(an_unacknowledged_syn_ack_is_no_unanswered_syn)
{
    struct tw_finding_row f;

    thought(texts, &f, 1, 1000, 1000);
    f.cause = TCPWHY_CONNECT_RETRY;
    f.party = TCPWHY_PARTY_PATH;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, "retransmitted its SYN/ACK"));
    f.party = TCPWHY_PARTY_SERVER;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, "SYNs or first requests to 10.0.0.2:80 were not answered"));
}

ADVICE_TEST(the_network_is_ruled_out_only_if_the_cause_is_certain)
{
    struct tw_finding_row f;

    thought(texts, &f, 1, 40, 40);
    assert_non_null(strstr(f.remedy, "Not the network"));
    f.confidence = TCPWHY_LIKELY;
    tw_advise(&f, texts);
    assert_null(strstr(f.remedy, "Not the network"));
}
