/* SPDX-License-Identifier: MIT */
/*
 * What the handshake takes, and the way that it shows, where it is whole, where the client's ACK or
 * the server's answer did not pass, and where it is not there at all; and what comes right after
 * it.
 */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define WAY_US 2000

static void assert_first(const struct talk *t, enum tcpwhy_cause cause, int64_t us,
                         enum tcpwhy_confidence confidence, enum tcpwhy_cause rival)
{
    const struct tw_span *span = talk_span(t, cause);

    assert_non_null(span);
    assert_int_equal(talk_charged(t, cause), us);
    assert_int_equal(span->confidence, confidence);
    assert_int_equal(span->rival, rival);
}

/* At the client: SYN and SYN/ACK, and the ACK comes with a request after this time. */
static void ask_without_an_ack(struct talk *t, int64_t request_us)
{
    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    talk(t, WAY_US, S, 0, TW_SYN | TW_ACK);
    talk_data(t, WAY_US + request_us, C, 100);
    talk_data(t, 2 * WAY_US + request_us, S, 100);
}

/* Exchanges, one at once after the other; the client's kernel acknowledges each answer. */
static void ask_again(struct talk *t, int64_t from_us, int times)
{
    for (int i = 0; i < times; i++, from_us += WAY_US + 20) {
        talk_ack(t, from_us + 10, C);
        talk_data(t, from_us + 20, C, 100);
        talk_data(t, from_us + 20 + WAY_US, S, 100);
    }
}

static void a_handshake_is_over_when_the_kernel_answers(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, WAY_US);
    talk_data(&t, 500000, C, 100);
    talk_data(&t, 500000 + WAY_US, S, 100);
    talk_explain(&t);
    assert_first(&t, TCPWHY_HANDSHAKE, WAY_US + 10, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    talk_close(&t);
}

static void a_request_that_brings_the_ack_came_when_the_client_liked(void **state)
{
    (void)state;
    struct talk t;

    ask_without_an_ack(&t, 500000);
    ask_again(&t, 500000 + 2 * WAY_US, 10);
    talk_explain(&t);
    assert_true(t.explanation.vantage.answered_by[C] >= TW_BY_ACKS);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), WAY_US);
    assert_first(&t, TCPWHY_CLIENT_IDLE, 500200, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    talk_close(&t);
}

