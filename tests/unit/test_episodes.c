/* SPDX-License-Identifier: MIT */
/*
 * Repairs that follow each other: what is only inferred of one does not become sure for the next.
 * And one that was none.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define BEGIN      (2 * ROUND_TRIP)
#define SILENCE    60000
#define TIMER      1000000

/* An answer at the client: four segments, and one more after a silence; that is repeated by a timer
 * before it is acknowledged. Before it, too, a packet may have been sent. */
static void answer(struct talk *t, bool counter_steps)
{
    int64_t at_us = BEGIN + ROUND_TRIP;

    talk_open(t, C, ROUND_TRIP);
    talk_data(t, BEGIN, C, 100);
    for (int i = 0; i < 4; i++)
        talk(t, at_us + i, S, TALK_MSS, TW_ACK);
    talk_ack(t, at_us + 10, C);
    t->ip_id[S] += counter_steps;
    at_us += SILENCE;
    talk(t, at_us, S, TALK_MSS, TW_ACK);
    talk_again(t, at_us + TIMER, S, 4 * TALK_MSS, TALK_MSS);
    talk_ack(t, at_us + TIMER + 10, C);
    talk_data(t, at_us + TIMER + 20, C, 100);
    talk_explain(t);
    assert_complete(t);
}

static const struct tw_span *second(const struct talk *t, enum tcpwhy_cause cause)
{
    const struct tw_span *span = talk_span(t, cause);

    return span && span[1].cause == cause ? &span[1] : NULL;
}

static void a_silence_that_may_be_a_repair_does_not_become_one_by_the_next(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, true);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_APP_LIMITED);
    assert_non_null(second(&t, TCPWHY_LOSS_RECOVERY));
    assert_int_equal(second(&t, TCPWHY_LOSS_RECOVERY)->confidence, TCPWHY_CERTAIN);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), TIMER + SILENCE - 100,
                    TIMER + SILENCE + 100);
    talk_close(&t);
}

static void without_a_step_of_the_counter_the_silence_is_no_repair(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, false);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), TIMER - 100, TIMER + 100);
    talk_close(&t);
}

/* At the server, over 20 ms: the timer repeats the first of four segments after so long, and then
 * the ACK of all comes, sooner than of the repeat, and lets four more go. */
static void stall(struct talk *t, int64_t timer_us)
{
    int64_t at_us = 2 * ROUND_TRIP;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (int i = 0; i < 4; i++)
        talk(t, at_us + 100 + i, S, TALK_MSS, TW_ACK);
    at_us += timer_us;
    talk_again(t, at_us, S, 0, TALK_MSS);
    talk_ack(t, at_us + 5000, C);
    for (int i = 0; i < 4; i++)
        talk(t, at_us + 5010 + i, S, TALK_MSS, TW_ACK);
    talk_ack(t, at_us + 5000 + ROUND_TRIP, C);
    talk_explain(t);
}

static void a_timer_that_fired_in_vain_is_no_window_s_wait(void **state)
{
    (void)state;
    struct talk t;

    stall(&t, 250000);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 254000, 256000);
    talk_close(&t);
    stall(&t, 180000);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silence_that_may_be_a_repair_does_not_become_one_by_the_next),
        cmocka_unit_test(without_a_step_of_the_counter_the_silence_is_no_repair),
        cmocka_unit_test(a_timer_that_fired_in_vain_is_no_window_s_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
