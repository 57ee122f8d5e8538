/* SPDX-License-Identifier: MIT */
/*
 * What holds a sender where more than one limit is near: the receiver's window, the congestion
 * window, the send buffer, the path.
 */
#include "tests/unit.h"

#include <glib.h>

#include "explain/attribute/details.h"
#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define ASKED      (ROUND_TRIP + 100)

static int64_t sure_us(const struct talk *t, enum tcpwhy_cause cause)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        const struct tw_span *s = &t->explanation.span[i];

        if (s->cause == cause && s->confidence == TCPWHY_CERTAIN)
            sum += (s->to_ns - s->from_ns) / 1000;
    }
    return sum;
}

static void send(struct talk *t, int64_t at_us, unsigned segments)
{
    for (unsigned i = 0; i < segments; i++)
        talk(t, at_us + i, S, TALK_MSS, TW_ACK);
}

static void acknowledge(struct talk *t, int64_t at_us, uint32_t bytes, uint32_t window)
{
    t->window[C] = window;
    talk_ack_to(t, at_us, C, bytes);
}

/* At the server: the window is full for a moment, and opens by so many segments; five of them go
 * at once, and five more a round trip later. */
static void go_on_behind_a_full_window(struct talk *t, unsigned opens)
{
    int64_t next_us = ASKED + 10 + ROUND_TRIP;

    talk_open(t, S, ROUND_TRIP);
    talk_data(t, ASKED, C, 100);
    send(t, ASKED + 10, 60);
    acknowledge(t, next_us, 30000, 35000);
    send(t, next_us + 10, 5);
    acknowledge(t, next_us + 1000, 30000, 35000 + opens * TALK_MSS);
    send(t, next_us + 1010, 5);
    acknowledge(t, next_us + ROUND_TRIP, 65000, 60000);
    send(t, next_us + ROUND_TRIP + 10, 5);
    talk_explain(t);
}

static void a_window_that_was_full_does_not_hold_what_it_has_room_for(void **state)
{
    (void)state;
    struct talk t;

    go_on_behind_a_full_window(&t, 5);
    assert_in_range(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), 2 * ROUND_TRIP,
                    2 * ROUND_TRIP + 100);
    talk_close(&t);
    go_on_behind_a_full_window(&t, 15);
    assert_in_range(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), ROUND_TRIP, ROUND_TRIP + 1100);
    talk_close(&t);
}

/* Windows of four segments, of which the ACK leaves room for less than one; the rest is read so
 * much later. */
static void read_late(struct talk *t, int64_t late_us)
{
    int64_t at_us = ASKED;

    talk_open(t, S, ROUND_TRIP);
    t->window[C] = 4 * TALK_MSS;
    talk_data(t, at_us, C, 100);
    for (uint32_t i = 1; i <= 8; i++) {
        send(t, at_us + 10, 4);
        at_us += ROUND_TRIP;
        if (late_us > 0)
            acknowledge(t, at_us, i * 4 * TALK_MSS, TALK_MSS / 2);
        at_us += late_us;
        acknowledge(t, at_us, i * 4 * TALK_MSS, 4 * TALK_MSS);
    }
    send(t, at_us + 10, 1);
    talk_explain(t);
}

