/* SPDX-License-Identifier: MIT */
/*
 * Senders that reduce their congestion window for a router's mark, and say so (RFC 3168).
 */
#include "tests/unit.h"

#include "explain/attribute/details.h"
#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define FLIGHTS    14
#define SEGMENTS   8

#define CLASSIC  TW_ECE /* of a SYN/ACK */
#define ACCURATE TW_CWR /* RFC 9768, table 2: its SYN had come without ECT */

/* Flights that stay the same at the server, whose SYN/ACK and the first segment of whose third
 * flight have these flags, too. */
static void answer_in_flights(struct talk *t, uint16_t agreed, uint16_t says)
{
    int64_t at_us = ROUND_TRIP + 100;

    talk_init(t);
    t->wscale = 8;
    talk(t, 0, C, 0, TW_SYN | TW_ECE | TW_CWR);
    talk(t, 10, S, 0, TW_SYN | TW_ACK | agreed);
    talk_ack(t, ROUND_TRIP, C);
    talk_data(t, at_us, C, 100);
    for (int flight = 0; flight < FLIGHTS; flight++, at_us += ROUND_TRIP) {
        for (int i = 0; i < SEGMENTS; i++)
            talk(t, at_us + 20 + i, S, TALK_MSS, TW_ACK | (flight == 2 && i == 0 ? says : 0));
        talk_ack(t, at_us + ROUND_TRIP, C);
    }
    talk_explain(t);
}

static void a_window_that_its_sender_reduced_is_no_full_buffer(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, CLASSIC, TW_CWR);
    assert_sure(&t, TCPWHY_CONGESTION_WINDOW_LIMITED);
    assert_string_equal(kind_of(&t, TCPWHY_CONGESTION_WINDOW_LIMITED), tw_kind_marked);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
}

static void a_sender_that_says_nothing_did_not_reduce_its_window(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, CLASSIC, 0);
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

static void a_flag_that_counts_marks_says_nothing_of_the_window(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, ACCURATE, TW_CWR);
    assert_int_equal(talk_charged(&t, TCPWHY_CONGESTION_WINDOW_LIMITED), 0);
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

/* Flights that double at the server; of the last, four times so many segments are let go every
 * millisecond, and the last time it says that it reduced its window. */
static void what_left_before_it_said_so_did_not_wait_for_that(void **state)
{
    (void)state;
    struct talk t;
    int64_t at_us = ROUND_TRIP + 100;
    uint32_t acked = 0;

    talk_init(&t);
    t.wscale = 8;
    talk(&t, 0, C, 0, TW_SYN | TW_ECE | TW_CWR);
    talk(&t, 10, S, 0, TW_SYN | TW_ACK | CLASSIC);
    talk_ack(&t, ROUND_TRIP, C);
    talk_data(&t, at_us, C, 100);
    for (int flight = 0; flight < 3; flight++, at_us += ROUND_TRIP) {
        for (int i = 0; i < SEGMENTS << flight; i++)
            talk(&t, at_us + 20 + i, S, TALK_MSS, TW_ACK);
        if (flight < 2) {
            talk_ack(&t, at_us + ROUND_TRIP, C);
            acked += (SEGMENTS << flight) * TALK_MSS;
        }
    }
    for (int burst = 0; burst < 4; burst++, at_us += 1000) {
        acked += SEGMENTS * TALK_MSS;
        talk_ack_to(&t, at_us, C, acked);
        for (int i = 0; i < 2 * SEGMENTS; i++)
            talk(&t, at_us + 20 + i, S, TALK_MSS, TW_ACK | (burst == 3 && i == 0 ? TW_CWR : 0));
    }
    at_us += ROUND_TRIP - 4000;
    for (int burst = 0; burst < 4; burst++, at_us += 1000) {
        acked += 2 * SEGMENTS * TALK_MSS;
        talk_ack_to(&t, at_us, C, acked);
    }
    talk_explain(&t);
    assert_in_range(talk_charged(&t, TCPWHY_CONGESTION_WINDOW_LIMITED), 900, 1100);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_that_its_sender_reduced_is_no_full_buffer),
        cmocka_unit_test(a_sender_that_says_nothing_did_not_reduce_its_window),
        cmocka_unit_test(a_flag_that_counts_marks_says_nothing_of_the_window),
        cmocka_unit_test(what_left_before_it_said_so_did_not_wait_for_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
