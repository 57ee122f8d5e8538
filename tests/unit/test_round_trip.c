/* SPDX-License-Identifier: MIT */
/*
 * How the round trip is known: where no kernel answered at once, a program's or a timer's time may
 * be in it, and what rests on it is no longer certain.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* Requests from the middle of a connection, each answered after 100 ms with all that it takes. */
static void polls(struct talk *t, unsigned n, bool acked)
{
    talk_init(t);
    for (int64_t at = 0; at < n * INT64_C(1000000); at += 1000000) {
        talk_data(t, at, C, 12);
        if (acked)
            talk_ack(t, at + 20000, S);
        talk_data(t, at + 100000, S, 30);
        talk_ack(t, at + 100010, C);
    }
    talk_explain(t);
}

static void the_way_to_a_program_that_alone_answers_is_not_known(void **state)
{
    (void)state;
    struct talk t;

    polls(&t, 8, false);
    assert_int_not_equal(t.explanation.vantage.confidence, TCPWHY_CERTAIN);
    assert_confidence(&t, TCPWHY_WIRE, TCPWHY_AMBIGUOUS, TCPWHY_SERVER_THINK);
    assert_int_equal(talk_charged(&t, TCPWHY_WIRE), 800000);
    talk_close(&t);
}

/* A question from the middle of a connection, each frame with a timestamp, answered so late. */
static void asked_and_answered(struct talk *t, int64_t late_us)
{
    struct tw_segment s;

    talk_init(t);
    for (unsigned i = 0; i < 4; i++) {
        enum tcpwhy_side from = i % 2 ? S : C;

        s = talk_segment(t, from, t->next[from], 100, TW_ACK | TW_PSH);
        t->next[from] += 100;
        s.options |= TW_OPT_TIMESTAMP;
        s.tsval = 1000 * (i + 1);
        s.tsecr = 1000 * i;
        talk_push(t, i * late_us, &s);
    }
    talk_explain(t);
}

static void no_way_is_longer_than_a_first_timer(void **state)
{
    (void)state;
    struct talk t;

    asked_and_answered(&t, 3000000);
    assert_int_equal(t.explanation.vantage.rtt_min_ns, TCPWHY_S(6));
    talk_close(&t);
    asked_and_answered(&t, 3001000);
    assert_int_equal(t.explanation.vantage.rtt_min_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(talk_charged(&t, TCPWHY_WIRE), 0);
    talk_close(&t);
}

static void acks_of_the_kernel_tell_the_way(void **state)
{
    (void)state;
    struct talk t;

    polls(&t, 8, true);
    assert_int_equal(t.explanation.vantage.confidence, TCPWHY_CERTAIN);
    assert_sure(&t, TCPWHY_WIRE);
    assert_int_equal(talk_charged(&t, TCPWHY_WIRE), 160000);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 640000);
    talk_close(&t);
}

static void a_few_acks_may_have_been_let_go_by_what_the_program_read(void **state)
{
    (void)state;
    struct talk t;

    polls(&t, 5, true);
    assert_confidence(&t, TCPWHY_WIRE, TCPWHY_LIKELY, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* Two small writes of the server a second, the second let go by the ACK of the first. */
static void held_halves(struct talk *t, int64_t ack_us)
{
    for (int64_t at = 1000000; at < 6000000; at += 1000000) {
        talk_data(t, at, S, 300);
        talk_ack(t, at + ack_us, C);
        talk_data(t, at + ack_us + 50, S, 200);
        talk_ack(t, at + 2 * ack_us + 50, C);
    }
    talk_explain(t);
}

static void without_a_handshake_every_ack_may_have_been_delayed(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    held_halves(&t, 110000);
    assert_doubted(&t, TCPWHY_NAGLE_HOLD, TCPWHY_NAGLE_DELAYED_ACK);
    talk_close(&t);
}

static void an_ack_sooner_than_any_timer_is_not_delayed(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    held_halves(&t, 29000);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

static void a_handshake_tells_the_way_of_the_acks(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 110000);
    held_halves(&t, 110000);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

/* A frame with a timestamp of its own and the newest one of the other side. */
static void stamped(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint16_t flags,
                    uint32_t tsval, uint32_t tsecr)
{
    struct tw_segment s = talk_segment(t, from, t->isn[from] + !(flags & TW_SYN), 0, flags);

    t->next[from] = t->isn[from] + 1;
    s.options |= TW_OPT_TIMESTAMP;
    s.tsval = tsval;
    s.tsecr = tsecr;
    talk_push(t, at_us, &s);
}

static void the_answer_to_a_repeated_syn_is_timed_from_the_repeat(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    stamped(&t, 0, C, TW_SYN, 1000, 0);
    stamped(&t, 1000000, C, TW_SYN, 2000, 0);
    stamped(&t, 3000000, C, TW_SYN, 4000, 0);
    stamped(&t, 3020000, S, TW_SYN | TW_ACK, 70000, 4000);
    stamped(&t, 3020010, C, TW_ACK, 4020, 70000);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.rtt_min_ns, TCPWHY_US(20010));
    talk_close(&t);
}

/* A segment of the server that the client's end sees twice, 150 ms apart, over a path of 4 ms of
 * which half a millisecond lies before the client. */
static void what_had_come_near_the_receiver_may_have_been_acknowledged_late(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 3500, S, 0, TW_SYN | TW_ACK);
    talk(&t, 4000, C, 0, TW_ACK);
    talk_data(&t, 10000, C, 100);
    talk_data(&t, 13600, S, 200);
    talk_again(&t, 163600, S, 0, 200);
    talk_ack(&t, 164100, C);
    talk_data(&t, 170000, C, 100);
    talk_data(&t, 173600, S, 200);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.confidence, TCPWHY_LIKELY);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    talk_close(&t);
}

