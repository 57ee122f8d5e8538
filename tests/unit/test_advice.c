/* SPDX-License-Identifier: MIT */
/* The sentences of a finding, with its numbers in their places. */
#include "tests/unit.h"

#include <string.h>

#include "report/findings/advice.h"

/* A server that thought so often, for so long at the median and in all. */
static void thought(GStringChunk *texts, struct tcpwhy_finding *f, uint64_t count, int median_ms,
                    int cost_ms)
{
    *f = (struct tcpwhy_finding) {
        .cause = TCPWHY_SERVER_THINK,
        .confidence = TCPWHY_CERTAIN,
        .endpoint = { .version = 4, .address = { 10, 0, 0, 2 }, .port = 80 },
        .count = count,
        .median_ns = TCPWHY_MS(median_ms),
        .cost_ns = TCPWHY_MS(cost_ms),
    };
    tw_advise(f, texts);
}

static void of_several_times_there_is_a_median_and_a_sum(void **state)
{
    (void)state;
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 3, 40, 121);
    assert_string_equal(
        f.summary, "10.0.0.2:80 took 40 ms at the median to begin its answer, 3 times: 121 ms.");
    g_string_chunk_free(texts);
}

static void a_median_that_tells_little_is_told_with_the_longest(void **state)
{
    (void)state;
    static const struct tcpwhy_detail longest = { .name = TW_LONGEST_MS, .number = 60001 };
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 3, 40, 60082);
    f.details = &longest;
    f.n_details = 1;
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "10.0.0.2:80 took 40 ms at the median (60.0 s at most) to begin "
                                   "its answer, 3 times: 60.1 s.");
    g_string_chunk_free(texts);
}

static void of_a_single_time_there_is_neither(void **state)
{
    (void)state;
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 1, 40, 40);
    assert_string_equal(f.summary, "10.0.0.2:80 took 40 ms to begin its answer.");
    thought(texts, &f, 1, 40, 45); /* of which a part is another's */
    assert_non_null(strstr(f.summary, "40 ms at the median to begin its answer, once: 45 ms."));
    g_string_chunk_free(texts);
}

static void a_short_time_is_not_nothing(void **state)
{
    (void)state;
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 1, 0, 0);
    f.median_ns = f.cost_ns = TCPWHY_US(30);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "10.0.0.2:80 took 0.03 ms to begin its answer.");
    f.median_ns = f.cost_ns = TCPWHY_US(99);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "10.0.0.2:80 took 0.10 ms to begin its answer.");
    f.median_ns = f.cost_ns = TCPWHY_US(100);
    tw_advise(&f, texts);
    assert_string_equal(f.summary, "10.0.0.2:80 took 0.1 ms to begin its answer.");
    g_string_chunk_free(texts);
}

static void many_times_are_grouped_as_elsewhere(void **state)
{
    (void)state;
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 1360, 40, 54000);
    assert_string_equal(f.summary, "10.0.0.2:80 took 40 ms at the median to begin its answer, "
                                   "1,360 times: 54.0 s.");
    g_string_chunk_free(texts);
}

static void a_time_has_the_unit_that_suits_its_length(void **state)
{
    static const struct {
        tcpwhy_ns ns;
        const char *text;
    } cases[] = {
        { TCPWHY_US(3297), "took 3.3 ms to" },      { TCPWHY_MS(40), "took 40 ms to" },
        { TCPWHY_MS(999), "took 999 ms to" },       { TCPWHY_US(999500), "took 1.00 s to" },
        { TCPWHY_MS(7941), "took 7.94 s to" },      { TCPWHY_MS(9995), "took 10.0 s to" },
        { TCPWHY_S(599), "took 599.0 s to" },       { TCPWHY_S(600), "took 10 min 0 s to" },
        { TCPWHY_S(65536), "took 18 h 12 min to" }, { TCPWHY_S(90000), "took 1 d 1 h to" }
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GStringChunk *texts = g_string_chunk_new(256);
        struct tcpwhy_finding f;

        thought(texts, &f, 1, 0, 0);
        f.median_ns = f.cost_ns = cases[i].ns;
        tw_advise(&f, texts);
        assert_non_null(strstr(f.summary, cases[i].text));
        g_string_chunk_free(texts);
    }
}

