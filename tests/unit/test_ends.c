/* SPDX-License-Identifier: MIT */
/*
 * Where messages end, and connections: what still waits then, and what does not any more.
 */
#include "tests/unit.h"

#include "tests/unit/talk.h"

/* An answer over a path of so long a round trip that each flight comes after a silence. */
static void what_an_ack_lets_go_was_not_pushed_unasked(void **state)
{
    (void)state;
    const int64_t rtt_us = 300000;
    struct talk t;
    int64_t at_us = rtt_us + 100;

    talk_open(&t, S, rtt_us);
    talk_data(&t, at_us, C, 100);
    for (unsigned round = 0; round < 4; round++, at_us += rtt_us) {
        for (unsigned i = 0; i < 2u << round; i++)
            talk_data(&t, at_us + 20 + i, S, TALK_MSS);
        talk_ack(&t, at_us + rtt_us, C);
    }
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CLIENT_IDLE), 0);
    assert_true(talk_charged(&t, TCPWHY_SLOW_START) >= 3 * rtt_us - 100);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_ack_lets_go_was_not_pushed_unasked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
