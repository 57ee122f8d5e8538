/* SPDX-License-Identifier: MIT */
/*
 * Both sides talk at once: what is asked before something else is answered, and what is said in the
 * middle of a request.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000

/* Two requests with message boundaries leave together; the second answer comes think_us after the
 * first. */
static void ask_twice(struct talk *t, enum tcpwhy_side vantage, int64_t think_us)
{
    int64_t way = vantage == C ? ROUND_TRIP : 0;
    const uint32_t asked = 3, first = 4, second = 5;
    struct tw_exchange *e;

    talk_open(t, vantage, ROUND_TRIP);
    talk_data(t, 100000, C, 100);
    talk_data(t, 100010 + way, S, 200);
    talk_data(t, 100010 + way + think_us, S, 200);
    talk_explain(t);
    e = t->exchanges.exchange;
    e->framed = true;
    e->request_to -= 50;
    e->response_to -= 200;
    e->response_last = first;
    e[1] = e[0];
    e[1].request_from += 50, e[1].request_to += 50;
    e[1].response_from += 200, e[1].response_to += 200;
    e[1].request_first = e[1].request_last = asked;
    e[1].response_first = e[1].response_last = second;
    t->exchanges.n = 2;
    tw_explanation_clear(&t->explanation);
    tw_explain(t->last.connection, t->log, &t->exchanges, &t->explainer, &t->explanation);
}

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, talk_close(t))

TALK_TEST(no_way_is_left_to_a_question_that_was_there_before, ask_twice(t, C, 300000))
{
    assert_in_range(talk_charged(t, TCPWHY_SERVER_THINK), 300000, 300100);
    assert_sure(t, TCPWHY_SERVER_THINK);
    assert_complete(t);
    talk_close(t);
    ask_twice(t, S, 300000);
    assert_in_range(talk_charged(t, TCPWHY_SERVER_THINK), 300000, 300100);
}

/* At the client: the head of a request, "100 Continue" after that time, the body after that one,
 * and the response. */
static void wait_for_interim(struct talk *t, int64_t server_us, int64_t client_us)
{
    int64_t told_us = 100000 + ROUND_TRIP + server_us, body_us = told_us + client_us;
    struct tw_exchange *e;

    talk_open(t, C, ROUND_TRIP);
    talk_data(t, 100000, C, 200);
    talk_data(t, told_us, S, 25);
    talk_data(t, body_us, C, 500);
    talk_data(t, body_us + ROUND_TRIP, S, 200);
    talk_explain(t);
    assert_int_equal(t->exchanges.n, 2);
    e = t->exchanges.exchange;
    e[1].request_from = e->request_from;
    e[1].request_first = e->request_first;
    e[1].framed = true;
    *e = e[1];
    t->exchanges.n = 1;
    talk_explain_framed(t, false);
    assert_complete(t);
    assert_int_equal(talk_charged(t, TCPWHY_APP_LIMITED), 0);
}

TALK_TEST(a_client_that_expects_100_continue_waits_for_it, wait_for_interim(t, 0, 100))
{
    assert_in_range(talk_charged(t, TCPWHY_WIRE), 2 * ROUND_TRIP, 2 * ROUND_TRIP + 10);
    talk_close(t);
    wait_for_interim(t, 300000, 100);
    assert_in_range(talk_charged(t, TCPWHY_SERVER_THINK), 299000, 300000);
    assert_sure(t, TCPWHY_SERVER_THINK);
    talk_close(t);
    wait_for_interim(t, 0, 300000);
    assert_in_range(talk_charged(t, TCPWHY_CLIENT_THINK), 299000, 300000);
}

/* Data that acknowledges only 'heard' bytes of the other side. */
static void say(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t heard)
{
    struct tw_segment s;

    t->ip_id[from]++;
    s = talk_segment(t, from, t->next[from], 100, TW_ACK | TW_PSH);
    s.ack = t->isn[!from] + 1 + heard;
    t->next[from] += 100;
    talk_push(t, at_us, &s);
}

/*
 * At the client, of a protocol that nobody knows: two requests are out at any time, each answer is
 * followed at once by another one. The server takes so long for the fourth answer, and the client
 * for the request after that.
 */
static void ask_while_answered(struct talk *t, int64_t server_us, int64_t client_us)
{
    int64_t answer_us = 140410 + server_us, ask_us = answer_us + client_us;

    talk_open(t, C, ROUND_TRIP);
    say(t, 100000, C, 0);
    say(t, 100300, C, 0);
    say(t, 120010, S, 100);
    say(t, 120100, C, 100);
    say(t, 120310, S, 200);
    say(t, 120400, C, 200);
    say(t, 140110, S, 300);
    say(t, 140200, C, 300);
    say(t, answer_us, S, 400);
    say(t, ask_us, C, 400);
    say(t, ask_us + 20010, S, 600);
    talk_ack(t, ask_us + 20100, C);
    talk_explain(t);
    assert_int_equal(t->exchanges.n, 1);
}

/* The longest silence, its cause and how sure that is. */
static void assert_longest(const struct talk *t, enum tcpwhy_cause cause,
                           enum tcpwhy_confidence confidence, enum tcpwhy_cause rival)
{
    const struct tw_explanation *x = &t->explanation;
    const struct tw_span *longest = x->span;

    for (const struct tw_span *s = x->span; s < x->span + x->n_spans; s++)
        if (s->to_ns - s->from_ns > longest->to_ns - longest->from_ns)
            longest = s;
    assert_int_equal(longest->cause, cause);
    assert_int_equal(longest->confidence, confidence);
    assert_int_equal(longest->rival, rival);
    assert_in_range(longest->to_ns - longest->from_ns, TCPWHY_MS(299), TCPWHY_MS(301));
}

TALK_TEST(while_both_talk_the_server_is_waited_for_when_it_answers_late,
          ask_while_answered(t, 300000, 10))
{
    assert_longest(t, TCPWHY_SERVER_THINK, TCPWHY_LIKELY, TCPWHY_CLIENT_IDLE);
}

TALK_TEST(while_both_talk_a_silence_of_the_client_may_be_a_wait, ask_while_answered(t, 0, 300000))
{
    assert_longest(t, TCPWHY_CLIENT_IDLE, TCPWHY_LIKELY, TCPWHY_SERVER_THINK);
}

/* At the server: the client asks while the rest of an answer is on its way, and once more when it
 * has that. */