/* They are compared where they stand together. */
static void rates_and_sizes_have_units_that_suit_them(void **state)
{
    static const struct {
        double size, rate, path;
        const char *text;
    } cases[] = {
        { 512, 99400, 999e3,
          "A window of 512 B a round trip of 35 ms is 99 kB/s; the path "
          "carries about 999 kB/s and wants 512 B of window." },
        { 65536, 1867e3, 20e6,
          "A window of 64 KiB a round trip of 35 ms is 1.9 MB/s; the path "
          "carries about 20 MB/s and wants 64 KiB of window." },
        { 1e18, 1e18, 9.94e6,
          "A window of 953674316406 MiB a round trip of 35 ms is "
          "1000000000000 MB/s; the path carries about 9.9 MB/s" },
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GStringChunk *texts = g_string_chunk_new(256);
        const struct tcpwhy_detail details[] = { { "ceiling_bytes", NULL, cases[i].size },
                                                 { "rtt_us", NULL, 35000 },
                                                 { "rate_bytes_per_s", NULL, cases[i].rate },
                                                 { "path_bytes_per_s", NULL, cases[i].path },
                                                 { "bdp_bytes", NULL, cases[i].size },
                                                 { "window_scale", "none", 0 } };
        struct tcpwhy_finding f;

        thought(texts, &f, 1, 0, 0);
        f.cause = TCPWHY_RECEIVE_WINDOW_LIMITED;
        f.details = details;
        f.n_details = G_N_ELEMENTS(details);
        tw_advise(&f, texts);
        assert_non_null(strstr(f.summary, cases[i].text));
        g_string_chunk_free(texts);
    }
}

static void advice_names_settings_that_the_host_has(void **state)
{
    (void)state;
    static const struct tcpwhy_detail windows = { "stack", "Windows (40, 50 or 200 ms)", 0 },
                                      linux_ = { "stack", "Linux (40 to 200 ms)", 0 },
                                      other = { "stack", "a stack that is not known", 0 };
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

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
    assert_non_null(strstr(f.remedy, "TCP_QUICKACK, where its stack has it, or a shorter"));
    g_string_chunk_free(texts);
}

/* A SYN/ACK that goes again is no SYN that does. */
static void an_answer_that_nobody_acknowledged_is_no_unanswered_syn(void **state)
{
    (void)state;
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 1, 1000, 1000);
    f.cause = TCPWHY_CONNECT_RETRY;
    f.party = TCPWHY_PARTY_PATH;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, "sent the answer again, as no ACK of it came"));
    f.party = TCPWHY_PARTY_SERVER;
    tw_advise(&f, texts);
    assert_non_null(strstr(f.summary, "SYNs or first requests to 10.0.0.2:80 went unanswered"));
    g_string_chunk_free(texts);
}

static void an_uncertain_finding_advises_a_measurement(void **state)
{
    (void)state;
    GStringChunk *texts = g_string_chunk_new(256);
    struct tcpwhy_finding f;

    thought(texts, &f, 1, 40, 40);
    assert_non_null(strstr(f.remedy, "The network is not it"));
    f.confidence = TCPWHY_LIKELY;
    tw_advise(&f, texts);
    assert_null(strstr(f.remedy, "The network is not it"));
    g_string_chunk_free(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_several_times_there_is_a_median_and_a_sum),
        cmocka_unit_test(a_median_that_tells_little_is_told_with_the_longest),
        cmocka_unit_test(of_a_single_time_there_is_neither),
        cmocka_unit_test(a_short_time_is_not_nothing),
        cmocka_unit_test(rates_and_sizes_have_units_that_suit_them),
        cmocka_unit_test(many_times_are_grouped_as_elsewhere),
        cmocka_unit_test(a_time_has_the_unit_that_suits_its_length),
        cmocka_unit_test(advice_names_settings_that_the_host_has),
        cmocka_unit_test(an_answer_that_nobody_acknowledged_is_no_unanswered_syn),
        cmocka_unit_test(an_uncertain_finding_advises_a_measurement),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