static void where_no_way_is_known_it_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    ask_without_an_ack(&t, 500000);
    talk_explain(&t);
    assert_first(&t, TCPWHY_HANDSHAKE, 500000 + WAY_US, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    assert_int_equal(t.explanation.span[1].confidence, TCPWHY_LIKELY);
    assert_int_equal(t.explanation.span[1].rival, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void for_longer_than_a_syn_waits_for_its_answer_it_was_not(void **state)
{
    (void)state;
    struct talk t;

    ask_without_an_ack(&t, 1000001);
    talk_explain(&t);
    assert_first(&t, TCPWHY_CLIENT_IDLE, 1000001, TCPWHY_LIKELY, TCPWHY_HANDSHAKE);
    talk_close(&t);
}

static void an_answer_that_did_not_pass_leaves_a_doubt(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    t.next[S]++;
    talk_ack(&t, WAY_US, C);
    talk_data(&t, 500000, C, 100);
    talk_data(&t, 500000 + WAY_US, S, 100);
    talk_explain(&t);
    assert_first(&t, TCPWHY_HANDSHAKE, WAY_US, TCPWHY_LIKELY, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

/* A server that takes 120 ms; without the handshake its quickest answer is all that shows the way.
 */
static void slow_answers(struct talk *t)
{
    for (int64_t at_us = 10000; at_us < 2000000; at_us += 200000) {
        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 120000, S, 100);
        talk_ack(t, at_us + 120010, C);
    }
    talk_explain(t);
}

static void a_way_that_the_handshake_shows_is_certain(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, WAY_US);
    slow_answers(&t);
    assert_true(t.explanation.vantage.answered_by[S] >= TW_BY_ACKS);
    assert_int_equal(talk_span(&t, TCPWHY_WIRE)->confidence, TCPWHY_CERTAIN);
    assert_int_equal(talk_span(&t, TCPWHY_SERVER_THINK)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

static void handshakes_captured_twice_show_the_way_as_well(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment copy;

    talk_init(&t);
    for (int side = C; side <= S; side++) {
        talk(&t, WAY_US * side, (enum tcpwhy_side)side, 0,
             (uint16_t)(side == C ? TW_SYN : TW_SYN | TW_ACK));
        copy = talk_segment(&t, (enum tcpwhy_side)side, t.isn[side], 0,
                            (uint16_t)(side == C ? TW_SYN : TW_SYN | TW_ACK));
        talk_push(&t, WAY_US * side + 4, &copy);
    }
    talk_ack(&t, WAY_US + 10, C);
    slow_answers(&t);
    assert_first(&t, TCPWHY_HANDSHAKE, WAY_US + 10, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    assert_null(talk_span(&t, TCPWHY_CONNECT_RETRY));
    assert_true(t.explanation.vantage.answered_by[S] >= TW_BY_ACKS);
    talk_close(&t);
}

/* At the client: its request goes again after this time, and then is acknowledged. */
static void ask_twice(struct talk *t, int64_t again_us)
{
    talk_open(t, C, WAY_US);
    talk_data(t, 10000, C, 100);
    talk_again(t, 10000 + again_us, C, 0, 100);
    talk_ack(t, 10000 + again_us + WAY_US, S);
    talk_data(t, 20000 + again_us, S, 100);
    talk_explain(t);
}

static void a_first_request_that_goes_again_may_not_have_been_accepted(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, 210000);
    assert_first(&t, TCPWHY_LOSS_RECOVERY, 210000 + WAY_US, TCPWHY_LIKELY, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* Listeners that answer with cookies do not send their answer again. */
static void however_long_that_takes(void **state)
{
    (void)state;
    struct talk t;

    ask_twice(&t, 998000);
    assert_first(&t, TCPWHY_LOSS_RECOVERY, 1000000, TCPWHY_LIKELY, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* At that side: the client's request goes again so often, 200 ms after the last time, and then is
 * acknowledged, or never. */
static void ask_in_vain(struct talk *t, enum tcpwhy_side at, int times, bool taken)
{
    int64_t at_us = 10000;

    talk_open(t, at, WAY_US);
    talk_data(t, at_us, C, 100);
    for (int i = 0; i < times; i++)
        talk_again(t, at_us += 200000, C, 0, 100);
    if (taken) {
        talk_ack(t, at_us + (at == C ? WAY_US : 10), S);
        talk_data(t, at_us + 10000, S, 100);
    }
    talk_explain(t);
}

static void one_that_does_so_twice_was_not_as_a_rule(void **state)
{
    (void)state;
    struct talk t;

    ask_in_vain(&t, C, 2, true);
    assert_first(&t, TCPWHY_CONNECT_RETRY, 400000 + WAY_US, TCPWHY_LIKELY, TCPWHY_LOSS_RECOVERY);
    assert_int_equal(talk_span(&t, TCPWHY_CONNECT_RETRY)->party, TCPWHY_PARTY_SERVER);
    talk_close(&t);
    ask_in_vain(&t, C, 2, false);
    assert_null(talk_span(&t, TCPWHY_CONNECT_RETRY));
    talk_close(&t);
}

static void and_surely_where_it_is_seen_to_come(void **state)
{
    (void)state;
    struct talk t;

    ask_in_vain(&t, S, 1, true);
    assert_first(&t, TCPWHY_CONNECT_RETRY, 200010, TCPWHY_LIKELY, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
    ask_in_vain(&t, S, 2, true);
    assert_first(&t, TCPWHY_CONNECT_RETRY, 400010, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    talk_close(&t);
}

/* From behind the handshake, at that side: as above, taken at last. The server was heard before, or
 * not. */
static void ask_in_vain_unopened(struct talk *t, enum tcpwhy_side at, bool heard)
{
    int64_t at_us = 10000, way_us = at == C ? WAY_US : 10, back_us = at == C ? 10 : WAY_US;

    talk_init(t);
    t->next[C] = t->isn[C] + 1;
    t->next[S] = t->isn[S] + 1;
    if (heard)
        talk_ack(t, at_us - 1000, S);
    talk_data(t, at_us, C, 100);
    for (int i = 0; i < 3; i++)
        talk_again(t, at_us += 200000, C, 0, 100);
    talk_ack(t, at_us += way_us, S);
    for (int i = 0; i < 4; i++) {
        talk_data(t, at_us += 10000, S, 2 * TALK_MSS);
        talk_ack(t, at_us += back_us, C);
        talk_data(t, at_us += 10000, C, 100);
        talk_ack(t, at_us += way_us, S);
    }
    talk_explain(t);
}

static void without_the_handshake_what_was_seen_to_come_may_not_have_been_accepted(void **state)
{
    (void)state;
    struct talk t;

    ask_in_vain_unopened(&t, S, false);
    assert_int_equal(t.explanation.vantage.place, TCPWHY_VANTAGE_SERVER);
    assert_first(&t, TCPWHY_CONNECT_RETRY, 600010, TCPWHY_LIKELY, TCPWHY_LOSS_RECOVERY);
    assert_int_equal(talk_span(&t, TCPWHY_CONNECT_RETRY)->party, TCPWHY_PARTY_SERVER);
    talk_close(&t);
    ask_in_vain_unopened(&t, S, true);
    assert_null(talk_span(&t, TCPWHY_CONNECT_RETRY));
    talk_close(&t);
}

static void and_elsewhere_it_was_lost_as_a_rule(void **state)
{
    (void)state;
    struct talk t;

    ask_in_vain_unopened(&t, C, false);
    assert_first(&t, TCPWHY_LOSS_RECOVERY, 600000 + WAY_US, TCPWHY_LIKELY, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handshake_is_over_when_the_kernel_answers),
        cmocka_unit_test(a_request_that_brings_the_ack_came_when_the_client_liked),
        cmocka_unit_test(where_no_way_is_known_it_may_have_been_under_way),
        cmocka_unit_test(for_longer_than_a_syn_waits_for_its_answer_it_was_not),
        cmocka_unit_test(an_answer_that_did_not_pass_leaves_a_doubt),
        cmocka_unit_test(a_way_that_the_handshake_shows_is_certain),
        cmocka_unit_test(handshakes_captured_twice_show_the_way_as_well),
        cmocka_unit_test(a_first_request_that_goes_again_may_not_have_been_accepted),
        cmocka_unit_test(however_long_that_takes),
        cmocka_unit_test(one_that_does_so_twice_was_not_as_a_rule),
        cmocka_unit_test(without_the_handshake_what_was_seen_to_come_may_not_have_been_accepted),
        cmocka_unit_test(and_elsewhere_it_was_lost_as_a_rule),
        cmocka_unit_test(and_surely_where_it_is_seen_to_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
