/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/*
 * The server writes header and body apart; the client acknowledges the header after ack_us. Seen
 * at the client over a path of 2 ms.
 */
static void header_then_body(struct talk *t, int64_t ack_us, int64_t body_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 12000, S, 200);
    talk_ack(t, 12000 + ack_us, C);
    talk_data(t, 12000 + body_us, S, 600);
    talk_ack(t, 12000 + body_us + 10, C);
    talk_explain(t);
    assert_complete(t);
}

static void nagle_and_a_delayed_ack_share_the_blame(void **state)
{
    (void)state;
    struct talk t;

    header_then_body(&t, 40000, 42000);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 42000);
    assert_int_equal(talk_span(&t, TCPWHY_NAGLE_DELAYED_ACK)->party, TCPWHY_PARTY_SERVER);
    talk_close(&t);
}

/* The delayed ACK comes with data of the receiver's: that, too, may be what was waited for. */
static void an_ack_with_data_does_not_prove_nagle(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 30010, C, 50);
    t.next[C] -= 50; /* it answers before all of the request came */
    talk_data(&t, 50000, S, 200);
    t.next[C] += 50;
    talk_data(&t, 90000, C, 10);
    talk_data(&t, 110000, S, 600);
    talk_ack(&t, 110010, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_non_null(talk_span(&t, TCPWHY_NAGLE_DELAYED_ACK));
    assert_int_equal(talk_span(&t, TCPWHY_NAGLE_DELAYED_ACK)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_span(&t, TCPWHY_NAGLE_DELAYED_ACK)->rival, TCPWHY_APP_LIMITED);
    for (uint32_t i = 0; i < t.explanation.n_details; i++)
        if (strcmp(t.explanation.detail[i].name, "ack_delay_ms") == 0)
            assert_true(t.explanation.detail[i].number == 40);
    talk_close(&t);
}

static void an_ack_in_normal_time_leaves_nagle_alone_to_blame(void **state)
{
    (void)state;
    struct talk t;

    header_then_body(&t, 10, 2010);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 2010);
    talk_close(&t);
}

/* 500 ms, and it is forbidden. */
static void an_ack_that_no_timer_may_delay_so_long_is_not_called_delayed(void **state)
{
    (void)state;
    struct talk t;

    header_then_body(&t, 500000, 502000);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 502000);
    talk_close(&t);
}

/* 30 ms is the limit: a quarter below the shortest timer known. */
static void just_below_the_shortest_timer_no_ack_is_called_delayed(void **state)
{
    (void)state;
    struct talk t;

    header_then_body(&t, 29900, 31900);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 31900);
    talk_close(&t);
}

/* The body left before the ACK of the header could have come: no Nagle, the writer was late. */
static void halves_written_apart_without_nagle_are_the_application_s(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 100);
    talk_data(&t, 12000, S, 200);
    talk_data(&t, 52000, S, 600);
    talk_ack(&t, 52010, C);
    talk_data(&t, 52020, C, 100);
    talk_data(&t, 54020, S, 200);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 40000);
    talk_close(&t);
}

static void thinking_for_40_ms_is_thinking(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 100);
    talk_ack(&t, 12000, S);
    talk_data(&t, 52000, S, 600);
    talk_ack(&t, 52010, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 40000);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_DELAYED_ACK), 0);
    talk_close(&t);
}

/* The way there and back is wire from either end; what is left is the server's. */
static void think_time_is_the_same_from_either_end(void **state)
{
    (void)state;

    for (int side = 0; side < 2; side++) {
        struct talk t;
        int64_t way = side == C ? 20000 : 0;

        talk_open(&t, (enum tcpwhy_side)side, 20000);
        talk_data(&t, 30000, C, 100);
        talk_data(&t, 130000 + way, S, 600);
        talk_explain(&t);
        assert_complete(&t);
        assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), 99900, 100100);
        talk_close(&t);
    }
}

