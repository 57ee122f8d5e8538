/* SPDX-License-Identifier: MIT */
/*
 * Both sides talk at once: what is asked before something else is answered, and what is said in the
 * middle of a request.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000

/* Two requests that a protocol tells apart leave together; the second answer comes so long after
 * the first. */
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

static void no_way_is_left_to_a_question_that_was_there_before(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, C, 300000);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), 300000, 300100);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    assert_complete(&t);
    talk_close(&t);
    ask_twice(&t, S, 300000);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), 300000, 300100);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_way_is_left_to_a_question_that_was_there_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
