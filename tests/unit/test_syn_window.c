/* SPDX-License-Identifier: MIT */
/* The window that a SYN tells holds for the first flight, and it is not scaled (RFC 7323, 2.2). */
#include "tests/unit.h"

#include "explain/attribute/details.h"
#include "tests/unit/verdict.h"

#define RTT 50000

/* So long a proxy takes to reach its server. */
#define BACKEND 80000

/* The server has room for so many bytes when it opens, and scales its window by 2^8 later. */
static void open_seen_at(struct talk *t, enum tcpwhy_side vantage, uint32_t bytes)
{
    talk_init(t);
    t->wscale = 8;
    t->window[S] = bytes;
    talk_shake_hands(t, vantage, RTT);
}

static void open_with_room(struct talk *t, uint32_t bytes)
{
    open_seen_at(t, C, bytes);
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

/* Seen from one end: the server opens its window only when that is reached; what the client says
 * leaves so long after that. */
static void open_closed(struct talk *t, enum tcpwhy_side vantage, int64_t late_us)
{
    const int64_t opens = RTT + BACKEND, says = opens + late_us + (vantage == C ? 0 : RTT);

    open_seen_at(t, vantage, 0);
    t->window[S] = 500;
    talk_ack(t, opens, S);
    talk_data(t, says, C, 100);
    talk_data(t, says + (vantage == C ? RTT : 0) + 1000, S, 100);
}

static void a_window_that_is_closed_from_the_syn_on_holds_what_comes_when_it_opens(void **state)
{
    (void)state;

    for (int vantage = 0; vantage < 2; vantage++) {
        struct talk t;

        open_closed(&t, (enum tcpwhy_side)vantage, 100);
        talk_explain(&t);
        assert_doubted(&t, TCPWHY_ZERO_WINDOW, TCPWHY_CLIENT_IDLE);
        assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->party, TCPWHY_PARTY_SERVER);
        assert_string_equal(kind_of(&t, TCPWHY_ZERO_WINDOW), tw_kind_proxy);
        assert_int_equal(talk_charged(&t, TCPWHY_CLIENT_IDLE), 0);
        assert_complete(&t);
        talk_close(&t);
    }
}

static void who_says_something_later_was_idle(void **state)
{
    (void)state;
    struct talk t;

    open_closed(&t, C, 1000);
    talk_explain(&t);
    assert_null(talk_span(&t, TCPWHY_ZERO_WINDOW));
    assert_sure(&t, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* It closes behind a SYN/ACK of some room. */
static void not_where_there_was_room_before(void **state)
{
    (void)state;
    struct talk t;

    open_with_room(&t, 4 * TALK_MSS);
    t.window[S] = 0;
    talk_ack(&t, RTT + 1000, S);
    t.window[S] = 500;
    talk_ack(&t, RTT + BACKEND, S);
    talk(&t, RTT + BACKEND + 100, C, TALK_MSS, TW_ACK);
    talk_data(&t, RTT + BACKEND + 110, C, 100);
    talk_explain(&t);
    assert_null(talk_span(&t, TCPWHY_ZERO_WINDOW));
    talk_close(&t);
}

static void who_asks_for_room_was_surely_held(void **state)
{
    (void)state;
    struct talk t;

    open_with_room(&t, 0);
    t.next[C]--;
    talk_ack(&t, RTT + TCPWHY_S(1) / 1000, C);
    t.next[C]++;
    talk_ack(&t, RTT + TCPWHY_S(1) / 1000 + RTT, S);
    t.window[S] = 500;
    talk_ack(&t, 2000000, S);
    talk_data(&t, 2000100, C, 100);
    talk_data(&t, 2000100 + RTT, S, 100);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_ZERO_WINDOW);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_flight_that_fills_it_waits_for_the_window),
        cmocka_unit_test(one_that_leaves_room_for_a_segment_does_not),
        cmocka_unit_test(who_sends_more_had_heard_of_more),
        cmocka_unit_test(a_window_that_is_closed_from_the_syn_on_holds_what_comes_when_it_opens),
        cmocka_unit_test(who_says_something_later_was_idle),
        cmocka_unit_test(not_where_there_was_room_before),
        cmocka_unit_test(who_asks_for_room_was_surely_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
