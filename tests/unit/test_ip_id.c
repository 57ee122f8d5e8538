/* SPDX-License-Identifier: MIT */
/*
 * The IP identification as a counter of packets: what it says of those that did not pass here, and
 * when it says nothing. Seen at the client.
 */
#include "tests/unit.h"

#include <glib.h>

#include "explain/vantage/ip_id.h"
#include "tests/unit/verdict.h"

#define ROUND_TRIP 10000
#define PAUSE      300000
#define EXCHANGES  12

/* Answers of two full segments, as one frame or as two, and a last one that is short. Before every
 * fourth of the last ones the server was silent for longer, while its counter moved by so many. */
static void answer(struct talk *t, bool joined, uint16_t step)
{
    int64_t at_us = 2 * ROUND_TRIP;

    talk_open(t, C, ROUND_TRIP);
    for (unsigned i = 0; i < EXCHANGES; i++, at_us += 2 * ROUND_TRIP) {
        talk_data(t, at_us, C, 100);
        at_us += ROUND_TRIP;
        if (joined) {
            talk_data(t, at_us, S, 2 * TALK_MSS);
            t->ip_id[S]++;
        } else {
            talk_data(t, at_us, S, TALK_MSS);
            talk_data(t, at_us + 10, S, TALK_MSS);
        }
        talk_ack(t, at_us + 20, C);
        if (i % 4 == 3) {
            t->ip_id[S] = (uint16_t)(t->ip_id[S] + step);
            at_us += PAUSE;
        }
        talk_data(t, at_us + 30, S, 500);
        talk_ack(t, at_us + 40, C);
    }
    talk_explain(t);
}

static void one_more_packet_before_a_late_segment_was_lost(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, false, 1);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 3 * (PAUSE - 1000), 3 * (PAUSE + 1000));
    talk_close(&t);
}

