/* SPDX-License-Identifier: MIT */
/* The window that a SYN tells holds for the first flight, and it is not scaled (RFC 7323, 2.2). */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define RTT 50000

/* The server has room for so many bytes when it opens, and scales its window by 2^8 later. */
static void open_with_room(struct talk *t, uint32_t bytes)
{
    talk_init(t);
    t->wscale = 8;
    t->window[S] = bytes;
    talk_shake_hands(t, C, RTT);
}

/* The client asks by so many segments in one flight, and one more when the first ACK is here. */
static int64_t flight(struct talk *t, int segments)
{
    const int64_t begin = RTT + 200;

    for (int i = 0; i < segments; i++)
        talk(t, begin + i, C, TALK_MSS, TW_ACK);
    talk_ack(t, begin + RTT, S);
    talk_data(t, begin + RTT + 20, C, TALK_MSS);
    talk_data(t, begin + 2 * RTT + 20, S, 100);
    talk_ack(t, begin + 2 * RTT + 40, C);
    talk_explain(t);
    return talk_charged(t, TCPWHY_RECEIVE_WINDOW_LIMITED);
}

static void a_first_flight_that_fills_it_waits_for_the_window(void **state)
{
    (void)state;
    struct talk t;

    open_with_room(&t, 4 * TALK_MSS);
    assert_in_range(flight(&t, 4), RTT - 1000, RTT + 1000);
    assert_int_equal(talk_charged(&t, TCPWHY_SLOW_START), 0);
    talk_close(&t);
}

static void one_that_leaves_room_for_a_segment_does_not(void **state)
{
    (void)state;
    struct talk t;

    open_with_room(&t, 5 * TALK_MSS);
    assert_int_equal(flight(&t, 4), 0);
    talk_close(&t);
}

static void who_sends_more_had_heard_of_more(void **state)
{
    (void)state;
    struct talk t;

    open_with_room(&t, 3 * TALK_MSS);
    assert_int_equal(flight(&t, 4), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_flight_that_fills_it_waits_for_the_window),
        cmocka_unit_test(one_that_leaves_room_for_a_segment_does_not),
        cmocka_unit_test(who_sends_more_had_heard_of_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
