/* SPDX-License-Identifier: MIT */
/* How a connection is opened, or is not: asked again, refused, set aside. */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

static void repeated_syns_are_a_retry_up_to_the_one_that_was_answered(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    for (int64_t at = 1000000; at <= 3000000; at += 2000000) {
        talk_syn_again(&t, at);
    }
    talk(&t, 3002000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 3002010, C, 0, TW_ACK);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3000000);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 2010);
    talk_close(&t);
}

/* Seen in front of a router and behind it, 70 ms apart; so is the answer. */
static void a_syn_at_two_interfaces_is_no_retry(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment syn, answer;

    talk_init(&t);
    syn = talk_segment(&t, C, t.isn[C], 0, TW_SYN);
    talk_push(&t, 0, &syn);
    talk_push(&t, 70000, &syn);
    t.next[C]++;
    answer = talk_segment(&t, S, t.isn[S], 0, TW_SYN | TW_ACK);
    talk_push(&t, 140000, &answer);
    talk_push(&t, 210000, &answer);
    t.next[S]++;
    talk(&t, 280000, C, 0, TW_ACK);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 280000);
    talk_close(&t);
}

/* The path takes longer than the first SYN's timer: both SYNs are answered. */
static void the_answer_to_a_crossed_syn_costs_nothing(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk_syn_again(&t, 1000000);
    talk(&t, 1200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1200010, C, 0, TW_ACK);
    t.next[S] = t.isn[S];
    talk(&t, 2200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 2200010, C, 0, TW_ACK);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 1000000);
    talk_close(&t);
}

/* The answer to the only SYN comes after so long; the server's kernel answers within that. */
static void answer_after(struct talk *t, int64_t answer_us, int64_t within_us)
{
    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    talk(t, answer_us, S, 0, TW_SYN | TW_ACK);
    talk(t, answer_us + 5000, C, 0, TW_ACK);
    talk_data(t, answer_us + 10000, C, 100);
    talk_ack(t, answer_us + 10000 + within_us, S);
    talk_explain(t);
    assert_complete(t);
}

static void an_answer_after_a_first_timer_may_be_the_repeat_of_a_lost_one(void **state)
{
    (void)state;
    struct talk t;

    answer_after(&t, 1003900, 4000);
    assert_doubted(&t, TCPWHY_CONNECT_RETRY, TCPWHY_HANDSHAKE);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 1003900);
    talk_close(&t);
    for (int64_t other_us = 900000; other_us <= 1200000; other_us += 300000) {
        answer_after(&t, other_us, 4000);
        assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 0);
        assert_sure(&t, TCPWHY_HANDSHAKE);
        talk_close(&t);
    }
    answer_after(&t, 1003900, 10); /* a lost one would have passed here */
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 0);
    talk_close(&t);
}

/* Old data of the client stands between its SYNs. */
static void what_a_client_says_before_it_asks_again_answers_nothing(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk_data(&t, 1000, C, 10);
    talk_syn_again(&t, 1000000);
    talk_data(&t, 1500000, C, 10);
    talk_data(&t, 1600000, S, 10);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 1000000);
    talk_close(&t);
}

static void a_reset_in_answer_to_a_syn_is_a_refusal(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 2000, S, 0, TW_RST | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 2000);
    talk_close(&t);
}

/* With the same number each time, so far apart. */
static void refused_thrice(struct talk *t, int64_t apart_us)
{
    talk_init(t);
    for (int i = 0; i < 3; i++) {
        t->next[C] = t->isn[C];
        talk(t, i * apart_us, C, 0, TW_SYN);
        talk(t, i * apart_us + 10, S, 0, TW_RST | TW_ACK);
    }
}

/* As Windows asks. */
static void who_asks_again_waits_for_the_last_refusal(void **state)
{
    (void)state;
    struct talk t;

    refused_thrice(&t, 500000);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 1000010);
    assert_sure(&t, TCPWHY_CONNECT_REFUSED);
    talk_close(&t);
}

static void who_asks_again_by_a_timer_may_have_heard_no_refusal(void **state)
{
    (void)state;
    struct talk t;

    refused_thrice(&t, 3000000);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 6000010);
    assert_doubted(&t, TCPWHY_CONNECT_REFUSED, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

static void a_server_that_comes_up_meanwhile_had_refused(void **state)
{
    (void)state;
    struct talk t;

    refused_thrice(&t, 500000);
    talk_syn_again(&t, 1500000);
    talk(&t, 1502000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1502010, C, 0, TW_ACK);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 1500000);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 2010);
    talk_close(&t);
}

static void a_refusal_that_the_client_ignores_is_none(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 200000, S, 0, TW_RST | TW_ACK);
    talk(&t, 1200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1200010, C, 0, TW_ACK);
    talk_data(&t, 1200020, C, 100);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 1200010);
    talk_close(&t);
}

static void what_is_forged_behind_a_refusal_changes_nothing(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 200000, S, 0, TW_RST | TW_ACK);
    talk(&t, 201000, S, 0, TW_FIN | TW_ACK);
    t.next[S]--;
    talk(&t, 201010, C, 0, TW_RST);
    talk(&t, 1200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1200010, C, 0, TW_ACK);
    talk_data(&t, 1200020, C, 100);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 1200010);
    talk_close(&t);
}

