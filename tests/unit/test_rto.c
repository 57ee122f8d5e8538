/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "explain/model/rto.h"

/* A sender with steady round trips of 50 ms: SRTT + 200 ms, by Linux' floor. */
static void begin(struct tw_rto *rto, struct tw_rtt *rtt)
{
    struct tw_rtt_sample s = { .ns = { TCPWHY_MS(50), TCPWHY_MS(50) } };

    tw_rto_begin(rto, tw_rto_any_floor());
    tw_rtt_begin(rtt, tw_rto_floor(rto), true);
    for (int i = 0; i < 60; i++) {
        s.acked = 1 + i;
        s.next = 1 + i;
        tw_rtt_take(rtt, &s);
    }
}

TEST(rto_is_srtt_and_the_floor_in_whole_ticks)
{
    struct tw_rto rto;
    struct tw_rtt rtt;

    begin(&rto, &rtt);
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_MS(252));
    assert_true(tw_rto_bounds(&rto, &rtt).lo <= TCPWHY_MS(60));
    assert_true(tw_rto_bounds(&rto, &rtt).hi >= TCPWHY_MS(1050));
}

TEST(rto_is_a_second_before_the_first_sample)
{
    struct tw_rto rto;
    struct tw_rtt rtt;

    tw_rto_begin(&rto, tw_rto_any_floor());
    tw_rtt_begin(&rtt, tw_rto_floor(&rto), true);
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_S(1));
    assert_int_equal(tw_rto_bounds(&rto, &rtt).hi, TW_UNBOUNDED);
}

TEST(each_timeout_doubles_it_up_to_two_minutes)
{
    struct tw_rto rto;
    struct tw_rtt rtt;

    begin(&rto, &rtt);
    tw_rto_fire(&rto, &rtt, TCPWHY_MS(252));
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_MS(504));
    tw_rto_fire(&rto, &rtt, TCPWHY_MS(504));
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_MS(1008));
    for (int i = 0; i < 100; i++)
        tw_rto_fire(&rto, &rtt, TCPWHY_S(1));
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_S(120));
    tw_rto_reset(&rto);
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_MS(252));
}

TEST(timeout_after_70_ms_shows_a_floor_of_20)
{
    struct tw_rto rto;
    struct tw_rtt rtt;

    begin(&rto, &rtt);
    tw_rto_fire(&rto, &rtt, TCPWHY_MS(70));
    tw_rto_reset(&rto);
    assert_int_equal(rto.floor_ns.hi, TCPWHY_MS(20));
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_MS(72));
}

TEST(silence_of_600_ms_without_a_timeout_shows_a_longer_floor)
{
    struct tw_rto rto;
    struct tw_rtt rtt;

    begin(&rto, &rtt);
    tw_rto_keep(&rto, &rtt, TCPWHY_MS(240));
    assert_int_equal(tw_rto_likely(&rto, &rtt), TCPWHY_MS(252));
    tw_rto_keep(&rto, &rtt, TCPWHY_MS(600));
    assert_true(tw_rto_bounds(&rto, &rtt).lo >= TCPWHY_MS(560));
}