static void windows_that_pass_far_less_than_once_a_round_trip_have_a_slow_reader(void **state)
{
    (void)state;
    struct talk t;

    read_late(&t, 0);
    assert_sure(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_null(kind_of(&t, TCPWHY_RECEIVE_WINDOW_LIMITED));
    talk_close(&t);
    read_late(&t, ROUND_TRIP - 1000);
    assert_null(kind_of(&t, TCPWHY_RECEIVE_WINDOW_LIMITED));
    talk_close(&t);
    read_late(&t, ROUND_TRIP + 1000);
    assert_string_equal(kind_of(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), tw_kind_slow_reader);
    talk_close(&t);
}

/* Windows of four segments: one opens at once, the next is closed for so long. */
static void close_each_second(struct talk *t, int64_t closed_us)
{
    int64_t at_us = ASKED;

    talk_open(t, S, ROUND_TRIP);
    t->window[C] = 4 * TALK_MSS;
    talk_data(t, at_us, C, 100);
    for (uint32_t i = 1; i <= 8; i++) {
        send(t, at_us + 10, 4);
        at_us += ROUND_TRIP;
        if (i % 2) {
            acknowledge(t, at_us, i * 4 * TALK_MSS, 0);
            at_us += closed_us;
        }
        acknowledge(t, at_us, i * 4 * TALK_MSS, 4 * TALK_MSS);
    }
    send(t, at_us + 10, 1);
    talk_explain(t);
}

static void who_closes_the_window_for_long_reads_slowly_while_it_is_open(void **state)
{
    (void)state;
    struct talk t;

    close_each_second(&t, 1000);
    assert_null(kind_of(&t, TCPWHY_RECEIVE_WINDOW_LIMITED));
    talk_close(&t);
    close_each_second(&t, 2 * ROUND_TRIP - 2000);
    assert_null(kind_of(&t, TCPWHY_RECEIVE_WINDOW_LIMITED));
    talk_close(&t);
    close_each_second(&t, 2 * ROUND_TRIP + 2000);
    assert_sure(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_string_equal(kind_of(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), tw_kind_slow_reader);
    talk_close(&t);
}

/* Flights in turn of ten segments and of so many, each acknowledged in one. */
static void flights_in_turn(struct talk *t, unsigned segments)
{
    int64_t at_us = ASKED;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (unsigned flight = 0; flight < 8; flight++, at_us += ROUND_TRIP) {
        send(t, at_us + 10, flight % 2 ? segments : 10);
        talk_ack(t, at_us + ROUND_TRIP, C);
    }
    talk_explain(t);
}

static void what_was_in_flight_before_is_no_slow_start(void **state)
{
    (void)state;
    struct talk t;

    flights_in_turn(&t, 20);
    assert_true(sure_us(&t, TCPWHY_SLOW_START) >= 2 * (ROUND_TRIP - 100));
    talk_close(&t);
    flights_in_turn(&t, 6);
    assert_true(sure_us(&t, TCPWHY_SLOW_START) < ROUND_TRIP + 100);
    talk_close(&t);
}

/* After a loss flights of a full segment and a last one, each acknowledged after so long. */
static void go_on_after_a_loss(struct talk *t, uint32_t last, uint16_t flags, int64_t round_trip)
{
    talk_open(t, S, ROUND_TRIP);
    talk_data(t, ASKED, C, 100);
    send(t, ASKED + 10, 2);
    talk_again(t, 350000, S, 0, TALK_MSS);
    for (int64_t at_us = 350000 + ROUND_TRIP; at_us < 700000; at_us += round_trip) {
        talk_ack(t, at_us, C);
        send(t, at_us + 10, 1);
        talk(t, at_us + 20, S, last, TW_ACK | flags);
    }
    talk_explain(t);
}

static void assert_rival(uint32_t last, uint16_t flags, int64_t round_trip, enum tcpwhy_cause rival)
{
    const struct tw_span *span;
    struct talk t;

    go_on_after_a_loss(&t, last, flags, round_trip);
    span = talk_longest_span(&t, TCPWHY_CONGESTION_WINDOW_LIMITED);
    assert_non_null(span);
    assert_int_equal(span->rival, rival);
    assert_int_equal(span->confidence, rival ? TCPWHY_LIKELY : TCPWHY_CERTAIN);
    talk_close(&t);
}

static void after_a_loss_the_congestion_window_holds_what_is_left(void **state)
{
    (void)state;
    assert_rival(TALK_MSS, 0, ROUND_TRIP, TCPWHY_CAUSE_NONE);
}

static void it_does_not_hold_what_nobody_has_written(void **state)
{
    (void)state;
    assert_rival(TALK_MSS / 2, TW_PSH, ROUND_TRIP, TCPWHY_APP_LIMITED);
}

static void where_a_queue_stands_more_of_it_may_bring_nothing(void **state)
{
    (void)state;
    assert_rival(TALK_MSS, 0, ROUND_TRIP * 3 / 2, TCPWHY_BANDWIDTH_LIMITED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_that_pass_far_less_than_once_a_round_trip_have_a_slow_reader),
        cmocka_unit_test(who_closes_the_window_for_long_reads_slowly_while_it_is_open),
        cmocka_unit_test(a_window_that_was_full_does_not_hold_what_it_has_room_for),
        cmocka_unit_test(what_was_in_flight_before_is_no_slow_start),
        cmocka_unit_test(after_a_loss_the_congestion_window_holds_what_is_left),
        cmocka_unit_test(it_does_not_hold_what_nobody_has_written),
        cmocka_unit_test(where_a_queue_stands_more_of_it_may_bring_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