static void a_late_answer_that_is_reset_leaves_the_refusal(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 200000, S, 0, TW_RST | TW_ACK);
    talk(&t, 1200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1200010, C, 0, TW_RST);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 200000);
    talk_close(&t);
}

/* The SYN/ACK comes again so long after the client's ACK, behind which it sent so much. */
static void answered_again(struct talk *t, int64_t after_us, uint32_t sent)
{
    struct tw_segment s;

    talk_open(t, S, 2000);
    if (sent)
        talk_data(t, 2100, C, sent);
    s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);
    s.ack = t->isn[C] + 1;
    talk_push(t, 2010 + after_us, &s);
    talk_ack(t, 4010 + after_us, C);
    talk_explain(t);
}

static void a_handshake_set_aside_with_its_request_was_not_accepted(void **state)
{
    (void)state;
    struct talk t;

    answered_again(&t, 1000000, 100);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

static void one_without_a_request_may_wait_for_that(void **state)
{
    (void)state;
    struct talk t;

    answered_again(&t, 1000000, 0);
    assert_doubted(&t, TCPWHY_CONNECT_RETRY, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void later_than_a_first_timer_nobody_but_the_client_is_waited_for(void **state)
{
    (void)state;
    struct talk t;

    answered_again(&t, 31000000, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 0);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* The SYN/ACK goes again at 1 and 3 s; whether the client asks again, and when it acknowledges. */
static void unheard(struct talk *t, bool asks_again, int64_t acked_us)
{
    struct tw_segment s;

    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    talk(t, 10, S, 0, TW_SYN | TW_ACK);
    for (int64_t at = 1000000; at <= 3000000; at += 2000000) {
        s = talk_segment(t, C, t->isn[C], 0, TW_SYN);
        if (asks_again)
            talk_push(t, at, &s);
        s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);
        s.ack = t->isn[C] + 1;
        talk_push(t, at + 10, &s);
    }
    talk_ack(t, acked_us, C);
    talk_data(t, acked_us + 10, C, 100);
    talk_explain(t);
    assert_complete(t);
}

static void an_answer_that_nobody_acknowledged_was_lost_or_not_heard(void **state)
{
    (void)state;
    struct talk t;

    unheard(&t, false, 3020000);
    assert_doubted(&t, TCPWHY_CONNECT_RETRY, TCPWHY_CLIENT_IDLE);
    assert_int_equal(talk_span(&t, TCPWHY_CONNECT_RETRY)->party, TCPWHY_PARTY_PATH);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3000000);
    talk_close(&t);
}

static void no_round_trip_takes_longer_than_a_first_timer(void **state)
{
    (void)state;
    struct talk t;

    unheard(&t, false, 5000000);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 5000000 - 10);
    talk_close(&t);
}

static void who_asks_again_behind_the_answer_has_not_had_it(void **state)
{
    (void)state;
    struct talk t;

    unheard(&t, true, 3020000);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    assert_int_equal(talk_span(&t, TCPWHY_CONNECT_RETRY)->party, TCPWHY_PARTY_PATH);
    talk_close(&t);
}

/* The client asks again just before it has the first answer, and is answered again. */
static void an_answer_to_a_syn_that_crossed_one_is_no_repeat(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment s;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 140000, S, 0, TW_SYN | TW_ACK);
    s = talk_segment(&t, C, t.isn[C], 0, TW_SYN);
    talk_push(&t, 1000000, &s);
    talk_ack(&t, 1002000, C);
    talk_data(&t, 1002010, C, 100);
    s = talk_segment(&t, S, t.isn[S], 0, TW_SYN | TW_ACK);
    s.ack = t.isn[C] + 1;
    talk_push(&t, 1140000, &s);
    talk_data(&t, 1142000, S, 100);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_syns_are_a_retry_up_to_the_one_that_was_answered),
        cmocka_unit_test(a_syn_at_two_interfaces_is_no_retry),
        cmocka_unit_test(the_answer_to_a_crossed_syn_costs_nothing),
        cmocka_unit_test(an_answer_after_a_first_timer_may_be_the_repeat_of_a_lost_one),
        cmocka_unit_test(what_a_client_says_before_it_asks_again_answers_nothing),
        cmocka_unit_test(a_reset_in_answer_to_a_syn_is_a_refusal),
        cmocka_unit_test(who_asks_again_waits_for_the_last_refusal),
        cmocka_unit_test(who_asks_again_by_a_timer_may_have_heard_no_refusal),
        cmocka_unit_test(a_server_that_comes_up_meanwhile_had_refused),
        cmocka_unit_test(a_refusal_that_the_client_ignores_is_none),
        cmocka_unit_test(what_is_forged_behind_a_refusal_changes_nothing),
        cmocka_unit_test(a_late_answer_that_is_reset_leaves_the_refusal),
        cmocka_unit_test(a_handshake_set_aside_with_its_request_was_not_accepted),
        cmocka_unit_test(one_without_a_request_may_wait_for_that),
        cmocka_unit_test(later_than_a_first_timer_nobody_but_the_client_is_waited_for),
        cmocka_unit_test(an_answer_that_nobody_acknowledged_was_lost_or_not_heard),
        cmocka_unit_test(no_round_trip_takes_longer_than_a_first_timer),
        cmocka_unit_test(who_asks_again_behind_the_answer_has_not_had_it),
        cmocka_unit_test(an_answer_to_a_syn_that_crossed_one_is_no_repeat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
