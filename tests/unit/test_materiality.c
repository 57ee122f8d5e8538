/* SPDX-License-Identifier: MIT */
/* The waits that count towards a finding, and the sums of them that make one. */
#include "tests/unit.h"

#include "base/memory.h"
#include "report/findings/materiality.h"

#define WAITS 300

/* WAITS gaps of one cause in a row, each of this length. @return the number of material ones. */
static uint32_t count(enum tcpwhy_cause cause, tcpwhy_ns each_ns, tcpwhy_ns clock_step_ns)
{
    struct tw_span span[WAITS];
    struct tcpwhy_ledger_entry ledger = { .cause = cause, .ns = WAITS * each_ns };
    struct tw_stream_row stream = { .ledger = &ledger, .n_ledger = 1 };
    struct tw_explanation x = { .span = span, .n_spans = WAITS };
    struct tw_weight weight;
    uint32_t n;

    for (int i = 0; i < WAITS; i++)
        span[i] =
            (struct tw_span) { .cause = cause, .from_ns = i * each_ns, .to_ns = (i + 1) * each_ns };
    tw_weigh(&x, &stream, clock_step_ns, &weight);
    assert_int_equal(weight.waited_ns, WAITS * each_ns);
    n = weight.n_material;
    tw_weight_clear(&weight);
    return n;
}

TEST(normal_host_delays_count_from_five_milliseconds)
{
    assert_int_equal(count(TCPWHY_SERVER_THINK, TCPWHY_MS(5), 0), WAITS);
    assert_int_equal(count(TCPWHY_SERVER_THINK, TCPWHY_MS(5) - 1, 0), 0);
    assert_int_equal(count(TCPWHY_DELAYED_ACK, TCPWHY_MS(5), 0), WAITS);
    assert_int_equal(count(TCPWHY_DELAYED_ACK, TCPWHY_MS(5) - 1, 0), 0);
}

TEST(repairs_add_up_however_short_each_is)
{
    assert_int_equal(count(TCPWHY_LOSS_RECOVERY, TCPWHY_US(300), 0), WAITS);
    assert_int_equal(count(TCPWHY_MTU_BLACK_HOLE, TCPWHY_US(300), 0), WAITS);
}

TEST(a_repair_below_the_clock_step_does_not_count)
{
    assert_int_equal(count(TCPWHY_LOSS_RECOVERY, TCPWHY_MS(1), TCPWHY_MS(1)), 0);
    assert_int_equal(count(TCPWHY_LOSS_RECOVERY, TCPWHY_MS(4), TCPWHY_MS(1)), WAITS);
}

TEST(a_finding_costs_enough_and_its_share)
{
    assert_true(tw_is_material(TCPWHY_LOSS_RECOVERY, TCPWHY_MS(20), TCPWHY_MS(400)));
    assert_false(tw_is_material(TCPWHY_LOSS_RECOVERY, TCPWHY_MS(20) - 1, TCPWHY_MS(20)));
    assert_false(tw_is_material(TCPWHY_LOSS_RECOVERY, TCPWHY_MS(20), TCPWHY_MS(401)));
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The number of times that a repeated request is reported, if 'same' of 20 requests are the
 * same. */
static uint32_t repeated(enum tcpwhy_cause cause, uint32_t same)
{
    static const char *const others[20] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                            "k", "l", "m", "n", "o", "p", "q", "r", "s", "t" };
    struct tw_exchange exchange[20];
    struct tw_exchanges all = { .exchange = exchange, .n = 20 };
    struct tw_material material = { .span.cause = cause };
    struct tw_weight weight = { .material = tw_memdup2(&material, sizeof material),
                                .n_material = 1 };
    uint32_t times;

    for (uint32_t i = 0; i < 20; i++)
        exchange[i] = (struct tw_exchange) { .request = i < same ? "select ?" : others[i] };
    tw_weight_take_requests(&weight, &all);
    times = weight.repeated.times;
    if (times > 0)
        assert_string_equal(weight.repeated.name, "select ?");
    tw_weight_clear(&weight);
    return times;
}

TEST(most_requests_of_many_round_trips_may_be_one)
{
    assert_int_equal(repeated(TCPWHY_ROUND_TRIPS, 20), 20);
    assert_int_equal(repeated(TCPWHY_ROUND_TRIPS, 11), 11);
    assert_int_equal(repeated(TCPWHY_ROUND_TRIPS, 10), 0);
    assert_int_equal(repeated(TCPWHY_SERVER_THINK, 20), 0);
}
