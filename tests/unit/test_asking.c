/* SPDX-License-Identifier: MIT */
/*
 * SYNs that are sent again: who let the first ones go unanswered, and which of them the answer is
 * to.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define SECOND     1000000

/* A SYN, stamped with its second, or not. */
static void ask(struct talk *t, int64_t at_us, bool stamped)
{
    struct tw_segment s = talk_segment(t, C, t->isn[C], 0, TW_SYN);

    if (stamped) {
        s.options |= TW_OPT_TIMESTAMP;
        s.tsval = (uint32_t)(at_us / 1000 + 1);
    }
    talk_push(t, at_us, &s);
    t->next[C] = t->isn[C] + 1;
}

static void answer(struct talk *t, int64_t at_us, uint32_t tsecr)
{
    struct tw_segment s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);

    if (tsecr) {
        s.options |= TW_OPT_TIMESTAMP;
        s.tsval = 7000;
        s.tsecr = tsecr;
    }
    talk_push(t, at_us, &s);
    t->next[S] = t->isn[S] + 1;
}

/* A request is answered at once over the path, seen from this side of it. */
static void go_on(struct talk *t, int64_t at_us, enum tcpwhy_side vantage)
{
    int64_t to_server = vantage == C ? ROUND_TRIP : 10, to_client = vantage == C ? 10 : ROUND_TRIP;

    talk_ack(t, at_us + to_client, C);
    talk_data(t, at_us + to_client + 10, C, 100);
    talk_data(t, at_us + to_client + to_server + 20, S, 100);
    talk_ack(t, at_us + 2 * to_client + to_server + 20, C);
    talk_explain(t);
    assert_complete(t);
}

/* So many SYNs, a second apart, the last of which is answered. */
static void asked(struct talk *t, int syns, enum tcpwhy_side vantage)
{
    int64_t at_us = 0;

    talk_init(t);
    for (int i = 0; i < syns; i++, at_us += SECOND)
        ask(t, at_us, false);
    at_us += (vantage == C ? ROUND_TRIP : 10) - SECOND;
    answer(t, at_us, 0);
    go_on(t, at_us, vantage);
}

static void a_single_syn_may_have_been_lost(void **state)
{
    (void)state;
    struct talk t;

    asked(&t, 2, C);
    assert_doubted(&t, TCPWHY_CONNECT_RETRY, TCPWHY_LOSS_RECOVERY);
    assert_sure(&t, TCPWHY_HANDSHAKE);
    talk_close(&t);
    asked(&t, 3, C);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

static void at_the_server_it_had_arrived(void **state)
{
    (void)state;
    struct talk t;

    asked(&t, 2, S);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* Two SYNs, and an answer in less than a second, that echoes the timestamp of one, or has none. */
static void answered_late(struct talk *t, uint32_t tsecr)
{
    talk_init(t);
    ask(t, 0, tsecr > 0);
    ask(t, SECOND, tsecr > 0);
    answer(t, SECOND + 700000, tsecr);
    go_on(t, SECOND + 700000, C);
}

static void a_late_answer_may_be_to_a_syn_before(void **state)
{
    (void)state;
    struct talk t;

    answered_late(&t, 0);
    assert_doubted(&t, TCPWHY_HANDSHAKE, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
    answered_late(&t, 1);
    assert_doubted(&t, TCPWHY_HANDSHAKE, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
    answered_late(&t, 1001);
    assert_sure(&t, TCPWHY_HANDSHAKE);
    talk_close(&t);
}

static void nobody_waits_for_ten_seconds_without_asking_again(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    ask(&t, 0, false);
    answer(&t, 10 * SECOND, 0);
    go_on(&t, 10 * SECOND, C);
    assert_doubted(&t, TCPWHY_HANDSHAKE, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

/* The answers to both cross the second; then the client asks once more, and acknowledges them. */
static void who_asks_on_had_no_answer_though_none_goes_again(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    ask(&t, 0, false);
    ask(&t, SECOND, false);
    answer(&t, SECOND + ROUND_TRIP, 0);
    answer(&t, 2 * SECOND, 0);
    ask(&t, 3 * SECOND, false);
    go_on(&t, 3 * SECOND, C);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3 * SECOND - ROUND_TRIP + 10);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), ROUND_TRIP);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_syn_may_have_been_lost),
        cmocka_unit_test(at_the_server_it_had_arrived),
        cmocka_unit_test(a_late_answer_may_be_to_a_syn_before),
        cmocka_unit_test(nobody_waits_for_ten_seconds_without_asking_again),
        cmocka_unit_test(who_asks_on_had_no_answer_though_none_goes_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
