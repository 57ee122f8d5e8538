/* SPDX-License-Identifier: MIT */
/* Segments that take longer than the SYNs over a slow link, as what is acknowledged alone tells. */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define WAY_US   10000
#define ASKED_US 25000
#define NEXT_US  400000

/* At the client: a request is acknowledged so much later than the SYN was, and answered; another
 * one is answered so much later than by the shortest way, which is no time for a timer. */
static void ask_twice(struct talk *t, uint32_t bytes, int64_t acked_us, uint32_t next_bytes,
                      int64_t answered_us)
{
    int64_t at_us = ASKED_US + 2 * WAY_US + acked_us;

    talk_open(t, C, 2 * WAY_US);
    talk_data(t, ASKED_US, C, bytes);
    talk_ack(t, at_us, S);
    talk_data(t, at_us + 100, S, 200);
    talk_ack(t, at_us + 200, C);
    talk_data(t, NEXT_US, C, next_bytes);
    talk_data(t, NEXT_US + 2 * WAY_US + answered_us, S, 200);
    talk_ack(t, NEXT_US + 2 * WAY_US + answered_us + 100, C);
    talk_explain(t);
}

/* How sure it is that the server thought about the second request; ambiguous where it did not. */
static enum tcpwhy_confidence of_second(const struct talk *t)
{
    enum tcpwhy_confidence sure = TCPWHY_AMBIGUOUS;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        const struct tw_span *span = &t->explanation.span[i];

        if (span->cause == TCPWHY_SERVER_THINK && span->from_ns > TCPWHY_US(NEXT_US))
            sure = span->confidence;
    }
    return sure;
}

static void as_large_a_request_may_have_taken_as_long(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, 500, 6000, 500, 12000);
    assert_int_equal(of_second(&t), TCPWHY_LIKELY);
    talk_close(&t);
    ask_twice(&t, 500, 6000, 500, 12500);
    assert_int_equal(of_second(&t), TCPWHY_CERTAIN);
    talk_close(&t);
}

static void a_smaller_one_takes_less(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, 500, 6000, 200, 6000);
    assert_int_equal(of_second(&t), TCPWHY_CERTAIN);
    talk_close(&t);
}

static void a_segment_tells_of_no_more_than_twice_its_size(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, 100, 6000, 900, 24000);
    assert_int_equal(of_second(&t), TCPWHY_LIKELY);
    talk_close(&t);
    ask_twice(&t, 100, 6000, 900, 24500);
    assert_int_equal(of_second(&t), TCPWHY_CERTAIN);
    talk_close(&t);
}

static void an_ack_of_a_timer_tells_of_no_link(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, 1000, 31000, 1000, 25000);
    assert_int_equal(of_second(&t), TCPWHY_CERTAIN);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_large_a_request_may_have_taken_as_long),
        cmocka_unit_test(a_smaller_one_takes_less),
        cmocka_unit_test(a_segment_tells_of_no_more_than_twice_its_size),
        cmocka_unit_test(an_ack_of_a_timer_tells_of_no_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
