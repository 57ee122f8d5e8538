/* SPDX-License-Identifier: MIT */
/*
 * Flights that stay the same round trip after round trip, as far as they can.
 */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define ROUND_TRIP 20000
#define FLIGHTS    14
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

static void a_flight_that_varies_by_more_is_not(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, 5);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_flight_is_flat_within_a_64th),
        cmocka_unit_test(a_flight_that_varies_by_more_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