static void frames_of_several_segments_are_counted_as_so_many(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, true, 1);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 3 * (PAUSE - 1000), 3 * (PAUSE + 1000));
    talk_close(&t);
    answer(&t, true, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

static void packets_of_which_nothing_comes_again_are_other_connections(void **state)
{
    (void)state;
    struct talk t;

    answer(&t, false, 100);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* Answers of one segment, and ACKs of what the client says while the server is asked for nothing;
 * its counter moves by so many before each of these. */
static void acknowledge(struct talk *t, uint16_t step)
{
    int64_t at_us = 2 * ROUND_TRIP;

    talk_open(t, C, ROUND_TRIP);
    for (unsigned i = 0; i < EXCHANGES; i++, at_us += PAUSE) {
        talk_data(t, at_us, C, 50);
        if (i % 3 == 0)
            t->ip_id[S] = (uint16_t)(t->ip_id[S] + step);
        talk_ack(t, at_us + ROUND_TRIP, S);
        talk_data(t, at_us + ROUND_TRIP + 1000, C, 50);
        talk_data(t, at_us + 2 * ROUND_TRIP + 1000, S, 300);
        talk_ack(t, at_us + 2 * ROUND_TRIP + 1010, C);
        if (i == EXCHANGES / 2)
            t->ip_id[S]++;
        talk_data(t, at_us + 2 * ROUND_TRIP + PAUSE * 2 / 3, S, 300);
        talk_ack(t, at_us + 2 * ROUND_TRIP + PAUSE * 2 / 3 + 10, C);
    }
    talk_explain(t);
}

static void acks_that_lack_packets_before_them_show_others_too(void **state)
{
    (void)state;
    struct talk t;

    acknowledge(&t, 0);
    assert_true(talk_charged(&t, TCPWHY_LOSS_RECOVERY) > PAUSE / 3);
    talk_close(&t);
    acknowledge(&t, 3);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* Answers of one segment, so long after the question; before every other one a packet is lacking.
 */
static void answer_with_one(struct talk *t, int64_t after_us)
{
    int64_t at_us = 2 * ROUND_TRIP;

    talk_open(t, C, ROUND_TRIP);
    for (unsigned i = 0; i < EXCHANGES; i++, at_us += 2 * PAUSE) {
        talk_data(t, at_us, C, 100);
        if (i % 2 == 0)
            talk_ack(t, at_us + ROUND_TRIP, S);
        else
            t->ip_id[S]++;
        talk_data(t, at_us + ROUND_TRIP + after_us, S, 300);
        talk_ack(t, at_us + ROUND_TRIP + after_us + 10, C);
    }
    talk_explain(t);
}

static void a_segment_alone_is_not_repaired_before_an_ack_may_be_delayed(void **state)
{
    (void)state;
    struct talk t;

    answer_with_one(&t, 170000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), EXCHANGES * 169000, EXCHANGES * 171000);
    talk_close(&t);
    answer_with_one(&t, 200000);
    assert_true(talk_charged(&t, TCPWHY_LOSS_RECOVERY) > EXCHANGES / 2 * 199000);
    talk_close(&t);
}

/* One question a while after the other; before the last the counter moved by one. */
static void pause_then_ask(struct talk *t, int64_t pause_us)
{
    int64_t at_us = 2 * ROUND_TRIP;

    talk_open(t, S, ROUND_TRIP);
    for (unsigned i = 0; i < EXCHANGES; i++, at_us += pause_us) {
        if (i == EXCHANGES - 1)
            t->ip_id[C]++;
        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 1000, S, 100);
        talk_ack(t, at_us + 1000 + ROUND_TRIP, C);
    }
    talk_explain(t);
}

static void a_silence_that_no_timer_lasts_is_not_one_lost_packet_s(void **state)
{
    (void)state;
    struct talk t;

    pause_then_ask(&t, 2900000);
    assert_true(talk_charged(&t, TCPWHY_LOSS_RECOVERY) > 2000000);
    talk_close(&t);
    pause_then_ask(&t, 3100000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* Now and then packets are lost, a segment comes late or again, a SYN too, or the counter is
 * another's. */
static void say_anything(struct talk *t, GRand *rand, int64_t at_us)
{
    const enum tcpwhy_side from = g_rand_int_range(rand, 0, 2) ? S : C;
    const uint16_t step = (uint16_t)g_rand_int_range(rand, 0, 1003);
    const uint32_t back = (uint32_t)g_rand_int_range(rand, 1, 4) * 100, next = t->next[C];

    switch (g_rand_int_range(rand, 0, 60)) {
    case 0:
        t->ip_id[from] = (uint16_t)(t->ip_id[from] + step);
        break;
    case 1:
        talk_lost(t, from, 100);
        break;
    case 2:
        talk_again(t, at_us, from, t->next[from] - t->isn[from] - 1 - back, 100);
        return;
    case 3:
        t->ip_id[from] = (uint16_t)(t->ip_id[from] - 2); /* it comes late */
        talk_again(t, at_us, from, t->next[from] - t->isn[from] - 1 - back, 100);
        t->ip_id[from]++;
        return;
    case 4:
        talk_syn_again(t, at_us);
        t->next[C] = next;
        return;
    default:
        break;
    }
    if (step % 2)
        talk_data(t, at_us, from, 100);
    else
        talk_ack(t, at_us, from);
}

static void without_a_leap_of_the_ip_id_there_is_no_gap(void **state)
{
    (void)state;
    GRand *rand = g_rand_new_with_seed(7);
    struct tw_scratch scratch = { 0 };
    unsigned n_gaps = 0, n_none = 0;

    for (int i = 0; i < 3000; i++) {
        struct talk t;

        talk_open(&t, S, ROUND_TRIP);
        for (int64_t at_us = 2 * ROUND_TRIP; at_us < 20 * ROUND_TRIP; at_us += ROUND_TRIP)
            say_anything(&t, rand, at_us);
        for (int side = 0; side < 2; side++) {
            struct tw_ip_id all;
            bool may = t.last.connection->side[side].ids_lack;

            tw_ip_id_count(t.log, (enum tcpwhy_side)side, TALK_MSS, TCPWHY_US(ROUND_TRIP), &scratch,
                           &all);
            assert_true(may || all.gaps == 0);
            n_gaps += all.gaps > 0;
            n_none += !may;
        }
        talk_close(&t);
    }
    assert_true(n_gaps > 500);
    assert_true(n_none > 500);
    tw_scratch_clear(&scratch);
    g_rand_free(rand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_more_packet_before_a_late_segment_was_lost),
        cmocka_unit_test(frames_of_several_segments_are_counted_as_so_many),
        cmocka_unit_test(packets_of_which_nothing_comes_again_are_other_connections),
        cmocka_unit_test(a_silence_that_no_timer_lasts_is_not_one_lost_packet_s),
        cmocka_unit_test(acks_that_lack_packets_before_them_show_others_too),
        cmocka_unit_test(a_segment_alone_is_not_repaired_before_an_ack_may_be_delayed),
        cmocka_unit_test(without_a_leap_of_the_ip_id_there_is_no_gap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
