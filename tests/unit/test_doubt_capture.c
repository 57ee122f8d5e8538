/* SPDX-License-Identifier: MIT */
/*
 * What a capture does not hold, or tells wrongly: nothing that rests on it is certain.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* One timeout; between loss and repair the client may acknowledge bytes that nobody saw. */
static void lose_a_segment(struct talk *t, uint32_t unseen)
{
    talk_open(t, S, 10000);
    talk_data(t, 20000, C, 100);
    talk_data(t, 20100, S, 1000);
    talk_data(t, 20101, S, 500);
    talk_lost(t, S, unseen);
    talk_ack_to(t, 30100, C, 1000);
    talk_again(t, 330100, S, 1000, 500);
    talk_ack(t, 340100, C);
    talk_data(t, 340200, S, 500);
    talk_ack(t, 350200, C);
    talk_explain(t);
}

static void a_repair_that_is_all_there_is_certain(void **state)
{
    (void)state;
    struct talk t;

    lose_a_segment(&t, 0);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void a_repair_among_missing_frames_may_be_the_capture_s(void **state)
{
    (void)state;
    struct talk t;

    lose_a_segment(&t, 700);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

/* A segment of a side of which nothing else is there, and what follows. */
static void alone(struct talk *t, bool again)
{
    talk_init(t);
    t->isn[C]--; /* its SYN was sent before */
    talk_data(t, 0, C, 100);
    for (int64_t at = 300000; at <= 4800000; at *= 2)
        if (again)
            talk_again(t, at, C, 0, 100);
        else
            talk_data(t, at, C, 100);
    talk_explain(t);
}

static void what_is_repeated_to_the_end_was_not_answered_elsewhere(void **state)
{
    (void)state;
    struct talk t;

    alone(&t, true);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_CAPTURE_GAP);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 4800000);
    talk_close(&t);
}

static void what_goes_on_alone_is_half_a_capture(void **state)
{
    (void)state;
    struct talk t;

    alone(&t, false);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 4800000);
    talk_close(&t);
}

/* The answer stands behind a frame that came so much later. */
static void answer_out_of_place(struct talk *t, int64_t by_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_ack(t, 12000, S);
    talk_ack(t, 310000 + by_us, C);
    talk_data(t, 310000, S, 100);
    talk_ack(t, 330000, C);
    talk_data(t, 330010, C, 100);
    talk_explain(t);
}

static void frames_of_several_queues_out_of_place_leave_no_gap(void **state)
{
    (void)state;
    struct talk t;

    answer_out_of_place(&t, 900);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 0);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

static void a_clock_that_was_set_leaves_one(void **state)
{
    (void)state;
    struct talk t;

    answer_out_of_place(&t, 5000);
    assert_in_range(talk_charged(&t, TCPWHY_CAPTURE_GAP), 290000, 310000);
    talk_close(&t);
}

/* Seen at the server over a path of 20 ms: after a loss each ACK lets a segment go. */
static void go_on_after_a_loss(struct talk *t, bool open)
{
    uint32_t len = open ? TALK_MSS : 1460;

    if (open)
        talk_open(t, S, 20000);
    else
        talk_init(t);
    talk_data(t, 100000, C, 100);
    talk_data(t, 100100, S, len);
    talk_data(t, 100110, S, len);
    talk_again(t, 350000, S, 0, len);
    for (int64_t at_us = 370000; at_us < 500000; at_us += 20000) {
        talk_ack(t, at_us, C);
        talk_data(t, at_us + 10, S, len);
    }
    talk_explain(t);
}

