/* SPDX-License-Identifier: MIT */
/*
 * The IP identification as a counter of packets: what it says of those that did not pass here, and
 * when it says nothing.
 */
#include "tests/unit.h"

#include <glib.h>

#include "explain/vantage/ip_id.h"
#include "tests/unit/verdict.h"

#define ROUND_TRIP 10000

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

TEST(without_a_leap_of_the_ip_id_there_is_no_gap)
{
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
