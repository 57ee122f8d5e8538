/* SPDX-License-Identifier: MIT */
/*
 * Captures that a filter let only data into: what waited within a message is told of nobody.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* So many requests, each answered in two pieces 50 ms apart, of which the capture holds the ACKs of
 * the first, or none, and what opened the connection, or not. */
static void ask(struct talk *t, int n, bool with_ack, bool from_start)
{
    talk_init(t);
    if (from_start) {
        talk(t, 0, C, 0, TW_SYN);
        talk(t, 10000, S, 0, TW_SYN | TW_ACK);
    }
    for (int i = 0; i < n; i++) {
        int64_t at_us = 20000 + i * 100000;

        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 11000, S, 200);
        if (with_ack && i == 0)
            talk_ack(t, at_us + 51000, C);
        talk_data(t, at_us + 61000, S, 300);
    }
    talk_explain(t);
}

static void pieces_without_the_acks_between_them_are_not_charged(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, 4, false, true);
    assert_true(t.explanation.data_only);
    assert_null(talk_span(&t, TCPWHY_APP_LIMITED));
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 4 * 50000);
    assert_complete(&t);
    talk_close(&t);
}

static void turns_are_told_by_data_but_not_for_sure(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, 4, false, true);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
    ask(&t, 4, true, true);
    assert_sure(&t, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void one_ack_without_data_shows_that_no_filter_took_them(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, 4, true, true);
    assert_false(t.explanation.data_only);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 0);
    talk_close(&t);
}

static void few_turns_need_none(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, 2, false, true);
    assert_false(t.explanation.data_only);
    talk_close(&t);
    ask(&t, 4, false, false);
    assert_false(t.explanation.data_only);
    talk_close(&t);
}

static void where_none_is_seen_none_is_certainly_absent(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, 2, false, true);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CAPTURE_GAP);
    assert_sure(&t, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void the_ack_of_a_handshake_shows_nothing_of_others(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 10000);
    for (int i = 0; i < 70; i++)
        talk_data(&t, 20000 + i * 200, C, TALK_MSS);
    talk(&t, 40000, S, 0, TW_ACK | TW_FIN);
    talk_explain(&t);
    assert_true(t.explanation.data_only);
    assert_null(talk_span(&t, TCPWHY_SLOW_START));
    talk_close(&t);
}

static void turns_behind_it_need_none(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 10000);
    for (int i = 0; i < 10; i++) {
        talk_data(&t, 700000 + i * 20000, C, 100);
        talk_data(&t, 711000 + i * 20000, S, 100);
    }
    talk_explain(&t);
    assert_false(t.explanation.data_only);
    assert_sure(&t, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* One side alone, a segment each 400 ms. */
static void speak_alone(struct talk *t, int n, bool again)
{
    talk_init(t);
    t->isn[S]--; /* its SYN was sent before */
    talk_data(t, 0, C, 100);
    for (int i = 0; i < n; i++) {
        talk_data(t, 10000 + i * 400000, S, 100);
        if (again)
            talk_again(t, 210000 + i * 400000, S, 0, 100);
    }
    talk_data(t, 10000000, C, 100);
    talk_explain(t);
}

static void nobody_goes_on_for_half_a_second_without_an_ack(void **state)
{
    (void)state;
    struct talk t;

    speak_alone(&t, 3, false);
    assert_true(t.explanation.data_only);
    talk_close(&t);
    speak_alone(&t, 2, false);
    assert_false(t.explanation.data_only);
    talk_close(&t);
}

static void what_is_repeated_may_not_have_arrived(void **state)
{
    (void)state;
    struct talk t;

    speak_alone(&t, 3, true);
    assert_false(t.explanation.data_only);
    talk_close(&t);
}

/* So many segments of the answer in a row, one of them again. */
static void send_all_at_once(struct talk *t, int n)
{
    talk_init(t);
    t->isn[S]--;
    talk_data(t, 0, C, 100);
    for (int i = 0; i < n; i++)
        talk_data(t, 10000 + i, S, TALK_MSS);
    talk_again(t, 20000, S, 0, TALK_MSS);
    talk_explain(t);
}

static void no_window_lets_more_go_without_an_ack(void **state)
{
    (void)state;
    struct talk t;

    send_all_at_once(&t, 65);
    assert_false(t.explanation.data_only);
    talk_close(&t);
    send_all_at_once(&t, 66);
    assert_true(t.explanation.data_only);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_without_the_acks_between_them_are_not_charged),
        cmocka_unit_test(turns_are_told_by_data_but_not_for_sure),
        cmocka_unit_test(one_ack_without_data_shows_that_no_filter_took_them),
        cmocka_unit_test(few_turns_need_none),
        cmocka_unit_test(where_none_is_seen_none_is_certainly_absent),
        cmocka_unit_test(the_ack_of_a_handshake_shows_nothing_of_others),
        cmocka_unit_test(turns_behind_it_need_none),
        cmocka_unit_test(nobody_goes_on_for_half_a_second_without_an_ack),
        cmocka_unit_test(what_is_repeated_may_not_have_arrived),
        cmocka_unit_test(no_window_lets_more_go_without_an_ack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
