/* SPDX-License-Identifier: MIT */
/*
 * Whether a side that goes on by itself was waited for: what it said before may have been all, and
 * the other's turn or nobody's.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* Two pieces of the server so far apart, and the client goes on after the second. */
static void pieces_apart(struct talk *t, int64_t apart_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 12000, S, 200);
    talk_ack(t, 12010, C);
    talk_data(t, 12000 + apart_us, S, 200);
    talk_ack(t, 12010 + apart_us, C);
    talk_data(t, 12020 + apart_us, C, 100);
    talk_data(t, 14020 + apart_us, S, 200);
    talk_explain(t);
}

static void a_long_pause_between_whole_writes_may_be_nobody_s(void **state)
{
    (void)state;
    struct talk t;

    pieces_apart(&t, 1000000);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void pieces_of_a_response(struct talk *t, bool in_pieces)
{
    pieces_apart(t, 1000000);
    talk_explain_framed(t, in_pieces);
}

static void who_has_told_the_length_of_a_response_is_awaited(void **state)
{
    (void)state;
    struct talk t;

    pieces_of_a_response(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void a_response_without_a_length_may_be_many(void **state)
{
    (void)state;
    struct talk t;

    pieces_of_a_response(&t, true);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void however_short_a_pause_behind_what_is_whole_may_be_nobody_s(void **state)
{
    (void)state;
    struct talk t;

    pieces_apart(&t, 199000);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_explain_framed(&t, true);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* At the client, which says this, and more 48 ms after it was acknowledged; the server may answer
 * that. */
static void say_more(struct talk *t, uint32_t len, uint16_t flags, bool answered)
{
    talk_open(t, C, 2000);
    talk(t, 10000, C, len, flags | TW_ACK);
    talk_ack(t, 12000, S);
    talk_data(t, 60000, C, 100);
    if (answered)
        talk_data(t, 62010, S, 100);
    else
        talk_ack(t, 62010, S);
    talk_ack(t, 62020, C);
    talk_explain(t);
}

static void who_asks_again_before_the_answer_may_wait_for_that(void **state)
{
    (void)state;
    struct talk t;

    say_more(&t, 100, TW_PSH, true);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_SERVER_THINK);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
    say_more(&t, TALK_MSS, 0, true); /* more stood behind it */
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void what_nobody_answers_may_have_been_no_question(void **state)
{
    (void)state;
    struct talk t;

    say_more(&t, 100, TW_PSH, false);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* The server's answer begins with so many full segments at once, the last of which is pushed. */
static void pause_behind(struct talk *t, int segments)
{
    talk_open(t, S, 2000);
    talk_data(t, 10000, C, 100);
    for (int i = 0; i < segments; i++)
        talk(t, 10010 + i, S, TALK_MSS, TW_ACK | (i + 1 == segments ? TW_PSH : 0));
    talk_ack(t, 12100, C);
    talk_data(t, 60000, S, 200);
    talk_data(t, 62100, C, 100);
    talk_explain(t);
}

static void behind_an_initial_window_at_once_it_goes_on(void **state)
{
    (void)state;
    struct talk t;

    pause_behind(&t, 9);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
    pause_behind(&t, 10);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* At the server, to which the client says so many words, 20 ms apart; 50 ms after the last one it
 * says something itself. */
static void talk_on(struct talk *t, int words)
{
    int64_t at_us = 10000;

    talk_open(t, S, 2000);
    for (int i = 0; i < words; i++, at_us += 20000) {
        talk_data(t, at_us, C, 100);
        talk_ack(t, at_us + 10, S);
    }
    talk_data(t, at_us + 30000, S, 100);
    talk_data(t, at_us + 32100, C, 100);
    talk_explain(t);
}

static void who_goes_on_again_and_again_need_not_wait_for_an_answer(void **state)
{
    (void)state;
    struct talk t;

    talk_on(&t, 2);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
    talk_on(&t, 3);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_pause_between_whole_writes_may_be_nobody_s),
        cmocka_unit_test(who_has_told_the_length_of_a_response_is_awaited),
        cmocka_unit_test(a_response_without_a_length_may_be_many),
        cmocka_unit_test(however_short_a_pause_behind_what_is_whole_may_be_nobody_s),
        cmocka_unit_test(who_asks_again_before_the_answer_may_wait_for_that),
        cmocka_unit_test(what_nobody_answers_may_have_been_no_question),
        cmocka_unit_test(behind_an_initial_window_at_once_it_goes_on),
        cmocka_unit_test(who_goes_on_again_and_again_need_not_wait_for_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