static void a_window_of_unknown_scale_may_be_the_smaller_one(void **state)
{
    (void)state;
    struct talk t;

    go_on_after_a_loss(&t, true);
    assert_sure(&t, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    go_on_after_a_loss(&t, false);
    assert_doubted(&t, TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_RECEIVE_WINDOW_LIMITED);
    talk_close(&t);
}

/* Two writes of an answer with a delayed ACK of the first between them, at the server; the ACK has
 * this timestamp, stands in the capture so much behind the second, which echoes a timestamp of the
 * client. */
static void write_twice(struct talk *t, int64_t behind_us, uint32_t tsval, uint32_t echoed)
{
    struct tw_segment ack;

    talk_open(t, S, 10000);
    talk_stamped(t, 20000, C, 100, TW_ACK | TW_PSH, 20, 1);
    talk_stamped(t, 20100, S, 200, TW_ACK | TW_PSH, 520, 20);
    ack = talk_segment(t, C, t->next[C], 0, TW_ACK);
    ack.ip_id = ++t->ip_id[C];
    ack.options |= TW_OPT_TIMESTAMP;
    ack.tsval = tsval;
    ack.tsecr = 520;
    if (behind_us <= 0)
        talk_push(t, 70200 + behind_us, &ack);
    talk_stamped(t, 70200, S, 600, TW_ACK | TW_PSH, 570, echoed);
    if (behind_us > 0)
        talk_push(t, 70200 + behind_us, &ack);
    talk_stamped(t, 80300, C, 100, TW_ACK | TW_PSH, 80, 570);
    talk_stamped(t, 80400, S, 100, TW_ACK | TW_PSH, 580, 80);
    talk_explain(t);
}

static void what_echoes_an_ack_that_stands_behind_it_may_have_waited_for_it(void **state)
{
    (void)state;
    struct talk t;

    write_twice(&t, -20, 65, 65);
    assert_non_null(talk_span(&t, TCPWHY_NAGLE_DELAYED_ACK));
    talk_close(&t);
    write_twice(&t, 20, 65, 65);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_NAGLE_DELAYED_ACK);
    talk_close(&t);
    write_twice(&t, 20, 65, 20);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
    write_twice(&t, 20, 20, 20);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
    write_twice(&t, 1100, 65, 65);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* The end of an answer, of which no more was seen; the client may say later that it lacks that. */
static void answer_behind_a_hole(struct talk *t, bool told)
{
    talk_open(t, C, 10000);
    talk_data(t, 20000, C, 100);
    talk_lost(t, S, 2000);
    talk_data(t, 130000, S, 300);
    if (told)
        talk_ack_to(t, 131000, C, 0);
    talk_explain(t);
}

static void what_came_before_the_end_of_an_answer_may_have_been_its_beginning(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_a_hole(&t, false);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
    answer_behind_a_hole(&t, true);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* The capture begins with a question, by which the client had got all but so much of what comes
 * before the first that is held of the server; and goes on. */
static void begin_with_a_question(struct talk *t, uint32_t unseen)
{
    talk_init(t);
    talk_data(t, 0, C, 100);
    talk_lost(t, S, unseen);
    talk_data(t, 150000, S, 300);
    for (int64_t at_us = 200000; at_us <= 400000; at_us += 100000) {
        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 20000, S, 300);
    }
    talk_ack(t, 420010, C);
    talk_explain(t);
}

static void the_first_that_is_held_of_an_answer_may_be_its_end(void **state)
{
    (void)state;
    struct talk t;

    begin_with_a_question(&t, 0);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
    begin_with_a_question(&t, 1);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_repair_that_is_all_there_is_certain),
        cmocka_unit_test(a_repair_among_missing_frames_may_be_the_capture_s),
        cmocka_unit_test(what_is_repeated_to_the_end_was_not_answered_elsewhere),
        cmocka_unit_test(what_goes_on_alone_is_half_a_capture),
        cmocka_unit_test(frames_of_several_queues_out_of_place_leave_no_gap),
        cmocka_unit_test(what_came_before_the_end_of_an_answer_may_have_been_its_beginning),
        cmocka_unit_test(the_first_that_is_held_of_an_answer_may_be_its_end),
        cmocka_unit_test(a_clock_that_was_set_leaves_one),
        cmocka_unit_test(what_echoes_an_ack_that_stands_behind_it_may_have_waited_for_it),
        cmocka_unit_test(a_window_of_unknown_scale_may_be_the_smaller_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
