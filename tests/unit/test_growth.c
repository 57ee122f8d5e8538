/* SPDX-License-Identifier: MIT */
/*
 * What flights that grow prove, and what they do not: a window that opens lets go on an ACK, and
 * what was in flight before may be again.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define BEGIN      (2 * ROUND_TRIP)

/* An answer at the server in flights of so many segments, each let go by the ACK of the one before.
 * @return when the last of them is acknowledged. */
static int64_t answer_in_flights(struct talk *t, const unsigned *segments, unsigned flights)
{
    int64_t at_us = BEGIN + 100;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, BEGIN, C, 100);
    for (unsigned flight = 0; flight < flights; flight++, at_us += ROUND_TRIP) {
        if (flight > 0)
            talk_ack(t, at_us - 10, C);
        for (unsigned i = 0; i < segments[flight]; i++)
            talk(t, at_us + i, S, TALK_MSS, TW_ACK);
    }
    return at_us;
}

static void finish(struct talk *t, int64_t at_us)
{
    talk_ack(t, at_us, C);
    talk_explain(t);
    assert_complete(t);
}

/* Microseconds charged to a cause without a doubt. */
static int64_t sure(const struct talk *t, enum tcpwhy_cause cause)
{
    tcpwhy_ns sum = 0;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        const struct tw_span *span = &t->explanation.span[i];

        if (span->cause == cause && span->confidence == TCPWHY_CERTAIN)
            sum += span->to_ns - span->from_ns;
    }
    return sum / 1000;
}

static void flights_that_double_are_surely_slow_start(void **state)
{
    (void)state;
    struct talk t;

    finish(&t, answer_in_flights(&t, (unsigned[]) { 2, 4, 8, 16 }, 4));
    assert_in_range(sure(&t, TCPWHY_SLOW_START), 3 * ROUND_TRIP - 200, 3 * ROUND_TRIP + 200);
    talk_close(&t);
}

/* Another answer like that, after a second without a word. */
static int64_t answer_again(struct talk *t, int64_t at_us, unsigned flights)
{
    talk_ack(t, at_us, C);
    at_us += 1000000;
    talk_data(t, at_us, C, 100);
    for (unsigned flight = 0; flight < flights; flight++, at_us += ROUND_TRIP) {
        if (flight > 0)
            talk_ack(t, at_us, C);
        for (int i = 0; i < 2 << flight; i++)
            talk(t, at_us + 10 + i, S, TALK_MSS, TW_ACK);
    }
    return at_us;
}

static void only_up_to_what_was_in_flight_before_a_window_begins_anew(void **state)
{
    (void)state;
    struct talk t;

    finish(&t, answer_again(&t, answer_in_flights(&t, (unsigned[]) { 2, 4, 8, 16 }, 4), 6));
    assert_in_range(talk_charged(&t, TCPWHY_SLOW_START_AFTER_IDLE), 3 * ROUND_TRIP - 200,
                    3 * ROUND_TRIP + 200);
    assert_in_range(talk_charged(&t, TCPWHY_SLOW_START), 5 * ROUND_TRIP - 200,
                    5 * ROUND_TRIP + 200);
    talk_close(&t);
}

/* Flights that double, in segments a little smaller than was agreed on: so many of those that have
 * another one behind them are not pushed. */
static void answer_in_smaller(struct talk *t, unsigned not_pushed)
{
    int64_t at_us = BEGIN + 100;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, BEGIN, C, 100);
    for (unsigned segments = 2; segments <= 16; segments *= 2, at_us += ROUND_TRIP) {
        if (segments > 2)
            talk_ack(t, at_us - 10, C);
        for (unsigned i = 1; i <= segments; i++) {
            bool more = i < segments && not_pushed > 0;

            talk(t, at_us + i, S, TALK_MSS - 40, more ? TW_ACK : TW_ACK | TW_PSH);
            not_pushed -= more;
        }
    }
    finish(t, at_us);
}

