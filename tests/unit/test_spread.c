/* SPDX-License-Identifier: MIT */
/*
 * Downloads seen at the client, whose server sends no timestamps: nothing but the arrivals tell
 * whether the link is full.
 */
#include "tests/unit.h"

#include "explain/attribute/details.h"
#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define SEGMENTS   400u

/* Arrivals, each so long after the one before; every second one is acknowledged. */
static void arrive(struct talk *t, int64_t *at_us, unsigned n, int64_t every_us, uint32_t len)
{
    for (unsigned i = 0; i < n; i++) {
        *at_us += every_us;
        talk_data(t, *at_us, S, len);
        if (i % 2)
            talk_ack(t, *at_us + 20, C);
    }
}

static int64_t begin(struct talk *t)
{
    talk_open_wide(t, C, ROUND_TRIP);
    talk_data(t, 2 * ROUND_TRIP, C, 100);
    return 3 * ROUND_TRIP;
}

static void segments_without_a_silence_fill_a_link_or_are_paced(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = begin(&t);

    arrive(&t, &at_us, SEGMENTS, 1000, TALK_MSS);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_APP_LIMITED);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > (SEGMENTS - 3) * 1000);
    assert_string_equal(kind_of(&t, TCPWHY_BANDWIDTH_LIMITED), tw_kind_spread);
    talk_close(&t);
}

static void bursts_at_the_same_rate_before_show_that_it_is_the_link(void **state)
{
    (void)state;
    struct talk t;
    int64_t begin_us = begin(&t), at_us;

    for (unsigned flight = 10; flight < 80; flight *= 2, begin_us += ROUND_TRIP) {
        at_us = begin_us;
        arrive(&t, &at_us, flight, 200, TALK_MSS);
    }
    at_us = begin_us;
    arrive(&t, &at_us, 5 * SEGMENTS, 200, TALK_MSS);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_BANDWIDTH_LIMITED);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > 5 * SEGMENTS * 200 - 2 * ROUND_TRIP);
    talk_close(&t);
}

static void a_link_that_is_idle_in_each_round_trip_is_not_full(void **state)
{
    (void)state;
    struct talk t;
    int64_t begin_us = begin(&t), at_us;

    for (unsigned flight = 0; flight < 20; flight++, begin_us += ROUND_TRIP) {
        at_us = begin_us;
        arrive(&t, &at_us, 50, 200, TALK_MSS);
    }
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

static void a_segment_for_each_ack_fills_no_link(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = begin(&t);

    for (unsigned i = 0; i < 60; i++, at_us += ROUND_TRIP) {
        talk_data(&t, at_us, S, TALK_MSS);
        talk_ack(&t, at_us + 20, C);
    }
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

static void small_messages_at_a_rate_fill_no_link(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = begin(&t);

    arrive(&t, &at_us, SEGMENTS, 2000, 300);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

/* Writes of two segments and a half. */
static void writes_at_a_rate_fill_no_link(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = begin(&t);

    for (unsigned i = 0; i < SEGMENTS / 3; i++) {
        arrive(&t, &at_us, 2, 1000, TALK_MSS);
        arrive(&t, &at_us, 1, 1000, TALK_MSS / 2);
    }
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

static void behind_a_full_link_a_pause_may_be_the_queue_of_others(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = begin(&t);

    for (unsigned burst = 0; burst < 6; burst++, at_us += 3 * ROUND_TRIP)
        arrive(&t, &at_us, SEGMENTS, 200, TALK_MSS);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_BANDWIDTH_LIMITED);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_without_a_silence_fill_a_link_or_are_paced),
        cmocka_unit_test(bursts_at_the_same_rate_before_show_that_it_is_the_link),
        cmocka_unit_test(a_link_that_is_idle_in_each_round_trip_is_not_full),
        cmocka_unit_test(a_segment_for_each_ack_fills_no_link),
        cmocka_unit_test(small_messages_at_a_rate_fill_no_link),
        cmocka_unit_test(writes_at_a_rate_fill_no_link),
        cmocka_unit_test(behind_a_full_link_a_pause_may_be_the_queue_of_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
