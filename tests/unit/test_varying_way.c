/* SPDX-License-Identifier: MIT */
/*
 * Ways that take longer at times without being full (Wi-Fi, mobile): what tells them from a queue
 * at a bottleneck.
 */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define LONGER     26000
#define SEGMENTS   400u
#define FIRST      8u

static int64_t so_sure_us(const struct talk *t, enum tcpwhy_confidence confidence)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        const struct tw_span *s = &t->explanation.span[i];

        if (s->cause == TCPWHY_BANDWIDTH_LIMITED && s->confidence == confidence)
            sum += (s->to_ns - s->from_ns) / 1000;
    }
    return sum;
}

/* An answer at the server: after the handshake each round trip is longer, however many segments are
 * in flight; ever some more are, evenly. */
static void answer_over_a_longer_way(struct talk *t)
{
    int64_t acked_us[SEGMENTS], at_us = ROUND_TRIP + 100;
    unsigned sent = 0, flight = FIRST;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (; sent < FIRST; sent++, at_us += LONGER / FIRST) {
        talk(t, at_us + 10, S, TALK_MSS, TW_ACK);
        acked_us[sent] = at_us + 10 + LONGER;
    }
    for (unsigned acked = 1, of_round = 0; sent < SEGMENTS; acked++) {
        unsigned more = 1;

        if (++of_round >= flight / 2) {
            of_round = 0;
            flight++;
            more = 2;
        }
        at_us = acked_us[acked - 1];
        talk_ack_to(t, at_us, C, acked * TALK_MSS);
        for (; more > 0 && sent < SEGMENTS; more--, sent++) {
            talk(t, ++at_us, S, TALK_MSS, TW_ACK);
            acked_us[sent] = at_us + LONGER;
        }
    }
    talk_explain(t);
}

static void where_more_in_flight_brings_more_the_path_is_not_surely_full(void **state)
{
    (void)state;
    struct talk t;

    answer_over_a_longer_way(&t);
    assert_true(so_sure_us(&t, TCPWHY_LIKELY) > 0);
    assert_int_equal(so_sure_us(&t, TCPWHY_CERTAIN), 0);
    talk_close(&t);
}

/* Answers at the server that leave at once, over a way of two milliseconds. ACKs of each come after
 * those times, and those bytes. */
struct step {
    int64_t at_us;
    uint32_t segments;
};

#define EXCHANGES 8
#define ANSWER    24u

static void answers_in_steps(struct talk *t, const struct step *step, unsigned n)
{
    int64_t at_us = 2100;
    uint32_t acked = 0;

    talk_open_wide(t, S, 2000);
    for (unsigned k = 0; k < EXCHANGES; k++, at_us += 100000, acked += ANSWER * TALK_MSS) {
        talk_data(t, at_us, C, 100);
        for (unsigned i = 0; i < ANSWER; i++)
            talk(t, at_us + 10 + i, S, TALK_MSS, TW_ACK | (i + 1 == ANSWER ? TW_PSH : 0));
        for (unsigned i = 0; i < n; i++)
            talk_ack_to(t, at_us + step[i].at_us, C, acked + step[i].segments * TALK_MSS);
    }
    talk_explain(t);
}

static void the_end_of_an_answer_that_comes_by_leaps_stood_in_no_sure_queue(void **state)
{
    static const struct step even[] = { { 6000, 4 },   { 10000, 8 },  { 14000, 12 },
                                        { 18000, 16 }, { 22000, 20 }, { 26000, 24 } };
    static const struct step leaps[] = { { 14500, 1 },  { 21000, 2 },  { 21010, 12 },
                                         { 25990, 13 }, { 26000, 23 }, { 26010, 24 } };
    (void)state;
    struct talk t;

    answers_in_steps(&t, even, G_N_ELEMENTS(even));
    assert_true(so_sure_us(&t, TCPWHY_CERTAIN) > EXCHANGES * 10000);
    talk_close(&t);
    answers_in_steps(&t, leaps, G_N_ELEMENTS(leaps));
    /* But for the bursts themselves. */
    assert_true(so_sure_us(&t, TCPWHY_CERTAIN) <= EXCHANGES * ANSWER);
    assert_true(so_sure_us(&t, TCPWHY_LIKELY) > EXCHANGES * 10000);
    talk_close(&t);
}

/* At the client: a request in pieces, each acknowledged by the server's kernel after a round trip,
 * and so much later at every other time; then an answer in two pieces, the second of which comes
 * 12 ms later than the client's ACK of the first could have let it go. */
static void answer_behind_a_late_ack(struct talk *t, int64_t varies_us, uint32_t len,
                                     enum tcpwhy_cause rival)
{
    const struct tw_span *last = NULL;
    int64_t at_us = ROUND_TRIP + 100;

    for (unsigned i = 0; i < 12; i++, at_us += 100000) {
        talk_data(t, at_us, C, 100);
        talk_ack(t, at_us + ROUND_TRIP + i % 2 * varies_us, S);
    }
    talk_data(t, at_us, S, len);
    talk_ack(t, at_us + 10, C);
    talk_data(t, at_us + 10 + ROUND_TRIP + 12000, S, 600);
    talk_data(t, at_us + 3 * ROUND_TRIP, C, 100);
    talk_explain(t);
    for (uint32_t i = 0; i < t->explanation.n_spans; i++)
        if (t->explanation.span[i].cause == TCPWHY_APP_LIMITED)
            last = &t->explanation.span[i];
    assert_non_null(last);
    assert_int_equal(last->from, S);
    assert_int_equal(last->rival, rival);
    assert_int_equal(last->confidence, TCPWHY_LIKELY);
    talk_close(t);
}