static void who_cuts_at_less_than_was_agreed_on_fills_his_segments(void **state)
{
    (void)state;
    struct talk t;

    answer_in_smaller(&t, 3);
    assert_in_range(sure(&t, TCPWHY_SLOW_START), 3 * ROUND_TRIP - 200, 3 * ROUND_TRIP + 200);
    talk_close(&t);
    answer_in_smaller(&t, 2);
    assert_true(sure(&t, TCPWHY_SLOW_START) < 100);
    talk_close(&t);
}

static void what_was_in_flight_before_may_be_so_again(void **state)
{
    (void)state;
    struct talk t;

    finish(&t, answer_in_flights(&t, (unsigned[]) { 3, 9, 4, 4, 7 }, 5));
    assert_in_range(sure(&t, TCPWHY_SLOW_START), 2 * ROUND_TRIP - 200, 2 * ROUND_TRIP + 200);
    assert_doubted(&t, TCPWHY_SEND_BUFFER_LIMITED, TCPWHY_APP_LIMITED);
    assert_in_range(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 2 * ROUND_TRIP - 200,
                    2 * ROUND_TRIP + 200);
    talk_close(&t);
}

/* The first two of ten segments a millisecond apart. */
static void within_the_first_flight_nothing_is_waited_for(void **state)
{
    (void)state;
    struct talk t;

    talk_open_wide(&t, S, ROUND_TRIP);
    talk_data(&t, BEGIN, C, 100);
    talk(&t, BEGIN + 100, S, TALK_MSS, TW_ACK);
    for (unsigned i = 0; i < 9; i++)
        talk(&t, BEGIN + 1100 + i, S, TALK_MSS, TW_ACK);
    finish(&t, BEGIN + ROUND_TRIP);
    assert_int_equal(talk_charged(&t, TCPWHY_SLOW_START), 0);
    talk_close(&t);
}

/* After a loss, two flights of two; the second of the last comes without an ACK, a pause later. */
static void go_on_after_a_loss(struct talk *t, int64_t pause_us)
{
    int64_t at_us = answer_in_flights(t, (unsigned[]) { 4 }, 1);

    for (int i = 0; i < 3; i++)
        talk_ack_to(t, at_us - 20 + i, C, 0);
    talk_again(t, at_us - 10, S, 0, TALK_MSS);
    at_us += ROUND_TRIP;
    for (int flight = 0; flight < 2; flight++, at_us += ROUND_TRIP) {
        talk_ack(t, at_us - 10, C);
        talk(t, at_us, S, TALK_MSS, TW_ACK);
        talk(t, at_us + (flight ? pause_us : 1), S, TALK_MSS, TW_ACK);
    }
    finish(t, at_us);
}

static void without_an_ack_no_congestion_window_opens(void **state)
{
    (void)state;
    struct talk t;

    go_on_after_a_loss(&t, 1);
    assert_sure(&t, TCPWHY_CONGESTION_WINDOW_LIMITED);
    assert_int_equal(talk_charged(&t, TCPWHY_CONGESTION_WINDOW_LIMITED),
                     sure(&t, TCPWHY_CONGESTION_WINDOW_LIMITED));
    talk_close(&t);
    go_on_after_a_loss(&t, 4000);
    assert_in_range(talk_charged(&t, TCPWHY_CONGESTION_WINDOW_LIMITED) -
                        sure(&t, TCPWHY_CONGESTION_WINDOW_LIMITED),
                    3900, 4000);
    talk_close(&t);
}

#define FLIGHTS 5

/* Milliseconds of a host's clock. */
static uint32_t clock_of(int64_t at_us)
{
    return (uint32_t)(at_us / 1000) + 500;
}

/* An answer at the client, whose sender's clock loses so much with each segment: flights that
 * double, each let go by the ACK of the one before. */
