/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "base/ranges.h"

static void touching_ranges_join(void **state)
{
    (void)state;
    struct tw_ranges set = { 0 };

    tw_ranges_add(&set, 10, 20);
    tw_ranges_add(&set, 30, 40);
    tw_ranges_add(&set, 20, 30);
    assert_int_equal(set.n, 1);
    assert_int_equal(set.range[0].from, 10);
    assert_int_equal(set.range[0].to, 40);
    tw_ranges_clear(&set);
}

static void removing_the_middle_leaves_both_ends(void **state)
{
    (void)state;
    struct tw_ranges set = { 0 };

    tw_ranges_add(&set, 0, 100);
    assert_int_equal(tw_ranges_remove(&set, 40, 60), 20);
    assert_int_equal(set.n, 2);
    assert_int_equal(tw_ranges_overlap(&set, 0, 100), 80);
    assert_int_equal(tw_ranges_remove(&set, 40, 60), 0);
    tw_ranges_clear(&set);
}

static void the_bound_drops_the_oldest_range_and_says_so(void **state)
{
    (void)state;
    struct tw_ranges set = { 0 };

    for (int64_t i = 0; i < TW_RANGES_MAX; i++)
        assert_true(tw_ranges_add(&set, i * 10, i * 10 + 5));
    assert_false(tw_ranges_add(&set, (int64_t)TW_RANGES_MAX * 10, TW_RANGES_MAX * 10 + 5));
    assert_int_equal(set.n, TW_RANGES_MAX);
    assert_int_equal(set.range[0].from, 10);
    tw_ranges_clear(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_ranges_join),
        cmocka_unit_test(removing_the_middle_leaves_both_ends),
        cmocka_unit_test(the_bound_drops_the_oldest_range_and_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