static void a_client_that_asks_nothing_is_idle(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 3000, C, 100);
    talk_data(&t, 5000, S, 100);
    talk_ack(&t, 5010, C);
    talk_data(&t, 505000, C, 100);
    talk_data(&t, 507000, S, 100);
    talk_explain(&t);
    assert_complete(&t);
    assert_in_range(talk_charged(&t, TCPWHY_CLIENT_IDLE), 500000, 501100);
    talk_close(&t);
}

static void a_window_of_0_is_charged_until_it_opens(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 2000);
    talk_data(&t, 3000, C, 100);
    for (int i = 0; i < 4; i++)
        talk_data(&t, 3100 + i, S, 1000);
    t.window[C] = 0;
    talk_ack(&t, 5200, C);
    t.window[C] = 5000;
    talk_ack(&t, 905200, C);
    talk_data(&t, 905210, S, 1000);
    talk_explain(&t);
    assert_complete(&t);
    assert_in_range(talk_charged(&t, TCPWHY_ZERO_WINDOW), 900000, 902200);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->party, TCPWHY_PARTY_CLIENT);
    talk_close(&t);
}

/* Windows, BSD and Solaris probe with the next byte, which the receiver does not take. */
static void probes_with_a_byte_are_no_losses(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 2000);
    talk_data(&t, 10000, C, 100);
    talk_data(&t, 11000, S, 1000);
    t.window[C] = 0;
    talk_ack(&t, 13000, C);
    for (int i = 0; i < 3; i++) {
        talk_again(&t, 313000 + i * 300000, S, 1000, 1);
        talk_ack(&t, 315000 + i * 300000, C);
    }
    t.window[C] = TALK_WINDOW;
    talk_ack(&t, 1113000, C);
    talk_again(&t, 1113010, S, 1000, 1);
    t.next[S]++;
    talk_data(&t, 1113020, S, 500);
    talk_ack(&t, 1115010, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_ZERO_WINDOW), 1102010);
    talk_close(&t);
}

/* Seen at the sender: the last segment goes again after 300 ms and is acknowledged then. */
static void a_lost_tail_is_charged_until_its_repair_is_acknowledged(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 10000);
    talk_data(&t, 20000, C, 100);
    talk_data(&t, 20100, S, 1000);
    talk_data(&t, 20101, S, 500);
    talk_ack_to(&t, 30100, C, 1000);
    talk_again(&t, 330100, S, 1000, 500);
    talk_ack(&t, 340100, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 319000, 320100);
    talk_close(&t);
}

/* Seen at the receiver: nothing of the tail arrived, but the sender's packet counter moved on. */
static void a_lost_tail_shows_at_the_receiver_by_the_packet_counter(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 10000);
    talk_data(&t, 20000, C, 100);
    for (int i = 0; i < 5; i++)
        talk_data(&t, 30000 + i, S, 1000);
    talk_ack(&t, 30010, C);
    t.ip_id[S] += 2;
    talk_data(&t, 330000, S, 500);
    talk_ack(&t, 330010, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 299000, 301000);
    assert_int_equal(talk_span(&t, TCPWHY_LOSS_RECOVERY)->confidence, TCPWHY_LIKELY);
    talk_close(&t);
}

static void without_a_step_of_the_counter_a_late_tail_is_the_application_s(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 10000);
    talk_data(&t, 20000, C, 100);
    for (int i = 0; i < 5; i++)
        talk_data(&t, 30000 + i, S, 1000);
    talk_ack(&t, 30010, C);
    talk_data(&t, 330000, S, 500);
    talk_ack(&t, 330010, C);
    talk_data(&t, 330020, C, 100);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    assert_in_range(talk_charged(&t, TCPWHY_APP_LIMITED), 299000, 300000);
    talk_close(&t);
}

static void across_missing_frames_there_is_no_verdict(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 100);
    talk_lost(&t, S, 300);
    talk_ack(&t, 100000, C);
    talk_data(&t, 200000, S, 300);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 0);
    assert_true(talk_charged(&t, TCPWHY_CAPTURE_GAP) >= 190000);
    talk_close(&t);
}

