/* SPDX-License-Identifier: MIT */
/* TCP Fast Open: what a SYN brings is taken, or left, or some of it (RFC 7413, section 4.2.2). */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define RTT   20000
#define ASKED 300u
#define THINK 50000

/* The client asks with its SYN, seen from one end, and so many bytes of that are taken. */
static void open_taking(struct talk *t, enum tcpwhy_side vantage, uint32_t taken)
{
    struct tw_segment s;

    talk_init(t);
    talk(t, 0, C, ASKED, TW_SYN);
    s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);
    s.ack = t->isn[C] + 1 + taken;
    t->next[S]++;
    talk_push(t, vantage == C ? RTT : 10, &s);
    talk_again(t, RTT + 20, C, taken, 0);
}

/* It is answered, and says that it has that. */
static void answer(struct talk *t, enum tcpwhy_side vantage, int64_t asked_us)
{
    const int64_t way_us = vantage == C ? RTT : 0;

    talk_ack(t, asked_us + way_us + 10, S);
    talk_data(t, asked_us + way_us + THINK, S, 100);
    talk_ack(t, asked_us + RTT + THINK + 10, C);
    talk_explain(t);
}

static void assert_asked(const struct talk *t, uint32_t first, uint32_t last)
{
    assert_int_equal(t->exchanges.n, 1);
    assert_int_equal(t->exchanges.exchange[0].request_first, first);
    assert_int_equal(t->exchanges.exchange[0].request_last, last);
    assert_int_equal(t->last.connection->side[C].bytes, ASKED);
}

static void what_is_taken_has_arrived_with_the_syn(void **state)
{
    (void)state;
    struct talk t;

    open_taking(&t, S, ASKED);
    talk_data(&t, RTT + THINK, S, 100);
    talk_ack(&t, 2 * RTT + THINK, C);
    talk_explain(&t);
    assert_asked(&t, 0, 0);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), THINK - 100, THINK + 100);
    talk_close(&t);
}

static void what_is_left_was_not_lost(void **state)
{
    (void)state;

    for (int vantage = 0; vantage < 2; vantage++) {
        struct talk t;

        open_taking(&t, (enum tcpwhy_side)vantage, 0);
        talk_again(&t, RTT + 30, C, 0, ASKED);
        assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
        answer(&t, (enum tcpwhy_side)vantage, RTT + 30);
        assert_asked(&t, 3, 3);
        assert_int_equal(t.last.connection->side[C].retransmissions, 0);
        assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
        assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), THINK - 100, THINK + 100);
        assert_in_range(t.explanation.vantage.rtt_max_ns, TCPWHY_US(RTT), TCPWHY_US(RTT + 100));
        assert_complete(&t);
        talk_close(&t);
    }
}

static void of_what_is_taken_in_part_the_rest_was_not_lost(void **state)
{
    (void)state;
    struct talk t;

    open_taking(&t, C, 100);
    talk_again(&t, RTT + 30, C, 100, ASKED - 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    answer(&t, C, RTT + 30);
    assert_asked(&t, 0, 3);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

static void it_may_go_again_in_pieces_and_with_more(void **state)
{
    (void)state;
    struct talk t;

    open_taking(&t, C, 0);
    talk_again(&t, RTT + 30, C, 0, 100);
    talk_again(&t, RTT + 40, C, 100, ASKED);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.fresh, 100);
    assert_int_equal(t.last.connection->side[C].bytes, ASKED + 100);
    assert_int_equal(t.last.connection->side[C].retransmissions, 0);
    talk_close(&t);
}

static void what_goes_a_third_time_was_lost(void **state)
{
    (void)state;
    struct talk t;

    open_taking(&t, C, 0);
    talk_again(&t, RTT + 30, C, 0, ASKED);
    talk_again(&t, RTT + 30 + 250000, C, 0, ASKED);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    answer(&t, C, RTT + 30 + 250000);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 250000, 250000 + 2 * RTT);
    talk_close(&t);
}

/* Away from the client. */
static void what_comes_late_behind_the_handshake_may_have_been_lost_before(void **state)
{
    (void)state;
    struct talk t;

    open_taking(&t, S, 0);
    talk_again(&t, RTT + 30 + 250000, C, 0, ASKED);
    answer(&t, S, RTT + 30 + 250000);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_has_arrived_with_the_syn),
        cmocka_unit_test(what_is_left_was_not_lost),
        cmocka_unit_test(of_what_is_taken_in_part_the_rest_was_not_lost),
        cmocka_unit_test(it_may_go_again_in_pieces_and_with_more),
        cmocka_unit_test(what_goes_a_third_time_was_lost),
        cmocka_unit_test(what_comes_late_behind_the_handshake_may_have_been_lost_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
