/* SPDX-License-Identifier: MIT */
/*
 * A sender that held its partial segments, but for a slip: an ACK that the capture lacks, or
 * TCP_NODELAY set when the connection had begun.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* At no clock's pace. */
static int64_t asked_us(int exchange)
{
    return 100000 + exchange * exchange * 100000;
}

/* Exchanges at the server over a path of 20 ms: header and body apart, the body when the header was
 * acknowledged. The capture lacks the ACK of one of them. */
static void hold(struct talk *t, int times, int slip)
{
    talk_open(t, S, 20000);
    for (int i = 0; i < times; i++) {
        int64_t at_us = asked_us(i);

        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 100, S, 200);
        if (i != slip)
            talk_ack(t, at_us + 20100, C);
        talk_data(t, at_us + 20110, S, 600);
        talk_ack(t, at_us + 40110, C);
    }
    talk_explain(t);
}

static const struct tw_span *span_of_slip(const struct talk *t, int slip)
{
    for (uint32_t i = 0; i < t->explanation.n_spans; i++)
        if (t->explanation.span[i].from_ns == TCPWHY_US(asked_us(slip) + 100))
            return &t->explanation.span[i];
    return NULL;
}

static void an_ack_that_the_capture_lacks_does_not_switch_nagle_off(void **state)
{
    (void)state;
    struct talk t;

    hold(&t, 4, 2);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 3 * 20010);
    assert_int_equal(talk_span(&t, TCPWHY_NAGLE_HOLD)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

static void the_wait_before_it_is_not_surely_the_application_s(void **state)
{
    (void)state;
    struct talk t;

    hold(&t, 4, 2);
    assert_int_equal(span_of_slip(&t, 2)->cause, TCPWHY_APP_LIMITED);
    assert_int_equal(span_of_slip(&t, 2)->confidence, TCPWHY_LIKELY);
    assert_int_equal(span_of_slip(&t, 2)->rival, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

static void a_slip_as_often_as_every_third_time_does(void **state)
{
    (void)state;
    struct talk t;

    hold(&t, 3, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 0);
    assert_int_equal(span_of_slip(&t, 0)->cause, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* Until then it may have been on: TCP_NODELAY is set when a program likes. */
static void what_was_held_before_the_first_slip_may_have_been_held(void **state)
{
    (void)state;
    struct talk t;

    hold(&t, 3, 2);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 2 * 20010);
    assert_doubted(&t, TCPWHY_NAGLE_HOLD, TCPWHY_APP_LIMITED);
    assert_int_equal(span_of_slip(&t, 2)->cause, TCPWHY_APP_LIMITED);
    assert_int_equal(span_of_slip(&t, 2)->confidence, TCPWHY_LIKELY);
    assert_int_equal(span_of_slip(&t, 2)->rival, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* The server asks for segments of 800 bytes, and sends some of that many; then header and body
 * apart, the body when the header was acknowledged. */
static void ask_for_small_segments(struct talk *t, uint32_t sent_bytes)
{
    struct tw_segment s;

    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    s = talk_segment(t, S, t->next[S]++, 0, TW_SYN | TW_ACK);
    s.mss = 800;
    talk_push(t, 10, &s);
    talk_ack(t, 20010, C);
    talk_data(t, 30000, C, 100);
    talk(t, 30100, S, sent_bytes, TW_ACK);
    talk_data(t, 30110, S, 300);
    talk_ack(t, 50110, C);
    for (int64_t at_us = 100000; at_us <= 200000; at_us += 100000) {
        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 100, S, 200);
        talk_ack(t, at_us + 20100, C);
        talk_data(t, at_us + 20110, S, 600);
        talk_ack(t, at_us + 40110, C);
    }
    talk_explain(t);
}

static void who_fills_what_the_other_side_takes_sends_full_segments(void **state)
{
    (void)state;
    struct talk t;

    ask_for_small_segments(&t, TALK_MSS);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
    ask_for_small_segments(&t, 3 * TALK_MSS);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
    ask_for_small_segments(&t, 2 * 800);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
    ask_for_small_segments(&t, 700); /* and 300 slip past it */
    assert_null(talk_span(&t, TCPWHY_NAGLE_HOLD));
    talk_close(&t);
}

/* Nor is that slow start: no congestion window is less than a segment. */
static void what_an_ack_lets_go_after_less_than_a_segment_is_not_slow_start(void **state)
{
    (void)state;
    struct talk t;

    hold(&t, 3, 2);
    assert_null(talk_span(&t, TCPWHY_SLOW_START));
    talk_close(&t);
}

/* The body leaves this long after the ACK of the header, which came after 40 ms. */
static void body_after_the_ack(struct talk *t, int64_t lag_us)
{
    talk_open(t, S, 20000);
    talk_data(t, 100000, C, 100);
    talk_data(t, 100100, S, 200);
    talk_ack(t, 140100, C);
    talk_data(t, 140100 + lag_us, S, 600);
    talk_ack(t, 160100 + lag_us, C);
    talk_explain(t);
}

static void by_a_coarse_clock_the_application_is_not_certain(void **state)
{
    (void)state;
    struct talk t;

    body_after_the_ack(&t, 2000);
    assert_int_equal(talk_span(&t, TCPWHY_APP_LIMITED)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_span(&t, TCPWHY_APP_LIMITED)->rival, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
    body_after_the_ack(&t, 2010);
    talk_explain_framed(&t, false);
    assert_int_equal(talk_span(&t, TCPWHY_APP_LIMITED)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

/* At the server, over so long a path: five times header and body apart, the body so long after the
 * header's ACK. The lag of the last ones is another. */
static void lag_behind(struct talk *t, int64_t rtt_us, int64_t lag_us, int last, int64_t last_us)
{
    const int times = 5;

    talk_open(t, S, rtt_us);
    for (int i = 0; i < times; i++) {
        int64_t at_us = asked_us(i), acked_us = at_us + 100 + rtt_us;
        int64_t body_us = acked_us + (i < times - last ? lag_us : last_us);

        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 100, S, 200);
        talk_ack(t, acked_us, C);
        talk_data(t, body_us, S, 600);
        talk_ack(t, body_us + rtt_us, C);
    }
    talk_explain(t);
}

static void assert_last(const struct talk *t, enum tcpwhy_confidence confidence)
{
    const struct tw_span *last = span_of_slip(t, 4);

    assert_non_null(last);
    assert_int_equal(last->cause, TCPWHY_NAGLE_HOLD);
    assert_int_equal(last->confidence, confidence);
}

static void who_writes_late_as_often_as_he_holds_may_have_written_late(void **state)
{
    (void)state;
    struct talk t;

    lag_behind(&t, 40000, 10, 1, 2000);
    assert_last(&t, TCPWHY_CERTAIN);
    talk_close(&t);
    lag_behind(&t, 40000, 10, 2, 2000);
    assert_last(&t, TCPWHY_LIKELY);
    talk_close(&t);
    lag_behind(&t, 40000, 10, 1, 3000);
    assert_last(&t, TCPWHY_CERTAIN);
    talk_close(&t);
}

/* A program that writes the rest 80 ms after the beginning, or so much later, over a path of 28 ms
 * to a receiver that delays its ACKs by about as long, and asks again soon behind them. */
static void write_in_two(struct talk *t, const int64_t *later_us)
{
    const int64_t lag_us[] = { 11000, 8000, 900, 6200, 300, 9000 };

    talk_open(t, S, 28000);
    for (unsigned i = 0; i < sizeof lag_us / sizeof *lag_us; i++) {
        int64_t at_us = 100000 + i * 128500, rest_us = at_us + 80100 + later_us[i];

        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 100, S, 200);
        talk_ack(t, rest_us - lag_us[i], C);
        talk_data(t, rest_us, S, 800);
        talk_ack(t, rest_us + 28200, C);
    }
    talk_explain(t);
}

static void a_pause_as_long_as_delayed_acks_is_not_surely_nagle_s(void **state)
{
    (void)state;
    struct talk t;

    write_in_two(&t, (int64_t[]) { 0, 9000, 2000, 12000, 1000, 4000 });
    assert_doubted(&t, TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_APP_LIMITED);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) > 4 * 80000);
    talk_close(&t);
}

static void a_pause_far_steadier_than_the_acks_is_none_of_nagle_s(void **state)
{
    (void)state;
    struct talk t;

    write_in_two(&t, (int64_t[]) { 0, 100, 0, 1200, 100, 0 });
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_DELAYED_ACK), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 6 * 80000 + 1400);
    talk_close(&t);
}

/* Where a round trip is no longer than a host takes, every write comes soon after an ACK. */
static void on_a_short_path_the_moment_after_the_ack_is_most_of_the_wait(void **state)
{
    (void)state;
    struct talk t;

    lag_behind(&t, 200, 400, 0, 0);
    assert_doubted(&t, TCPWHY_NAGLE_HOLD, TCPWHY_APP_LIMITED);
    talk_close(&t);
    lag_behind(&t, 200, 20, 0, 0);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

/* Captured 2 ms from the server, and 160 ms from the client: five times header and body apart, the
 * body so long after the header's ACK had come to the server. */
static void lag_near_the_sender(struct talk *t, int64_t lag_us)
{
    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    talk(t, 2000, S, 0, TW_SYN | TW_ACK);
    talk(t, 162000, C, 0, TW_ACK);
    for (int i = 0; i < 5; i++) {
        int64_t header_us = asked_us(i + 2) + 2000;
        int64_t body_us = header_us + 160000 + 2000 + lag_us;

        talk_data(t, header_us - 2000, C, 100);
        talk_data(t, header_us, S, 200);
        talk_ack(t, header_us + 160000, C);
        talk_data(t, body_us, S, 600);
        talk_ack(t, body_us + 160000, C);
    }
    talk_explain(t);
}

static void a_short_way_from_the_sender_explains_no_long_lag(void **state)
{
    (void)state;
    struct talk t;

    lag_near_the_sender(&t, 1900);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 5 * 163900);
    talk_close(&t);
    lag_near_the_sender(&t, 15000);
    assert_doubted(&t, TCPWHY_NAGLE_HOLD, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ack_that_the_capture_lacks_does_not_switch_nagle_off),
        cmocka_unit_test(the_wait_before_it_is_not_surely_the_application_s),
        cmocka_unit_test(a_slip_as_often_as_every_third_time_does),
        cmocka_unit_test(what_was_held_before_the_first_slip_may_have_been_held),
        cmocka_unit_test(who_fills_what_the_other_side_takes_sends_full_segments),
        cmocka_unit_test(by_a_coarse_clock_the_application_is_not_certain),
        cmocka_unit_test(who_writes_late_as_often_as_he_holds_may_have_written_late),
        cmocka_unit_test(a_pause_as_long_as_delayed_acks_is_not_surely_nagle_s),
        cmocka_unit_test(a_pause_far_steadier_than_the_acks_is_none_of_nagle_s),
        cmocka_unit_test(on_a_short_path_the_moment_after_the_ack_is_most_of_the_wait),
        cmocka_unit_test(a_short_way_from_the_sender_explains_no_long_lag),
        cmocka_unit_test(what_an_ack_lets_go_after_less_than_a_segment_is_not_slow_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
