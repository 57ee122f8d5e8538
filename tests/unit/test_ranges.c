/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "base/ranges.h"

#define RANGES_TEST(name)                                                                          \
    TEST_WITH(name, struct tw_ranges, set, *set = (struct tw_ranges) { 0 }, tw_ranges_clear(set))

RANGES_TEST(touching_ranges_join)
{
    tw_ranges_add(set, 10, 20);
    tw_ranges_add(set, 30, 40);
    tw_ranges_add(set, 20, 30);
    assert_int_equal(set->n, 1);
    assert_int_equal(set->range[0].from, 10);
    assert_int_equal(set->range[0].to, 40);
}

RANGES_TEST(removing_the_middle_leaves_both_ends)
{
    tw_ranges_add(set, 0, 100);
    assert_int_equal(tw_ranges_remove(set, 40, 60), 20);
    assert_int_equal(set->n, 2);
    assert_int_equal(tw_ranges_overlap(set, 0, 100), 80);
    assert_int_equal(tw_ranges_remove(set, 40, 60), 0);
}

RANGES_TEST(the_bound_drops_the_oldest_range_and_says_so)
{
    for (int64_t i = 0; i < TW_RANGES_MAX; i++)
        assert_true(tw_ranges_add(set, i * 10, i * 10 + 5));
    assert_false(tw_ranges_add(set, (int64_t)TW_RANGES_MAX * 10, TW_RANGES_MAX * 10 + 5));
    assert_int_equal(set->n, TW_RANGES_MAX);
    assert_int_equal(set->range[0].from, 10);
}

RANGES_TEST(the_bound_holds_where_ranges_are_cut_too)
{
    tw_ranges_add(set, 0, 1000000);
    for (int64_t i = 0; i < 3 * TW_RANGES_MAX; i++)
        assert_int_equal(tw_ranges_remove(set, i * 10 + 3, i * 10 + 4), 1);
    assert_int_equal(set->n, TW_RANGES_MAX);
}

#define SPACE 300

/* Half of the time near the front, so that ranges come and go there. */
static int64_t somewhere(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return (*random >> 16) % ((*random >> 12 & 1) ? SPACE : 40);
}

RANGES_TEST(any_order_of_adding_and_removing_gives_the_set)
{
    bool in[SPACE] = { false };
    uint32_t random = 1;

    for (int round = 0; round < 20000; round++) {
        int64_t a = somewhere(&random), b = somewhere(&random), were_in = 0;
        bool add = somewhere(&random) % 2;

        for (int64_t i = a; i < b; i++) {
            were_in += in[i];
            in[i] = add;
        }
        assert_int_equal(tw_ranges_overlap(set, a, b), were_in);
        if (add)
            assert_true(tw_ranges_add(set, a, b));
        else
            assert_int_equal(tw_ranges_remove(set, a, b), were_in);
        for (uint32_t i = 0; i < set->n; i++) {
            assert_true(set->range[i].from < set->range[i].to);
            assert_true(i == 0 || set->range[i - 1].to < set->range[i].from);
        }
        for (int64_t i = 0; i < SPACE; i++)
            assert_int_equal(tw_ranges_overlap(set, i, i + 1), in[i]);
    }
}
