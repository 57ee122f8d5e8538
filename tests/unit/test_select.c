/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/select.h"

#define MOST 3000

static int by_value(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* Compare every step-th rank of these values with the sorted ones. */
static void check(const tcpwhy_ns *values, size_t n, size_t step)
{
    tcpwhy_ns sorted[MOST], moved[MOST];

    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t rank = 0; rank < n; rank += step) {
        memcpy(moved, values, n * sizeof *values);
        assert_int_equal(tw_select_ns(moved, n, rank), sorted[rank]);
        assert_int_equal(moved[rank], sorted[rank]);
        for (size_t i = 0; i < n; i++)
            assert_true(i < rank ? moved[i] <= moved[rank] : moved[i] >= moved[rank]);
        qsort(moved, n, sizeof *moved, by_value);
        assert_memory_equal(moved, sorted, n * sizeof *moved);
    }
}

TEST(every_rank_of_values_in_any_order)
{
    tcpwhy_ns values[200];
    uint32_t chance = 1;

    for (size_t n = 1; n <= 200; n += n < 40 ? 1 : 23) {
        for (size_t i = 0; i < n; i++) {
            chance = chance * 1664525 + 1013904223;
            values[i] = (tcpwhy_ns)(chance >> 16) - 30000;
        }
        check(values, n, 1);
    }
}

TEST(sorted_turned_and_equal_values)
{
    tcpwhy_ns up[100], down[100], equal[100], two[100];

    for (int i = 0; i < 100; i++) {
        up[i] = i;
        down[i] = -i;
        equal[i] = 7;
        two[i] = i % 2;
    }
    check(up, 100, 1);
    check(down, 100, 1);
    check(equal, 100, 1);
    check(two, 100, 1);
}

TEST(a_partition_that_never_halves_is_sorted)
{
    tcpwhy_ns values[200], moved[200];

    for (int i = 0; i < 200; i++)
        values[i] = i * 77 % 200;
    for (int rounds = 0; rounds < 4; rounds++)
        for (size_t rank = 0; rank < 200; rank++) {
            memcpy(moved, values, sizeof values);
            assert_int_equal(tw_select_ns_within(moved, 200, rank, rounds), rank);
            assert_int_equal(moved[rank], rank);
        }
}

/* The largest that there is, and rates by their bits. */
TEST(values_at_their_limit_and_rates)
{
    tcpwhy_ns values[300];
    double rates[300];

    for (unsigned i = 0; i < 300; i++)
        values[i] = i % 3 == 0 ? INT64_MIN : i % 3 == 1 ? INT64_MAX : (tcpwhy_ns)i;
    check(values, 300, 1);
    for (unsigned i = 0; i < 300; i++)
        values[i] = INT64_MAX;
    check(values, 300, 7);
    for (unsigned i = 0; i < 300; i++)
        rates[i] = (double)(i * 7919 % 300) / 1000;
    for (unsigned rank = 0; rank < 300; rank += 13) {
        for (unsigned i = 0; i < 300; i++)
            values[i] = tw_rate_bits(rates[i]);
        assert_true(tw_select_rate(values, 300, rank) == (double)rank / 1000);
    }
}
