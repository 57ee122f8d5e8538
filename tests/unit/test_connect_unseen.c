/* SPDX-License-Identifier: MIT */
/* How a connection is opened where not all of it is seen, or a router has a word to say. */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* A SYN that is answered when it comes the second time. */
static void answered_the_second_time(struct talk *t, enum tcpwhy_side vantage)
{
    int64_t way = vantage == C ? 20000 : 10;

    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    t->next[C] = t->isn[C];
    talk(t, 1000000, C, 0, TW_SYN);
    talk(t, 1000000 + way, S, 0, TW_SYN | TW_ACK);
    talk(t, 1020010, C, 0, TW_ACK);
    talk_data(t, 1020020, C, 100);
    talk_data(t, 1020030 + way, S, 100);
    talk_ack(t, 1040040, C);
    talk_explain(t);
}

static void one_syn_may_have_been_lost_before_the_server(void **state)
{
    (void)state;
    struct talk t;

    answered_the_second_time(&t, C);
    assert_doubted(&t, TCPWHY_CONNECT_RETRY, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void a_syn_that_came_to_the_server_was_not_lost(void **state)
{
    (void)state;
    struct talk t;

    answered_the_second_time(&t, S);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* All SYNs have the same time, and the answer to one of them comes later than the way is long. */
static void an_echo_of_the_time_of_every_syn_tells_none(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk_stamped(&t, 0, C, 0, TW_SYN, 500, 0);
    t.next[C] = t.isn[C];
    talk_stamped(&t, 1000000, C, 0, TW_SYN, 500, 0);
    talk_stamped(&t, 1500000, S, 0, TW_SYN | TW_ACK, 90000, 500);
    talk_stamped(&t, 1500010, C, 0, TW_ACK, 2000, 90000);
    talk_stamped(&t, 1500020, C, 100, TW_ACK | TW_PSH, 2000, 90000);
    talk_stamped(&t, 1520020, S, 100, TW_ACK | TW_PSH, 90020, 2000);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_HANDSHAKE, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* Three SYNs, and a router's word about what that side sent. */
static void silence_but_for(struct talk *t, enum tw_icmp_kind kind, enum tcpwhy_side to)
{
    const struct tw_log_icmp icmp = { .time_ns = TCPWHY_MS(2), .kind = kind, .to = to };

    talk_init(t);
    for (int64_t at = 0; at <= 3000000; at += at ? 2000000 : 1000000) {
        t->next[C] = t->isn[C];
        talk(t, at, C, 0, TW_SYN);
    }
    tw_log_append_icmp(t->log, &icmp);
    talk_explain(t);
}

static void a_router_may_refuse_a_connection(void **state)
{
    (void)state;
    struct talk t;

    silence_but_for(&t, TW_ICMP_UNREACHABLE, C);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 3000000);
    talk_close(&t);
}

static void no_other_word_of_a_router_is_a_refusal(void **state)
{
    (void)state;
    struct talk t;

    silence_but_for(&t, TW_ICMP_TOO_BIG, C);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3000000);
    talk_close(&t);
    silence_but_for(&t, TW_ICMP_UNREACHABLE, S);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3000000);
    talk_close(&t);
}

/* A host that takes the SYN for one of an old connection (RFC 9293, 3.10.7.4). */
static void an_ack_alone_opens_nothing(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk_ack(&t, 2000, S);
    talk_syn_again(&t, 1000000);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 0);
    talk_close(&t);
}

/* A frame with numbers of an old connection. */
static void say_of_old(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint16_t flags)
{
    struct tw_segment s = talk_segment(t, from, t->isn[from] + 70000000, 0, flags);

    s.ack = flags & TW_ACK ? t->isn[!from] + 70000000 : 0;
    talk_push(t, at_us, &s);
}

static void who_still_has_an_old_connection_is_asked_twice(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    say_of_old(&t, 20000, S, TW_ACK);
    say_of_old(&t, 20010, C, TW_RST);
    talk_syn_again(&t, 1000000);
    talk(&t, 1020000, S, 0, TW_SYN | TW_ACK);
    talk_ack(&t, 1020010, C);
    talk_data(&t, 1020020, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    talk_data(&t, 1050000, S, 100);
    talk_explain(&t);
    assert_complete(&t);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 1000000);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 20010);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 0);
    talk_close(&t);
}

/* SYNs, and then something of the server that answers none. */
static void who_asks_in_vain_is_not_idle(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk_syn_again(&t, 1000000);
    talk_syn_again(&t, 3000000);
    talk(&t, 50000000, S, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_complete(&t);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3000000);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

/* Past here only the client's frames come: it goes on with this after that time. */
static void goes_on_unanswered(struct talk *t, uint16_t flags, int64_t after_us)
{
    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    t->next[S]++;
    talk(t, after_us, C, 0, flags);
    talk_data(t, after_us + 1000000, S, 100);
    talk_explain(t);
}

static void the_first_ack_of_a_kernel_ends_a_handshake_unseen(void **state)
{
    (void)state;
    struct talk t;

    goes_on_unanswered(&t, TW_ACK, 33000000);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 33000000);
    assert_doubted(&t, TCPWHY_HANDSHAKE, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

static void a_fin_comes_when_the_program_likes(void **state)
{
    (void)state;
    struct talk t;

    goes_on_unanswered(&t, TW_FIN | TW_ACK, 33000000);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 0);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_HANDSHAKE);
    talk_close(&t);
}

static void data_right_behind_the_answer_ends_the_handshake(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 20000, S, 0, TW_SYN | TW_ACK);
    talk_data(&t, 20500, C, 100);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 20500);
    assert_int_equal(talk_longest_span(&t, TCPWHY_HANDSHAKE)->confidence, TCPWHY_CERTAIN);
    for (uint32_t i = 0; i < t.explanation.n_spans; i++)
        assert_int_equal(t.explanation.span[i].confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

/* The accept queue is full: the answer goes again at 1 and 3 s though it was acknowledged. */
static void what_stands_behind_the_last_answer_is_told_once(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment s;

    talk_open(&t, S, 2000);
    talk_data(&t, 2100, C, 100);
    for (int64_t at = 1002010; at <= 3002010; at += 2000000) {
        s = talk_segment(&t, S, t.isn[S], 0, TW_SYN | TW_ACK);
        s.ack = t.isn[C] + 1;
        talk_push(&t, at, &s);
    }
    talk_data(&t, 4000000, S, 100);
    talk_explain(&t);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 3002010 - 10);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_syn_may_have_been_lost_before_the_server),
        cmocka_unit_test(a_syn_that_came_to_the_server_was_not_lost),
        cmocka_unit_test(an_echo_of_the_time_of_every_syn_tells_none),
        cmocka_unit_test(a_router_may_refuse_a_connection),
        cmocka_unit_test(no_other_word_of_a_router_is_a_refusal),
        cmocka_unit_test(an_ack_alone_opens_nothing),
        cmocka_unit_test(who_still_has_an_old_connection_is_asked_twice),
        cmocka_unit_test(who_asks_in_vain_is_not_idle),
        cmocka_unit_test(the_first_ack_of_a_kernel_ends_a_handshake_unseen),
        cmocka_unit_test(a_fin_comes_when_the_program_likes),
        cmocka_unit_test(data_right_behind_the_answer_ends_the_handshake),
        cmocka_unit_test(what_stands_behind_the_last_answer_is_told_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