static void where_the_way_varies_so_much_an_ack_may_have_let_a_held_piece_go(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, ROUND_TRIP);
    answer_behind_a_late_ack(&t, 0, 200, TCPWHY_CLIENT_IDLE);
    talk_open(&t, C, ROUND_TRIP);
    answer_behind_a_late_ack(&t, 15000, 200, TCPWHY_NAGLE_HOLD);
}

static void the_ack_that_opened_a_full_window_may_have_been_late(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, ROUND_TRIP);
    t.window[C] = TALK_MSS;
    answer_behind_a_late_ack(&t, 0, TALK_MSS, TCPWHY_RECEIVE_WINDOW_LIMITED);
}

/* Small answers at the client, each so much later than the way and a part of a varying time. */
static void answer_often(struct talk *t, int64_t late_us, int64_t varies_us)
{
    enum { ANSWERS = 20 };

    talk_open(t, C, ROUND_TRIP);
    for (int64_t i = 0, at_us = 2 * ROUND_TRIP; i < ANSWERS; i++, at_us += 4 * ROUND_TRIP) {
        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + ROUND_TRIP + late_us + i * 7 % ANSWERS * varies_us / ANSWERS, S, 300);
    }
    talk_explain(t);
}

static void answers_that_spread_from_the_fastest_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    answer_often(&t, 100, 12000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
}

static void a_program_that_takes_its_time_takes_it_always(void **state)
{
    (void)state;
    struct talk t;

    answer_often(&t, 12000, 2000);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* At the client: the question is acknowledged so much later than a round trip, and answered so much
 * after that. */
static void answer_behind_its_ack(struct talk *t, int64_t late_us, int64_t after_us)
{
    int64_t acked_us = 100000 + ROUND_TRIP + late_us;

    talk_open(t, C, ROUND_TRIP);
    talk_data(t, 100000, C, 100);
    talk_ack(t, acked_us, S);
    talk_data(t, acked_us + after_us, S, 100);
    talk_data(t, acked_us + after_us + 100, C, 100);
    talk_explain(t);
}

static void what_no_timer_delays_was_late_on_its_way(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_its_ack(&t, 300000, 20000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    answer_behind_its_ack(&t, 25000, 5000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    answer_behind_its_ack(&t, 120000, 300);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    answer_behind_its_ack(&t, 40000, 5000); /* a delayed ACK */
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
    answer_behind_its_ack(&t, 300000, 301000); /* most of it came after */
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* Seen at the client, a SYN that took 100 ms, and a greeting so much later; what follows takes 20
 * ms. The server may acknowledge before it speaks. */
static void greet(struct talk *t, int64_t after_us, bool acks)
{
    int64_t at_us = 100000 + after_us;

    talk_open(t, C, 100000);
    if (acks) {
        t->window[S] += 1000;
        talk_ack(t, 120000, S);
    }
    talk_data(t, at_us, S, 100);
    for (int i = 0; i < 3; i++) {
        talk_data(t, at_us + 1000, C, 100);
        at_us += 21000;
        talk_ack(t, at_us, S);
        talk_data(t, at_us + 10, S, 100);
    }
    talk_explain(t);
}

static void the_first_word_may_take_as_long_as_the_syn(void **state)
{
    (void)state;
    struct talk t;

    greet(&t, 180000, false);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    greet(&t, 180100, false);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
    greet(&t, 180000, true);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* From the middle: two questions that only their answers acknowledge, one after 50 ms. */
static void answer_seldom(struct talk *t, int64_t last_us)
{
    talk_init(t);
    for (int i = 0; i < 2; i++) {
        int64_t answer_us = i * 1000000 + (i ? last_us : 50000);

        talk_data(t, i * 1000000, C, 100);
        talk_data(t, answer_us, S, 100);
        talk_ack(t, answer_us + 10, C);
    }
    talk_explain(t);
}

static void what_only_programs_answer_seldom_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    answer_seldom(&t, 100000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    answer_seldom(&t, 100010);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* At the server: its answer is acknowledged 25 ms beyond a round trip, and 5 ms later the client
 * asks again. */
static void who_asks_behind_a_late_ack_may_not_have_been_idle(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, ROUND_TRIP);
    talk_data(&t, 20100, C, 100);
    talk_data(&t, 20200, S, 100);
    talk_ack(&t, 65200, C);
    talk_data(&t, 70200, C, 100);
    talk_data(&t, 70300, S, 100);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_WIRE);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_more_in_flight_brings_more_the_path_is_not_surely_full),
        cmocka_unit_test(the_end_of_an_answer_that_comes_by_leaps_stood_in_no_sure_queue),
        cmocka_unit_test(where_the_way_varies_so_much_an_ack_may_have_let_a_held_piece_go),
        cmocka_unit_test(the_ack_that_opened_a_full_window_may_have_been_late),
        cmocka_unit_test(answers_that_spread_from_the_fastest_may_have_been_under_way),
        cmocka_unit_test(a_program_that_takes_its_time_takes_it_always),
        cmocka_unit_test(what_no_timer_delays_was_late_on_its_way),
        cmocka_unit_test(the_first_word_may_take_as_long_as_the_syn),
        cmocka_unit_test(what_only_programs_answer_seldom_may_have_been_under_way),
        cmocka_unit_test(who_asks_behind_a_late_ack_may_not_have_been_idle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
