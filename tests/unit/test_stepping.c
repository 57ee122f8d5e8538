/* SPDX-License-Identifier: MIT */
/*
 * A flight that doubles each round trip until it fills the path.
 */
#include "tests/unit.h"

#include "explain/model/stepping.h"

#define MS 1e6

/* Ten segments of 1,000 bytes, on a path of 20 ms. */
static struct tw_stepping begin(double bytes_per_s)
{
    return (
        struct tw_stepping) { .rtt_ns = 20 * MS, .bytes_per_s = bytes_per_s, .cwnd_bytes = 10000 };
}

TEST(an_initial_window_leaves_at_once)
{
    struct tw_stepping s = begin(0);

    assert_true(tw_stepping_send(&s, 10000) == 0);
    s = begin(0);
    assert_true(tw_stepping_send(&s, 10001) == 20 * MS);
}

TEST(a_flight_doubles_each_round_trip)
{
    struct tw_stepping s = begin(0);

    assert_true(tw_stepping_send(&s, 70000) == 40 * MS);
    s = begin(0);
    assert_true(tw_stepping_send(&s, 70001) == 60 * MS);
}

TEST(what_is_in_flight_takes_its_part_of_the_window)
{
    struct tw_stepping s = begin(0);

    s.in_flight_bytes = 9000;
    assert_true(tw_stepping_send(&s, 1000) == 0);
    s = begin(0);
    s.in_flight_bytes = 9000;
    assert_true(tw_stepping_send(&s, 1001) == 20 * MS);
}

TEST(a_window_stays_grown)
{
    struct tw_stepping s = begin(0);

    tw_stepping_send(&s, 30000);
    s.in_flight_bytes = 0;
    assert_true(tw_stepping_send(&s, 20000) == 0);
}

TEST(a_full_path_takes_its_own_time)
{
    struct tw_stepping s = begin(1e6);

    assert_true(tw_stepping_send(&s, 110000) == 120 * MS);
    assert_true(s.cwnd_bytes == 20000);
}

/* 65 segments at once are the receiver's first window; the one that its ACKs offer is no larger, as
 * nothing had been read. */
TEST(a_large_first_flight_is_followed_by_no_larger_one)
{
    struct tw_stepping s = begin(0);

    s.cwnd_bytes = s.window_bytes = 65000;
    assert_true(tw_stepping_send(&s, 130000) == 20 * MS);
    s = begin(0);
    s.cwnd_bytes = s.window_bytes = 65000;
    assert_true(tw_stepping_send(&s, 130001) == 40 * MS);
}

TEST(what_is_read_makes_the_window_larger)
{
    struct tw_stepping s = begin(0);

    s.cwnd_bytes = s.window_bytes = 65000;
    assert_true(tw_stepping_send(&s, 325000) == 40 * MS);
    assert_true(s.window_bytes == 260000);
}

TEST(slow_start_outruns_no_window_that_grows)
{
    struct tw_stepping s = begin(0), free = begin(0);

    s.window_bytes = 40000;
    assert_true(tw_stepping_send(&s, 1e6) == tw_stepping_send(&free, 1e6));
}
