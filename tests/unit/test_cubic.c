/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "explain/model/cubic.h"

#define CUBIC_TEST(name) TEST_WITH(name, struct tw_cubic, c, tw_cubic_reset(c), (void)c)

CUBIC_TEST(loss_leaves_seven_tenths)
{
    assert_int_equal(tw_cubic_reduce(c, 100), 70);
    assert_int_equal((int)c->last_max, 100);
    assert_int_equal(tw_cubic_reduce(c, 2), 2);
}

/* RFC 9438, 4.7. */
CUBIC_TEST(smaller_maximum_than_the_last_gives_room_to_others)
{
    tw_cubic_reduce(c, 100);
    tw_cubic_reduce(c, 80);
    assert_int_equal((int)c->last_max, 68);
}

/* RFC 9438, 4.2: K = cbrt((100 - 70) / 0.4) = 4.2 s until the old maximum; a second later the curve
 * is back at a fast climb. */
CUBIC_TEST(curve_is_flat_near_the_old_maximum)
{
    int64_t early, flat;

    tw_cubic_reduce(c, 1000);
    tw_cubic_acks_per_segment(c, 700, 1, 0, TCPWHY_MS(100));
    assert_true(c->k_s > 9 && c->k_s < 9.2);
    early = tw_cubic_acks_per_segment(c, 701, 1, TCPWHY_S(1), TCPWHY_MS(100));
    flat = tw_cubic_acks_per_segment(c, 999, 1, TCPWHY_S(9), TCPWHY_MS(100));
    assert_true(early < 20);
    assert_true(flat > 400);
}

CUBIC_TEST(without_a_loss_growth_is_five_percent_a_round_trip_at_least)
{
    assert_int_equal(tw_cubic_acks_per_segment(c, 400, 1, TCPWHY_S(1), TCPWHY_MS(50)), 20);
}

/* RFC 9438, 4.3: with a short round trip Reno would be faster. */
CUBIC_TEST(growth_is_no_slower_than_renos)
{
    int64_t n = 0;

    tw_cubic_reduce(c, 20);
    for (int ms = 0; ms < 400; ms++)
        n = tw_cubic_acks_per_segment(c, 14, 2, TCPWHY_MS(ms), TCPWHY_MS(1));
    assert_true(n <= 2);
}

static struct tw_hystart_ack ack(int64_t at_ms, int64_t rtt_ms)
{
    return (struct tw_hystart_ack) { .at_ns = TCPWHY_MS(at_ms),
                                     .rtt_ns = TCPWHY_MS(rtt_ms),
                                     .una = 1,
                                     .next = 1000,
                                     .cwnd = 40,
                                     .slow_start = true };
}

/* HYSTART_DELAY_THRESH: an eighth of 80 ms more. */
static bool ends_with_rtt(int64_t rtt_ms, enum tw_readiness readiness)
{
    struct tw_hystart h = { .delay_min_ns = TCPWHY_MS(80) };
    bool ended = false;

    tw_hystart_begin_round(&h, 0, 100000);
    for (int i = 0; i < 12; i++) {
        struct tw_hystart_ack a = ack(5 * (i + 1), rtt_ms);

        ended = tw_hystart_hear(&h, &a, readiness) || ended;
    }
    return ended;
}

TEST(rising_delay_ends_slow_start)
{
    assert_true(ends_with_rtt(92, TW_READILY));
    assert_true(ends_with_rtt(92, TW_RELUCTANTLY));
    assert_false(ends_with_rtt(88, TW_READILY));
    assert_false(ends_with_rtt(88, TW_RELUCTANTLY));
    assert_true(ends_with_rtt(90, TW_READILY));
    assert_false(ends_with_rtt(90, TW_RELUCTANTLY));
}

static bool ends_with_train(int64_t step_ms, enum tw_readiness readiness)
{
    struct tw_hystart h = { .delay_min_ns = TCPWHY_MS(40) };
    bool ended = false;

    tw_hystart_begin_round(&h, 0, 100000);
    for (int64_t at_ms = step_ms; at_ms < 30; at_ms += step_ms) {
        struct tw_hystart_ack a = ack(at_ms, 40);

        ended = tw_hystart_hear(&h, &a, readiness) || ended;
    }
    return ended;
}

/* Whether half a round trip of ACKs is enough depends on who paces (hystart_update()). */
TEST(train_of_acks_ends_slow_start_for_the_lower_bound)
{
    assert_true(ends_with_train(1, TW_READILY));
    assert_false(ends_with_train(1, TW_RELUCTANTLY));
    assert_false(ends_with_train(3, TW_READILY));
}

TEST(small_windows_never_leave_slow_start_early)
{
    struct tw_hystart h = { .delay_min_ns = TCPWHY_MS(40) };
    struct tw_hystart_ack a = ack(1, 400);

    a.cwnd = 15;
    tw_hystart_begin_round(&h, 0, 100000);
    for (int i = 0; i < 20; i++)
        assert_false(tw_hystart_hear(&h, &a, TW_READILY));
}
