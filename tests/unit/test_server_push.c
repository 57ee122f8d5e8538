/* SPDX-License-Identifier: MIT */
/*
 * A server that speaks at its own time, and a client that says something to each word: turns alone
 * would make answers of them.
 */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/verdict.h"

#define PERIOD_US 1130300
#define ANSWER_US 30700
#define WORDS     20

static void assert_longest(const struct talk *t, enum tcpwhy_cause cause,
                           enum tcpwhy_confidence confidence, enum tcpwhy_cause rival)
{
    const struct tw_span *span = talk_longest_span(t, cause);

    assert_non_null(span);
    assert_int_equal(span->confidence, confidence);
    assert_int_equal(span->rival, rival);
}

/* Of a beat that nobody asked for. */
static void assert_idle(const struct talk *t)
{
    assert_longest(t, TCPWHY_CLIENT_IDLE, TCPWHY_LIKELY, TCPWHY_SERVER_THINK);
}

/* The client says something, and the server something 31 ms later. */
static int64_t ask(struct talk *t, int64_t at_us)
{
    talk_data(t, at_us, C, 70);
    talk_data(t, at_us + ANSWER_US, S, 40);
    return at_us + ANSWER_US;
}

/* Words of the server to each of which the client says something at once; each second time it asks
 * something as well. beat: they keep it, or each comes so long after what was said last. */
static void open_words(struct talk *t, bool beat)
{
    int64_t at_us = ask(t, 1000), begun_us = at_us;

    for (int i = 0; i < WORDS; i++) {
        talk_data(t, at_us + 200, C, 7);
        begun_us += PERIOD_US;
        at_us = beat ? begun_us : at_us + 200 + PERIOD_US;
        talk_data(t, at_us, S, 30);
        if (i % 2)
            at_us = ask(t, at_us + 500);
    }
    talk_data(t, at_us + 200, C, 7);
}

static void what_comes_in_a_servers_own_time_was_likely_not_asked_for(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 300);
    open_words(&t, true);
    talk_explain(&t);
    assert_idle(&t);
    talk_close(&t);
}

static void answers_between_two_beats_are_certain(void **state)
{
    (void)state;
    struct talk t;
    uint32_t certain = 0;

    talk_open(&t, C, 300);
    open_words(&t, true);
    talk_explain(&t);
    for (uint32_t i = 0; i < t.explanation.n_spans; i++) {
        const struct tw_span *s = &t.explanation.span[i];

        if (s->cause == TCPWHY_SERVER_THINK && s->confidence == TCPWHY_CERTAIN) {
            assert_true(s->to_ns - s->from_ns <= TCPWHY_US(ANSWER_US));
            certain++;
        }
    }
    assert_true(certain >= WORDS / 2);
    talk_close(&t);
}

static void answers_that_take_a_second_each_are_certain(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 300);
    open_words(&t, false);
    talk_explain(&t);
    assert_longest(&t, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    talk_close(&t);
}

/* The client speaks at its own time as well, another one. */
static void two_beats_beside_each_other_are_no_answers(void **state)
{
    (void)state;
    struct talk t;
    int64_t client_us = 1000, server_us = 150000;
    const struct tw_span *think;

    talk_open(&t, C, 300);
    while (server_us < 10 * PERIOD_US) {
        if (client_us < server_us) {
            talk_data(&t, client_us, C, 100);
            client_us += 250000;
        } else {
            talk_data(&t, server_us, S, 100);
            server_us += 333000;
        }
    }
    talk_explain(&t);
    think = talk_longest_span(&t, TCPWHY_SERVER_THINK);
    assert_true(!think || think->confidence != TCPWHY_CERTAIN);
    talk_close(&t);
}

/* It looks for questions by a timer, and the client asks some time after each answer. */
static void a_server_that_answers_by_a_timer_took_that_time(void **state)
{
    (void)state;
    static const int64_t thought_us[] = { 100000, 650000, 320000, 900000, 480000, 40000, 770000 };
    struct talk t;

    talk_open(&t, C, 300);
    for (int i = 1; i <= WORDS; i++) {
        talk_data(&t, i * PERIOD_US + thought_us[(unsigned)i % G_N_ELEMENTS(thought_us)], C, 70);
        talk_data(&t, (i + 1) * PERIOD_US, S, 40);
    }
    talk_explain(&t);
    assert_longest(&t, TCPWHY_SERVER_THINK, TCPWHY_LIKELY, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_in_a_servers_own_time_was_likely_not_asked_for),
        cmocka_unit_test(answers_between_two_beats_are_certain),
        cmocka_unit_test(answers_that_take_a_second_each_are_certain),
        cmocka_unit_test(two_beats_beside_each_other_are_no_answers),
        cmocka_unit_test(a_server_that_answers_by_a_timer_took_that_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
