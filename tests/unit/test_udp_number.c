/* SPDX-License-Identifier: MIT */
/* Numbers that count datagrams: holes, late ones, copies, and numbers that count nothing. */
#include "tests/unit.h"

#include "report/facts/udp_number.h"

static struct tw_udp_track taken(const uint32_t *numbers, unsigned n, unsigned bits)
{
    struct tw_udp_track t = { 0 };

    for (unsigned i = 0; i < n; i++)
        tw_udp_track_take(&t, numbers[i], bits);
    return t;
}

#define TAKEN(bits, ...)                                                                           \
    taken((const uint32_t[]) { __VA_ARGS__ },                                                      \
          (unsigned)(sizeof((const uint32_t[]) { __VA_ARGS__ }) / sizeof(uint32_t)), bits)

TEST(what_is_skipped_is_missing)
{
    struct tw_udp_track t = TAKEN(32, 1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 14);

    assert_true(tw_udp_track_counts(&t));
    assert_int_equal(t.missing, 3);
    assert_int_equal(t.late, 0);
}

TEST(what_comes_late_is_not_missing)
{
    struct tw_udp_track t = TAKEN(32, 1, 2, 3, 5, 6, 4, 7, 8, 9, 10);

    assert_int_equal(t.missing, 0);
    assert_int_equal(t.late, 1);
    assert_int_equal(t.duplicates, 0);
}

TEST(a_copy_is_neither)
{
    struct tw_udp_track t = TAKEN(32, 1, 2, 3, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                  17, 18, 19, 20, 21, 22);

    assert_true(tw_udp_track_counts(&t));
    assert_int_equal(t.duplicates, 2);
    assert_int_equal(t.missing + t.late, 0);
}

TEST(sixteen_bits_wrap_around)
{
    struct tw_udp_track t = TAKEN(16, 65532, 65533, 65534, 65535, 0, 1, 3, 4, 5, 6);

    assert_int_equal(t.missing, 1);
    assert_int_equal(t.wild, 0);
}

TEST(numbers_that_leap_count_nothing)
{
    struct tw_udp_track t =
        TAKEN(16, 7, 7926, 15845, 23764, 31683, 39602, 47521, 55440, 63359, 5742);
    struct tw_udp_track same = TAKEN(16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    assert_false(tw_udp_track_counts(&t));
    assert_false(tw_udp_track_counts(&same));
}

TEST(a_number_shared_with_other_flows_is_not_its_own)
{
    struct tw_udp_track t = TAKEN(16, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17);
    struct tw_udp_track own = TAKEN(16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14);

    assert_true(tw_udp_track_counts(&t));
    assert_false(tw_udp_track_is_own(&t));
    assert_true(tw_udp_track_is_own(&own));
}

TEST(a_few_datagrams_tell_nothing)
{
    struct tw_udp_track t = TAKEN(32, 1, 2, 3, 4, 5);

    assert_false(tw_udp_track_counts(&t));
}
