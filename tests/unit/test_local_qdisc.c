/* SPDX-License-Identifier: MIT */
/*
 * Senders whose own host shapes what they send: a capture there sees segments when they leave that
 * queue, and their timestamps say when TCP made them.
 */
#include "tests/unit.h"

#include "explain/attribute/details.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 5000
#define STEP       10000 /* a segment takes on the link */
#define BEGINS     40000
#define SEGMENTS   60

static int64_t passes(int i)
{
    return BEGINS + (int64_t)i * STEP;
}

static uint32_t client_clock(int64_t at_us)
{
    return (uint32_t)(at_us / 1000) + 500;
}

/* The newest that the server had heard at a time. */
static uint32_t heard_by(int64_t at_us)
{
    int64_t acks = (at_us - BEGINS - ROUND_TRIP) / STEP;

    return at_us < BEGINS + ROUND_TRIP ? client_clock(BEGINS / 2)
                                       : client_clock(passes((int)acks) + ROUND_TRIP);
}

static void shake_hands(struct talk *t)
{
    talk_init(t);
    t->wscale = 8;
    talk_stamped(t, 0, C, 0, TW_SYN, client_clock(0), 0);
    talk_stamped(t, 10, S, 0, TW_SYN | TW_ACK, 9000, client_clock(0));
    talk_stamped(t, ROUND_TRIP, C, 0, TW_ACK, client_clock(ROUND_TRIP), 9000);
    talk_stamped(t, BEGINS / 2, C, 100, TW_ACK | TW_PSH, client_clock(BEGINS / 2), 9000);
    talk_stamped(t, BEGINS / 2 + 10, S, 0, TW_ACK, 9000 + BEGINS / 2000, client_clock(BEGINS / 2));
}

/* At the server: an answer of which each segment was made so long before it passed, by its own
 * timestamp and by the one that it echoes. */
static void answer(struct talk *t, int64_t made_us, int64_t heard_us)
{
    shake_hands(t);
    for (int i = 0; i < SEGMENTS; i++) {
        int64_t at_us = passes(i), begun_us = MAX(at_us - made_us, BEGINS / 2);

        talk_stamped(t, at_us, S, TALK_MSS, TW_ACK, 9000 + (uint32_t)(begun_us / 1000),
                     heard_by(at_us - heard_us));
        talk_stamped(t, at_us + ROUND_TRIP, C, 0, TW_ACK, client_clock(at_us + ROUND_TRIP),
                     9000 + (uint32_t)(begun_us / 1000));
    }
    talk_explain(t);
    assert_complete(t);
}

static void what_is_made_long_before_it_passes_stood_in_a_queue_of_its_host(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, 6 * STEP, 6 * STEP);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > (SEGMENTS - 8) * STEP);
    assert_int_equal(talk_longest_span(&t, TCPWHY_BANDWIDTH_LIMITED)->confidence, TCPWHY_CERTAIN);
    assert_string_equal(kind_of(&t, TCPWHY_BANDWIDTH_LIMITED), tw_kind_own);
    talk_close(&t);
}

static void a_queue_of_two_bursts_may_be_a_scheduler_that_paces(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, 2 * STEP + 2000, 2 * STEP + 2000);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > (SEGMENTS - 8) * STEP);
    assert_doubted(&t, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void what_passes_as_soon_as_it_is_made_stood_in_none(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, 0, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

/* A clock that is wrong says that of segments that echo what has just passed. */
static void a_clock_alone_shows_no_queue_of_its_host(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, 6 * STEP, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

#define BURST  12
#define BURSTS 20

/* At the client: bursts of so many segments, each made when the one before the last had arrived,
 * which come one by one or together. */
static void take_bursts(struct talk *t, int64_t step_us)
{
    const int64_t begins_us = 5000;

    talk_init(t);
    t->wscale = 8;
    talk_stamped(t, 0, C, 0, TW_SYN, client_clock(0), 0);
    talk_stamped(t, 500, S, 0, TW_SYN | TW_ACK, 9000, client_clock(0));
    talk_stamped(t, 510, C, 0, TW_ACK, client_clock(510), 9000);
    talk_stamped(t, 1000, C, 100, TW_ACK | TW_PSH, client_clock(1000), 9000);
    for (int i = 0; i < BURST * BURSTS; i++) {
        int burst = i / BURST, before = MAX((burst - 1) * BURST - 1, 0);
        int64_t period_us = BURST * STEP / 10;
        int64_t at_us = begins_us + burst * period_us + i % BURST * step_us;
        int64_t made_us =
            burst < 2 ? 1500 : begins_us + before / BURST * period_us + (BURST - 1) * STEP / 10;

        talk_stamped(t, at_us, S, TALK_MSS, TW_ACK, 9000 + (uint32_t)(made_us / 1000),
                     client_clock(burst < 2 ? 1000 : made_us));
        if (i % 2)
            talk_stamped(t, at_us + 10, C, 0, TW_ACK, client_clock(at_us),
                         9000 + (uint32_t)(made_us / 1000));
    }
    talk_explain(t);
    assert_complete(t);
}

static void bursts_that_arrive_evenly_may_have_been_spread_by_a_full_path(void **state)
{
    (void)state;
    struct talk t;

    take_bursts(&t, STEP / 10);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) >
                (BURSTS - 5) * BURST * (int64_t)STEP / 10);
    assert_doubted(&t, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    take_bursts(&t, 20);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_long_before_it_passes_stood_in_a_queue_of_its_host),
        cmocka_unit_test(a_queue_of_two_bursts_may_be_a_scheduler_that_paces),
        cmocka_unit_test(what_passes_as_soon_as_it_is_made_stood_in_none),
        cmocka_unit_test(a_clock_alone_shows_no_queue_of_its_host),
        cmocka_unit_test(bursts_that_arrive_evenly_may_have_been_spread_by_a_full_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
