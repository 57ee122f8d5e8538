/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "explain/model/rtt.h"

#define FLOOR TCPWHY_MS(200)

static void take(struct tw_rtt *rtt, int64_t ms, int64_t acked, int64_t next)
{
    struct tw_rtt_sample s = { .ns = { TCPWHY_MS(ms), TCPWHY_MS(ms) },
                               .acked = acked,
                               .next = next };

    tw_rtt_take(rtt, &s);
}

/* RFC 6298, 2.2: SRTT is the sample, RTTVAR half of it, and RTO adds 4 times that. */
static void first_sample_is_srtt_and_twice_it_is_the_deviation(void **state)
{
    struct tw_rtt rtt;

    (void)state;
    tw_rtt_begin(&rtt, TCPWHY_MS(1), true);
    take(&rtt, 100, 1, 1001);
    assert_int_equal(tw_rtt_srtt(&rtt).lo, TCPWHY_MS(100));
    assert_int_equal(tw_rtt_srtt(&rtt).hi, TCPWHY_MS(100));
    assert_int_equal(tw_rtt_rttvar(&rtt).lo, TCPWHY_MS(200));
}

/* RFC 6298, 2.3: SRTT = 7/8 * 100 + 1/8 * 180. */
static void later_samples_weigh_an_eighth(void **state)
{
    struct tw_rtt rtt;

    (void)state;
    tw_rtt_begin(&rtt, TCPWHY_MS(1), true);
    take(&rtt, 100, 1, 1001);
    take(&rtt, 180, 501, 1001);
    assert_int_equal(tw_rtt_srtt(&rtt).lo, TCPWHY_MS(110));
}

/* tcp_rtt_estimator(): steady round trips bring RTTVAR down to the floor, and no further. */
static void rttvar_falls_to_the_floor_once_a_round_trip(void **state)
{
    struct tw_rtt rtt;

    (void)state;
    tw_rtt_begin(&rtt, FLOOR, true);
    take(&rtt, 400, 1, 1001);
    assert_int_equal(rtt.rttvar_ns, TCPWHY_MS(800));
    take(&rtt, 400, 501, 1001);
    assert_int_equal(rtt.rttvar_ns, TCPWHY_MS(800));
    for (int i = 0; i < 40; i++)
        take(&rtt, 400, 1002 + 1000 * i, 2001 + 1000 * i);
    assert_int_equal(rtt.rttvar_ns / TCPWHY_MS(1), 200);
}

static void shorter_round_trips_widen_the_deviation_by_an_eighth(void **state)
{
    struct tw_rtt longer, shorter;

    (void)state;
    tw_rtt_begin(&longer, TCPWHY_MS(1), true);
    take(&longer, 100, 1, 1001);
    longer.mdev_ns4 = 0;
    shorter = longer;
    take(&longer, 180, 2, 1001);
    take(&shorter, 20, 2, 1001);
    assert_int_equal(longer.mdev_ns4, TCPWHY_MS(80));
    assert_int_equal(shorter.mdev_ns4, TCPWHY_MS(10));
}

static void error_of_samples_is_that_of_srtt(void **state)
{
    struct tw_rtt rtt;
    struct tw_rtt_sample s = { .ns = { TCPWHY_MS(90), TCPWHY_MS(110) }, .acked = 1, .next = 2 };

    (void)state;
    tw_rtt_begin(&rtt, FLOOR, true);
    tw_rtt_take(&rtt, &s);
    assert_int_equal(tw_rtt_srtt(&rtt).lo, TCPWHY_MS(90));
    assert_int_equal(tw_rtt_srtt(&rtt).hi, TCPWHY_MS(110));
    assert_int_equal(rtt.min_ns.lo, TCPWHY_MS(90));
}

static void srtt_is_unknown_until_what_was_before_the_capture_is_forgotten(void **state)
{
    struct tw_rtt rtt;

    (void)state;
    tw_rtt_begin(&rtt, FLOOR, false);
    for (int i = 0; i < 31; i++)
        take(&rtt, 50, i, i + 1);
    assert_int_equal(tw_rtt_srtt(&rtt).hi, TW_UNBOUNDED);
    take(&rtt, 50, 40, 41);
    assert_int_equal(tw_rtt_srtt(&rtt).hi, TCPWHY_MS(50));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_sample_is_srtt_and_twice_it_is_the_deviation),
        cmocka_unit_test(later_samples_weigh_an_eighth),
        cmocka_unit_test(rttvar_falls_to_the_floor_once_a_round_trip),
        cmocka_unit_test(shorter_round_trips_widen_the_deviation_by_an_eighth),
        cmocka_unit_test(error_of_samples_is_that_of_srtt),
        cmocka_unit_test(srtt_is_unknown_until_what_was_before_the_capture_is_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