/* The answer begins with bytes that did not pass here, though they arrived. */
static void an_answer_whose_begin_was_not_seen_is_no_thinking(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    talk_data(&t, 30000, C, 100);
    talk_lost(&t, S, 400);
    talk_data(&t, 530000, S, 200);
    talk_ack(&t, 530010, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 0);
    assert_true(talk_charged(&t, TCPWHY_CAPTURE_GAP) >= 500000);
    talk_close(&t);
}

/* Lost on the way to us and not sent again yet: when the answer began is seen all the same. */
static void a_hole_that_nobody_acknowledges_is_no_gap(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    talk_data(&t, 30000, C, 100);
    talk_lost(&t, S, 400);
    talk_data(&t, 530000, S, 200);
    talk_ack_to(&t, 530010, C, 0);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 480000);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 0);
    talk_close(&t);
}

/* What the ACK answers is not in the capture, nor is what was sent last before it. */
static void an_ack_of_what_was_not_seen_shows_no_delay(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk_data(&t, 0, S, 200);
    talk_lost(&t, C, 9);
    talk_lost(&t, S, 200);
    talk_data(&t, 350000, C, 12);
    talk_data(&t, 690000, S, 20);
    talk_data(&t, 690500, C, 30);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 0);
    talk_close(&t);
}

/* An answer of two segments over a path of 20 ms, the second after this; seen at the server. */
static void second_segment_after(struct talk *t, int64_t wait_us, uint32_t len, bool acked)
{
    talk_data(t, 30000, C, 100);
    talk_data(t, 30100, S, len);
    if (acked)
        talk_ack(t, 30100 + wait_us - 10, C);
    talk_data(t, 30100 + wait_us, S, len);
    talk_ack(t, 30100 + wait_us + 20000, C);
    talk_explain(t);
    assert_complete(t);
}

static void a_first_flight_that_an_ack_lets_go_on_is_slow_start(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    second_segment_after(&t, 20000, TALK_MSS, true);
    assert_int_equal(talk_charged(&t, TCPWHY_SLOW_START), 20000);
    assert_int_equal(talk_span(&t, TCPWHY_SLOW_START)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

/* A full and a short segment, and the next full one once they are acknowledged. */
static void behind_a_pushed_partial_segment_nothing_was_queued(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 30100, S, TALK_MSS);
    talk_data(&t, 30110, S, 700);
    talk_ack(&t, 50110, C);
    talk_data(&t, 50120, S, TALK_MSS);
    talk_ack(&t, 70120, C);
    talk_explain(&t);
    assert_int_equal(talk_span(&t, TCPWHY_SLOW_START)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_span(&t, TCPWHY_SLOW_START)->rival, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* Just below the pause that is the application's. */
static void without_an_ack_slow_start_is_not_certain(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    second_segment_after(&t, 4900, TALK_MSS, false);
    assert_int_equal(talk_charged(&t, TCPWHY_SLOW_START), 4900);
    assert_int_equal(talk_span(&t, TCPWHY_SLOW_START)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_span(&t, TCPWHY_SLOW_START)->rival, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void the_first_flight_seen_need_not_be_the_first(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    second_segment_after(&t, 20000, 1460, true);
    assert_int_equal(talk_charged(&t, TCPWHY_SLOW_START), 0);
    talk_close(&t);
}

static void a_heartbeat_that_nobody_answers_is_idle_time(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 3000, C, 100);
    for (int64_t at = 5000; at < 5000000; at += 1000000) {
        talk_data(&t, at, S, 20);
        talk_ack(&t, at + 10, C);
    }
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_CLIENT_IDLE) > 3900000);
    talk_close(&t);
}

/* The other side answers a keep-alive, then no more: two without an answer, and it is gone. */
static void keep_alives_that_nobody_answers_are_the_end(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 3000, C, 100);
    talk_data(&t, 5000, S, 100);
    talk_ack(&t, 5010, C);
    talk_again(&t, 1005000, C, 99, 0);
    talk_ack(&t, 1007000, S);
    talk_again(&t, 2005000, C, 99, 0);
    talk_again(&t, 3005000, C, 99, 0);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_KEEP_ALIVE), 1000000);
    assert_in_range(talk_charged(&t, TCPWHY_CLIENT_IDLE), 1990000, 2001000);
    talk_close(&t);
}

