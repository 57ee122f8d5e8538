/* SPDX-License-Identifier: MIT */
/*
 * What follows a retransmission of what had arrived: a smaller window, or what its sender had to
 * say and had not, as it had not heard.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define FLIGHTS    16
#define SEGMENTS   8

/* An answer in flights at the server, each larger by so many segments than the one before. The
 * first segment of the third overtakes what was before it, and that is sent again before the ACK of
 * it comes: where it is mistaken. */
static void answer_in_flights(struct talk *t, int more, bool mistaken)
{
    int64_t at_us = ROUND_TRIP + 100;
    uint32_t sent = 0;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (int flight = 0; flight < FLIGHTS; flight++, at_us += ROUND_TRIP) {
        int segments = SEGMENTS + flight * more;

        for (int i = 0; i < segments; i++)
            talk_data(t, at_us + 20 + i, S, TALK_MSS);
        for (int i = 0; flight == 2 && mistaken && i < 3; i++)
            talk_ack_to(t, at_us + ROUND_TRIP - 9 + i, C, sent);
        if (flight == 2 && mistaken)
            talk_again(t, at_us + ROUND_TRIP - 5, S, sent, TALK_MSS);
        talk_ack(t, at_us + ROUND_TRIP, C);
        sent += (uint32_t)segments * TALK_MSS;
    }
    talk_explain(t);
}

static void who_repeated_in_vain_may_have_a_smaller_window_for_it(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, 0, false);
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
    answer_in_flights(&t, 0, true);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    assert_doubted(&t, TCPWHY_SEND_BUFFER_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
}

static void who_repeated_in_vain_and_grows_slowly_did_not_leave_slow_start_early(void **state)
{
    (void)state;
    struct talk t;

    answer_in_flights(&t, 1, true);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    assert_doubted(&t, TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

/* At the client, over 20 ms: an answer stops after 4 segments that were acknowledged; two seconds
 * later the sender repeats the second, and goes on when that may have been answered, or long after.
 */
static void repeat_after_silence(struct talk *t, int64_t goes_on_us)
{
    talk_open(t, C, 20000);
    talk_data(t, 30000, C, 100);
    for (int i = 0; i < 4; i++) {
        talk_data(t, 50100 + i * 100, S, TALK_MSS);
        talk_ack(t, 50110 + i * 100, C);
    }
    talk_again(t, 2050000, S, TALK_MSS, TALK_MSS);
    talk_ack(t, 2050010, C);
    for (int i = 0; i < 4; i++) {
        talk_data(t, 2050000 + goes_on_us + i * 100, S, TALK_MSS);
        talk_ack(t, 2050010 + goes_on_us + i * 100, C);
    }
    talk_explain(t);
}

static void who_repeats_what_was_acknowledged_and_goes_on_had_not_heard(void **state)
{
    (void)state;
    struct talk t;

    repeat_after_silence(&t, 20100);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_APP_LIMITED);
    assert_true(talk_charged(&t, TCPWHY_LOSS_RECOVERY) > 1990000);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
}

static void who_does_not_go_on_then_had_nothing_to_say(void **state)
{
    (void)state;
    struct talk t;

    repeat_after_silence(&t, 500000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* At the server: the second answer is repeated so often, and the capture ends with that. */
static void repeat_until_the_end(struct talk *t, int repeats)
{
    talk_open(t, S, ROUND_TRIP);
    talk_data(t, 30000, C, 100);
    talk_data(t, 30100, S, 500);
    talk_data(t, 50000, C, 100);
    talk_data(t, 50100, S, 500);
    for (int64_t i = 0, at_us = 270000; i < repeats; i++, at_us += 220000 << i)
        talk_again(t, at_us, S, 500, 500);
    talk_explain(t);
}

static void what_is_repeated_when_the_capture_ends_may_have_arrived(void **state)
{
    (void)state;
    struct talk t;

    repeat_until_the_end(&t, 2);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    talk_close(&t);
    repeat_until_the_end(&t, 3);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* It waits for the answer and speaks all the same. */
static void but_not_where_the_receiver_spoke_and_did_not_acknowledge_it(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, ROUND_TRIP);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 30100, S, 500);
    talk_ack_to(&t, 51000, C, 0);
    talk_again(&t, 250000, S, 0, 500);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* At the server, from the middle: what it sent before is not seen, nor that it was acknowledged; it
 * sends more, and repeats the oldest of it until the client gives up. */
static void what_was_sent_before_the_capture_may_be_lost(void **state)
{
    (void)state;
    struct tw_segment s;
    struct talk t;

    talk_init(&t);
    t.next[C] = t.isn[C] + 1;
    t.next[S] = t.isn[S] + 1 + 4 * TALK_MSS;
    for (int i = 0; i < 4; i++)
        talk_data(&t, i, S, TALK_MSS);
    for (int64_t i = 0, at_us = 240000; i < 4; i++, at_us += 220000 << i)
        talk_again(&t, at_us, S, 0, TALK_MSS);
    s = talk_segment(&t, C, t.next[C], 0, TW_FIN | TW_ACK);
    s.ack = t.isn[S] + 1;
    talk_push(&t, 4000000, &s);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CLIENT_IDLE), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 4000000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

/* At the server: the first answer is of that size and arrives, the second fills a segment, is
 * repeated once, and the client gives up. */
static void lose_a_full_segment(struct talk *t, uint32_t passed)
{
    talk_open(t, S, ROUND_TRIP);
    talk_data(t, 30000, C, 100);
    talk_data(t, 30100, S, passed);
    talk_data(t, 50200, C, 100);
    talk_data(t, 50300, S, TALK_MSS);
    talk_again(t, 270000, S, passed, TALK_MSS);
    t->next[S] -= TALK_MSS;
    talk(t, 490000, C, 0, TW_FIN | TW_ACK);
    talk_explain(t);
}

static void who_repeats_the_first_full_segment_may_have_a_black_hole(void **state)
{
    (void)state;
    struct talk t;

    lose_a_full_segment(&t, 500);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_MTU_BLACK_HOLE);
    talk_close(&t);
    lose_a_full_segment(&t, TALK_MSS);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_repeated_in_vain_may_have_a_smaller_window_for_it),
        cmocka_unit_test(who_repeated_in_vain_and_grows_slowly_did_not_leave_slow_start_early),
        cmocka_unit_test(who_repeats_what_was_acknowledged_and_goes_on_had_not_heard),
        cmocka_unit_test(who_does_not_go_on_then_had_nothing_to_say),
        cmocka_unit_test(what_is_repeated_when_the_capture_ends_may_have_arrived),
        cmocka_unit_test(but_not_where_the_receiver_spoke_and_did_not_acknowledge_it),
        cmocka_unit_test(what_was_sent_before_the_capture_may_be_lost),
        cmocka_unit_test(who_repeats_the_first_full_segment_may_have_a_black_hole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
