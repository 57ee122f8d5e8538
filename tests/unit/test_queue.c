/* SPDX-License-Identifier: MIT */
/*
 * A queue at the bottleneck: alone in it, and with others.
 */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/talk.h"

#define ROUND_TRIP  20000
#define ALONE_US    600  /* that the bottleneck takes for a segment */
#define SHARED_US   1200 /* ... while another's comes after each */
#define FIRST       40u
#define SEGMENTS    3000u
#define GROWS_EVERY 40u /* ACKs that let go one segment more */

/* An answer that a bottleneck passes segment by segment, at the server: ever more of it in flight,
 * alone up to so many segments. */
static void answer_through_a_bottleneck(struct talk *t, unsigned alone)
{
    int64_t acked_us[SEGMENTS], at_us = ROUND_TRIP + 100, free_us = 0;
    unsigned sent = 0;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (unsigned acked = 0; sent < SEGMENTS; acked++) {
        unsigned more = acked == 0 ? FIRST : acked % GROWS_EVERY == 0 ? 2 : 1;

        if (acked > 0) {
            at_us = acked_us[acked - 1];
            talk_ack_to(t, at_us, C, acked * TALK_MSS);
        }
        for (; more > 0 && sent < SEGMENTS; more--, sent++) {
            talk_data(t, ++at_us, S, TALK_MSS);
            free_us = MAX(free_us, at_us + ROUND_TRIP / 2) + (sent < alone ? ALONE_US : SHARED_US);
            acked_us[sent] = free_us + ROUND_TRIP / 2;
        }
    }
    talk_explain(t);
}

static int64_t life_us(const struct talk *t)
{
    return t->log->record[t->log->n - 1].time_ns / 1000;
}

static void alone_in_the_queue_the_bandwidth_is_the_limit(void **state)
{
    (void)state;
    struct talk t;

    answer_through_a_bottleneck(&t, SEGMENTS);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > life_us(&t) * 9 / 10);
    talk_close(&t);
}

static void a_share_of_it_is_the_limit_too(void **state)
{
    (void)state;
    struct talk t;

    answer_through_a_bottleneck(&t, SEGMENTS * 2 / 3);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > life_us(&t) * 9 / 10);
    assert_int_equal(talk_charged(&t, TCPWHY_EARLY_SLOW_START_EXIT), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_in_the_queue_the_bandwidth_is_the_limit),
        cmocka_unit_test(a_share_of_it_is_the_limit_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