/* Frames stand before the capture's first when its clock was set back, or files were joined. */
static void what_came_before_the_first_frame_was_not_held_by_the_window(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, -10000, C, 0, TW_SYN);
    talk(&t, -9000, S, 0, TW_SYN | TW_ACK);
    talk(&t, -8000, C, 0, TW_ACK);
    talk_data(&t, -7000, C, 8);
    talk_lost(&t, C, 8);
    talk_data(&t, -6000, C, 8);
    t.ip_id[C] -= 2; /* it left before the frame that overtook it */
    talk_again(&t, -5003, C, 8, 8);
    talk_ack_to(&t, -4003, S, 24);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED), 0);
    talk_close(&t);
}

/* Five requests and answers of one segment each, seen at the client over a path of 2 ms. The
 * answers leave at times that agree modulo any tick of a kernel's timer. */
static void short_answers_after(struct talk *t, int64_t wait_us)
{
    talk_open(t, C, 2000);
    for (int64_t i = 1; i <= 5; i++) {
        talk_data(t, i * 400000 - wait_us, C, 100);
        talk_data(t, i * 400000, S, 200);
    }
    talk_explain(t);
    assert_complete(t);
}

static void a_short_answer_that_a_timer_let_go_was_corked(void **state)
{
    (void)state;
    struct talk t;

    short_answers_after(&t, 206000);
    assert_int_equal(talk_charged(&t, TCPWHY_CORK_HOLD), 5 * 204000);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 0);
    talk_close(&t);
}

static void a_short_answer_that_came_sooner_was_thought_about(void **state)
{
    (void)state;
    struct talk t;

    short_answers_after(&t, 199000);
    assert_int_equal(talk_charged(&t, TCPWHY_CORK_HOLD), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 5 * 197000);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nagle_and_a_delayed_ack_share_the_blame),
        cmocka_unit_test(an_ack_with_data_does_not_prove_nagle),
        cmocka_unit_test(an_ack_in_normal_time_leaves_nagle_alone_to_blame),
        cmocka_unit_test(an_ack_that_no_timer_may_delay_so_long_is_not_called_delayed),
        cmocka_unit_test(just_below_the_shortest_timer_no_ack_is_called_delayed),
        cmocka_unit_test(halves_written_apart_without_nagle_are_the_application_s),
        cmocka_unit_test(thinking_for_40_ms_is_thinking),
        cmocka_unit_test(think_time_is_the_same_from_either_end),
        cmocka_unit_test(a_client_that_asks_nothing_is_idle),
        cmocka_unit_test(a_window_of_0_is_charged_until_it_opens),
        cmocka_unit_test(probes_with_a_byte_are_no_losses),
        cmocka_unit_test(a_lost_tail_is_charged_until_its_repair_is_acknowledged),
        cmocka_unit_test(a_lost_tail_shows_at_the_receiver_by_the_packet_counter),
        cmocka_unit_test(without_a_step_of_the_counter_a_late_tail_is_the_application_s),
        cmocka_unit_test(across_missing_frames_there_is_no_verdict),
        cmocka_unit_test(an_answer_whose_begin_was_not_seen_is_no_thinking),
        cmocka_unit_test(a_hole_that_nobody_acknowledges_is_no_gap),
        cmocka_unit_test(an_ack_of_what_was_not_seen_shows_no_delay),
        cmocka_unit_test(a_first_flight_that_an_ack_lets_go_on_is_slow_start),
        cmocka_unit_test(behind_a_pushed_partial_segment_nothing_was_queued),
        cmocka_unit_test(without_an_ack_slow_start_is_not_certain),
        cmocka_unit_test(the_first_flight_seen_need_not_be_the_first),
        cmocka_unit_test(a_heartbeat_that_nobody_answers_is_idle_time),
        cmocka_unit_test(keep_alives_that_nobody_answers_are_the_end),
        cmocka_unit_test(what_came_before_the_first_frame_was_not_held_by_the_window),
        cmocka_unit_test(a_short_answer_that_a_timer_let_go_was_corked),
        cmocka_unit_test(a_short_answer_that_came_sooner_was_thought_about),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