/* Questions at the client, each answered after 7 ms; the first answer echoes so much, and comes
 * already after 3 ms. */
static int64_t shortest_us(bool handshake, uint32_t first_echo)
{
    struct talk t;
    tcpwhy_ns rtt_ns;

    talk_init(&t);
    for (int side = C; handshake && side <= S; side++)
        talk_stamped(&t, 7000 * side, (enum tcpwhy_side)side, 0,
                     (uint16_t)(side == C ? TW_SYN : TW_SYN | TW_ACK), side == C ? 990 : 480,
                     side == C ? 0 : 990);
    for (unsigned i = 0; i < 8; i++) {
        talk_stamped(&t, 10000 + i * 20000, C, 100, TW_ACK | TW_PSH, 1000 + 20 * i, 500 + 20 * i);
        talk_stamped(&t, i ? 17000 + i * 20000 : 13000, S, 100, TW_ACK | TW_PSH, 520 + 20 * i,
                     i ? 1000 + 20 * i : first_echo);
    }
    talk_explain(&t);
    rtt_ns = t.explanation.vantage.rtt_min_ns;
    talk_close(&t);
    return rtt_ns / 1000;
}

static void what_echoes_a_time_before_the_capture_answers_no_segment_of_it(void **state)
{
    (void)state;
    assert_int_equal(shortest_us(false, 800), shortest_us(false, 1000) + 4000);
    assert_int_equal(shortest_us(false, 0), shortest_us(false, 1000));
    assert_int_equal(shortest_us(true, 800), shortest_us(true, 1000));
}

/* Questions every 12 ms at the client, that are acknowledged after 20 ms each; in the middle its
 * clock is set back by so much. */
static int64_t shortest_over_a_step_us(int64_t back_us)
{
    struct talk t;
    tcpwhy_ns rtt_ns;

    talk_open(&t, C, 20000);
    for (int i = 0; i < 40; i++) {
        int64_t at_us = 30000 + i * 6000 - (i < 20 ? 0 : back_us);

        if (i % 2 == 0)
            talk_data(&t, at_us, C, 100);
        else if (i > 3)
            talk_ack_to(&t, at_us + 2000, S, (uint32_t)(i - 1) / 2 * 100);
    }
    talk_explain(&t);
    rtt_ns = t.explanation.vantage.rtt_min_ns;
    talk_close(&t);
    return rtt_ns / 1000;
}

static void no_round_trip_is_timed_by_a_clock_that_is_being_set(void **state)
{
    (void)state;
    assert_int_equal(shortest_over_a_step_us(15000), shortest_over_a_step_us(0));
}

/* From the middle of a download, and seen so far from its receiver. */
static tcpwhy_ns round_trip_of_a_download(int64_t back_us)
{
    tcpwhy_ns rtt_ns;
    struct talk t;

    talk_init(&t);
    for (int i = 0; i < 20; i++) {
        talk_data(&t, i * 10000, S, TALK_MSS);
        talk_ack(&t, i * 10000 + back_us, C);
    }
    talk_explain(&t);
    rtt_ns = t.explanation.vantage.rtt_min_ns;
    talk_close(&t);
    return rtt_ns;
}

static void how_long_a_host_takes_is_no_round_trip(void **state)
{
    (void)state;
    assert_int_equal(round_trip_of_a_download(299), TCPWHY_NS_UNKNOWN);
    assert_int_equal(round_trip_of_a_download(300), TCPWHY_US(300));
}

/* A server's capture: the client's host is slow to complete the handshake. How long a round trip to
 * it is, as told by that, and by the ACK of the FIN that ends it all, so late. */
static void assert_round_trip(int64_t fin_us, int64_t least_us)
{
    struct talk t;

    talk_open(&t, S, 660000);
    talk_data(&t, 700000, C, 100);
    talk(&t, 900000, S, 0, TW_ACK | TW_FIN);
    talk_ack(&t, 900000 + fin_us, C);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.rtt_min_ns, TCPWHY_US(least_us + 10));
    assert_int_equal(t.explanation.vantage.rtt_max_ns, TCPWHY_US(660010));
    talk_close(&t);
}

static void no_way_is_longer_than_the_ack_of_a_fin_takes(void **state)
{
    (void)state;
    assert_round_trip(78000, 78000);
    assert_round_trip(700000, 660000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_way_is_longer_than_the_ack_of_a_fin_takes),
        cmocka_unit_test(the_way_to_a_program_that_alone_answers_is_not_known),
        cmocka_unit_test(what_echoes_a_time_before_the_capture_answers_no_segment_of_it),
        cmocka_unit_test(no_round_trip_is_timed_by_a_clock_that_is_being_set),
        cmocka_unit_test(how_long_a_host_takes_is_no_round_trip),
        cmocka_unit_test(no_way_is_longer_than_a_first_timer),
        cmocka_unit_test(acks_of_the_kernel_tell_the_way),
        cmocka_unit_test(a_few_acks_may_have_been_let_go_by_what_the_program_read),
        cmocka_unit_test(without_a_handshake_every_ack_may_have_been_delayed),
        cmocka_unit_test(an_ack_sooner_than_any_timer_is_not_delayed),
        cmocka_unit_test(a_handshake_tells_the_way_of_the_acks),
        cmocka_unit_test(the_answer_to_a_repeated_syn_is_timed_from_the_repeat),
        cmocka_unit_test(what_had_come_near_the_receiver_may_have_been_acknowledged_late),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
