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
TEST(first_sample_is_srtt_and_twice_it_is_the_deviation)
{
    struct tw_rtt rtt;

    tw_rtt_begin(&rtt, TCPWHY_MS(1), true);
    take(&rtt, 100, 1, 1001);
    assert_int_equal(tw_rtt_srtt(&rtt).lo, TCPWHY_MS(100));
    assert_int_equal(tw_rtt_srtt(&rtt).hi, TCPWHY_MS(100));
    assert_int_equal(tw_rtt_rttvar(&rtt).lo, TCPWHY_MS(200));
}

/* RFC 6298, 2.3: SRTT = 7/8 * 100 + 1/8 * 180. */
TEST(later_samples_weigh_an_eighth)
{
    struct tw_rtt rtt;

    tw_rtt_begin(&rtt, TCPWHY_MS(1), true);
    take(&rtt, 100, 1, 1001);
    take(&rtt, 180, 501, 1001);
    assert_int_equal(tw_rtt_srtt(&rtt).lo, TCPWHY_MS(110));
}

#define RTT_TEST(name, make) TEST_WITH(name, struct tw_rtt, rtt, make, (void)rtt)

/* tcp_rtt_estimator(): steady round trips bring RTTVAR down to the floor, and no further. */
RTT_TEST(rttvar_falls_to_the_floor_once_a_round_trip, tw_rtt_begin(rtt, FLOOR, true))
{
    take(rtt, 400, 1, 1001);
    assert_int_equal(rtt->rttvar_ns, TCPWHY_MS(800));
    take(rtt, 400, 501, 1001);
    assert_int_equal(rtt->rttvar_ns, TCPWHY_MS(800));
    for (int i = 0; i < 40; i++)
        take(rtt, 400, 1002 + 1000 * i, 2001 + 1000 * i);
    assert_int_equal(rtt->rttvar_ns / TCPWHY_MS(1), 200);
}

TEST(shorter_round_trips_widen_the_deviation_by_an_eighth)
{
    struct tw_rtt longer, shorter;

    tw_rtt_begin(&longer, TCPWHY_MS(1), true);
    take(&longer, 100, 1, 1001);
    longer.mdev_ns4 = 0;
    shorter = longer;
    take(&longer, 180, 2, 1001);
    take(&shorter, 20, 2, 1001);
    assert_int_equal(longer.mdev_ns4, TCPWHY_MS(80));
    assert_int_equal(shorter.mdev_ns4, TCPWHY_MS(10));
}

RTT_TEST(error_of_samples_is_that_of_srtt, tw_rtt_begin(rtt, FLOOR, true))
{
    struct tw_rtt_sample s = { .ns = { TCPWHY_MS(90), TCPWHY_MS(110) }, .acked = 1, .next = 2 };

    tw_rtt_take(rtt, &s);
    assert_int_equal(tw_rtt_srtt(rtt).lo, TCPWHY_MS(90));
    assert_int_equal(tw_rtt_srtt(rtt).hi, TCPWHY_MS(110));
    assert_int_equal(rtt->min_ns.lo, TCPWHY_MS(90));
}

RTT_TEST(srtt_is_unknown_until_what_was_before_the_capture_is_forgotten,
         tw_rtt_begin(rtt, FLOOR, false))
{
    for (int i = 0; i < 31; i++)
        take(rtt, 50, i, i + 1);
    assert_int_equal(tw_rtt_srtt(rtt).hi, TW_UNBOUNDED);
    take(rtt, 50, 40, 41);
    assert_int_equal(tw_rtt_srtt(rtt).hi, TCPWHY_MS(50));
}
