/* SPDX-License-Identifier: MIT */
/*
 * Flights that stay the same round trip after round trip, as far as they can.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define FLIGHTS    14
#define ANSWERS    4
#define SEGMENTS   256u /* of 1,000 bytes: a 64th is four of them */

/* An answer in flights at the server, every other of which is larger by so many segments. */
static void answer_in_flights(struct talk *t, unsigned more)
{
    int64_t at_us = ROUND_TRIP + 100;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (unsigned flight = 0; flight < FLIGHTS; flight++, at_us += ROUND_TRIP) {
        for (unsigned i = 0; i < SEGMENTS + flight % 2 * more; i++)
            talk_data(t, at_us + 20 + i, S, TALK_MSS);
        talk_ack(t, at_us + ROUND_TRIP, C);
    }
    talk_explain(t);
}

static void a_large_flight_is_flat_within_a_64th(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, 4);
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) > (FLIGHTS - 3) * (ROUND_TRIP - 400));
    talk_close(&t);
}

static void a_flight_that_varies_by_more_may_be_written(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, 5);
    assert_doubted(&t, TCPWHY_SEND_BUFFER_LIMITED, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* An answer at the server in flights of a few segments; the first has fewer, and each is
 * acknowledged after so long. */
static void answer_in_few(struct talk *t, unsigned first, unsigned segments, int64_t round_trip)
{
    int64_t at_us = ROUND_TRIP + 100;

    talk_data(t, at_us, C, 100);
    for (unsigned flight = 0; flight < FLIGHTS; flight++, at_us += round_trip) {
        for (unsigned i = 0; i < (flight ? segments : first); i++)
            talk_data(t, at_us + 20 + i, S, TALK_MSS);
        talk_ack(t, at_us + round_trip, C);
    }
    talk_explain(t);
}

static void a_flight_that_is_doubled_begins_no_ceiling(void **state)
{
    (void)state;
    struct talk t;

    talk_open_wide(&t, S, ROUND_TRIP);
    answer_in_few(&t, 2, 4, ROUND_TRIP);
    assert_true(talk_charged(&t, TCPWHY_SLOW_START) > ROUND_TRIP - 400);
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) > (FLIGHTS - 3) * (ROUND_TRIP - 400));
    talk_close(&t);
}

static void a_flight_before_full_windows_is_no_ceiling(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    t.window[C] = 5500;
    talk_shake_hands(&t, S, ROUND_TRIP);
    answer_in_few(&t, 4, 5, ROUND_TRIP);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    assert_sure(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    talk_close(&t);
}

static void a_ceiling_below_a_queue_may_be_the_path(void **state)
{
    (void)state;
    struct talk t;

    talk_open_wide(&t, S, ROUND_TRIP);
    answer_in_few(&t, 3, 3, ROUND_TRIP * 3 / 2);
    assert_doubted(&t, TCPWHY_SEND_BUFFER_LIMITED, TCPWHY_BANDWIDTH_LIMITED);
    talk_close(&t);
}

/* At the server: so many flights of each size. */
static void answer_in_steps(struct talk *t, const unsigned (*step)[2], unsigned steps)
{
    int64_t at_us = ROUND_TRIP + 100;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (unsigned k = 0; k < steps; k++)
        for (unsigned flight = 0; flight < step[k][0]; flight++, at_us += ROUND_TRIP) {
            for (unsigned i = 0; i < step[k][1]; i++)
                talk_data(t, at_us + 20 + i, S, TALK_MSS);
            talk_ack(t, at_us + ROUND_TRIP, C);
        }
    talk_explain(t);
}

static void a_window_that_grows_stays_flat_for_some_flights_only(void **state)
{
    (void)state;
    static const unsigned growing[][2] = { { 6, 10 }, { 6, 13 }, { 2, 16 } };
    static const unsigned full[][2] = { { 1, 10 }, { 20, 13 }, { 2, 16 } };
    struct talk t;

    answer_in_steps(&t, growing, 3);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
    answer_in_steps(&t, full, 3);
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) > 18 * (ROUND_TRIP - 400));
    talk_close(&t);
}

/* An answer in flights, each of which the client answers with a few bytes. */
static void a_ceiling_may_be_what_the_other_program_grants(void **state)
{
    (void)state;
    struct talk t;
    struct tw_exchange *e;
    int64_t at_us = ROUND_TRIP + 100;

    talk_open_wide(&t, S, ROUND_TRIP);
    for (unsigned flight = 0; flight < FLIGHTS; flight++, at_us += ROUND_TRIP) {
        talk_data(&t, at_us, C, 13);
        for (unsigned i = 0; i < 4; i++)
            talk_data(&t, at_us + 20 + i, S, TALK_MSS);
    }
    talk_explain(&t);
    e = t.exchanges.exchange;
    e->response_to = e[FLIGHTS - 1].response_to;
    e->response_last = e[FLIGHTS - 1].response_last;
    t.exchanges.n = 1;
    talk_explain_framed(&t, false);
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) > (FLIGHTS - 3) * (ROUND_TRIP - 400));
    for (const struct tw_span *s = t.explanation.span;
         s < t.explanation.span + t.explanation.n_spans; s++)
        if (s->cause == TCPWHY_SEND_BUFFER_LIMITED && s->to_ns - s->from_ns > TCPWHY_US(400)) {
            assert_int_equal(s->confidence, TCPWHY_LIKELY);
            assert_int_equal(s->rival, TCPWHY_APP_LIMITED);
        }
    talk_close(&t);
}

/* Answers of one segment each, and one of four whose last waits for an ACK, at the client. */
static void flights_of_other_answers_show_no_ceiling(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = ROUND_TRIP + 100;

    talk_open_wide(&t, C, ROUND_TRIP);
    for (unsigned i = 0; i < ANSWERS; i++, at_us += 2 * ROUND_TRIP) {
        talk_data(&t, at_us, C, 100);
        talk_data(&t, at_us + ROUND_TRIP, S, 200);
    }
    talk_data(&t, at_us, C, 100);
    for (unsigned i = 0; i < 3; i++)
        talk_data(&t, at_us + ROUND_TRIP + i, S, TALK_MSS);
    talk_ack_to(&t, at_us + ROUND_TRIP + 10, C, ANSWERS * 200 + TALK_MSS);
    talk_data(&t, at_us + 2 * ROUND_TRIP + 10, S, TALK_MSS);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_flight_is_flat_within_a_64th),
        cmocka_unit_test(a_flight_that_varies_by_more_may_be_written),
        cmocka_unit_test(a_flight_that_is_doubled_begins_no_ceiling),
        cmocka_unit_test(a_flight_before_full_windows_is_no_ceiling),
        cmocka_unit_test(a_ceiling_below_a_queue_may_be_the_path),
        cmocka_unit_test(a_ceiling_may_be_what_the_other_program_grants),
        cmocka_unit_test(flights_of_other_answers_show_no_ceiling),
        cmocka_unit_test(a_window_that_grows_stays_flat_for_some_flights_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
