/* SPDX-License-Identifier: MIT */
/*
 * Room for less than a segment that is filled after a silence: by a timer, not by who writes.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 2000
#define SILENCE    400000
#define LEFT       80u

/* At the server: an answer ends with a short segment, and leaves room for 80 bytes; so long after
 * that come so many in two pieces, and then the window is closed, or not. */
static void fill(struct talk *t, bool known, uint32_t bytes, uint32_t window)
{
    int64_t at_us = 10000;

    talk_init(t);
    if (known)
        talk_shake_hands(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    talk(t, at_us + 100, S, 1460, TW_ACK);
    talk_data(t, at_us + 110, S, 300);
    t->window[C] = LEFT;
    talk_ack(t, at_us + ROUND_TRIP, C);
    at_us += SILENCE;
    talk_data(t, at_us, S, 7);
    talk_data(t, at_us + 10, S, bytes - 7);
    t->window[C] = window;
    talk_ack(t, at_us + ROUND_TRIP, C);
    talk_explain(t);
    assert_complete(t);
}

static void a_window_that_ends_there_held_what_filled_it(void **state)
{
    (void)state;
    struct talk t;

    fill(&t, true, LEFT, 0);
    assert_sure(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_in_range(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), SILENCE - 200, SILENCE);
    talk_close(&t);
    fill(&t, true, LEFT - 1, 0);
    assert_true(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED) < 100);
    talk_close(&t);
}

static void without_the_handshake_its_closing_tells_where_it_ended(void **state)
{
    (void)state;
    struct talk t;

    fill(&t, false, LEFT, 0);
    assert_doubted(&t, TCPWHY_RECEIVE_WINDOW_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
    fill(&t, false, LEFT, 500);
    assert_int_equal(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_that_ends_there_held_what_filled_it),
        cmocka_unit_test(without_the_handshake_its_closing_tells_where_it_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