static void answer_by_a_clock(struct talk *t, int64_t loses_us)
{
    const int64_t way_us = ROUND_TRIP / 2;
    int64_t left_us = BEGIN + way_us, lost_us = 0;

    talk_init(t);
    t->wscale = 8;
    talk_stamped(t, 0, C, 0, TW_SYN, clock_of(0), 0);
    talk_stamped(t, ROUND_TRIP, S, 0, TW_SYN | TW_ACK, clock_of(way_us), clock_of(0));
    talk_stamped(t, ROUND_TRIP, C, 0, TW_ACK, clock_of(ROUND_TRIP), clock_of(way_us));
    talk_stamped(t, BEGIN, C, 100, TW_ACK, clock_of(BEGIN), clock_of(way_us));
    for (int flight = 0; flight < FLIGHTS; flight++, left_us += ROUND_TRIP) {
        uint32_t heard = clock_of(left_us - way_us);

        for (int i = 0; i < 2 << flight; i++, lost_us += loses_us)
            talk_stamped(t, left_us + way_us, S, TALK_MSS, TW_ACK, clock_of(left_us - lost_us),
                         heard);
        talk_stamped(t, left_us + way_us, C, 0, TW_ACK, clock_of(left_us + way_us),
                     clock_of(left_us - lost_us));
    }
    talk_explain(t);
    assert_complete(t);
}

static void a_clock_that_loses_time_tells_nothing_of_when_a_segment_left(void **state)
{
    (void)state;
    struct talk t;

    answer_by_a_clock(&t, 0);
    assert_in_range(sure(&t, TCPWHY_SLOW_START), (FLIGHTS - 1) * ROUND_TRIP - 200,
                    (FLIGHTS - 1) * ROUND_TRIP);
    talk_close(&t);
    answer_by_a_clock(&t, 300);
    assert_in_range(sure(&t, TCPWHY_SLOW_START), (FLIGHTS - 1) * ROUND_TRIP - 200,
                    (FLIGHTS - 1) * ROUND_TRIP);
    talk_close(&t);
}

/* An answer at the server, whose flights double, and who echoes no ACK without data: RFC 1323, 3.4,
 * had it so. */
static void who_sends_beyond_the_window_he_echoes_has_heard_more_than_that(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = BEGIN;

    talk_init(&t);
    talk_stamped(&t, 0, C, 0, TW_SYN, 1, 0);
    talk_stamped(&t, 10, S, 0, TW_SYN | TW_ACK, 501, 1);
    talk_stamped(&t, ROUND_TRIP, C, 0, TW_ACK, 2, 501);
    talk_stamped(&t, BEGIN, C, 100, TW_ACK, 3, 501);
    for (uint32_t flight = 0; flight < FLIGHTS; flight++, at_us += ROUND_TRIP) {
        for (int i = 0; i < 2 << flight; i++)
            talk_stamped(&t, at_us, S, TALK_MSS, TW_ACK, 502 + flight, 3);
        talk_stamped(&t, at_us + ROUND_TRIP - 10, C, 0, TW_ACK, 4 + flight, 502 + flight);
    }
    talk_explain(&t);
    assert_complete(&t);
    assert_in_range(sure(&t, TCPWHY_SLOW_START), (FLIGHTS - 1) * ROUND_TRIP - 200,
                    (FLIGHTS - 1) * ROUND_TRIP);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_that_double_are_surely_slow_start),
        cmocka_unit_test(only_up_to_what_was_in_flight_before_a_window_begins_anew),
        cmocka_unit_test(who_cuts_at_less_than_was_agreed_on_fills_his_segments),
        cmocka_unit_test(what_was_in_flight_before_may_be_so_again),
        cmocka_unit_test(within_the_first_flight_nothing_is_waited_for),
        cmocka_unit_test(without_an_ack_no_congestion_window_opens),
        cmocka_unit_test(a_clock_that_loses_time_tells_nothing_of_when_a_segment_left),
        cmocka_unit_test(who_sends_beyond_the_window_he_echoes_has_heard_more_than_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
