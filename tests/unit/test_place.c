/* SPDX-License-Identifier: MIT */
/* Where a capture was taken, where the ways to both sides do not tell: what routers took off. */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define NEVER (-1)

static void push(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint16_t flags, uint8_t ttl)
{
    struct tw_segment s = talk_segment(t, from, t->next[from], 0, flags);

    s.ttl = ttl;
    t->next[from] += !!(flags & TW_SYN);
    talk_push(t, at_us, &s);
}

/* A SYN, and after so long its answer, or none. */
static void assert_place(uint8_t client_ttl, int64_t answer_us, uint8_t server_ttl,
                         enum tcpwhy_vantage place, enum tcpwhy_confidence confidence)
{
    struct talk t;

    talk_init(&t);
    push(&t, 0, C, TW_SYN, client_ttl);
    if (answer_us != NEVER) {
        push(&t, answer_us, S, TW_SYN | TW_ACK, server_ttl);
        push(&t, answer_us + 10, C, TW_ACK, client_ttl);
    }
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, place);
    assert_int_equal(t.explanation.vantage.confidence, confidence);
    talk_close(&t);
}

static void the_side_from_which_no_router_was_passed_is_likely_here(void **state)
{
    (void)state;
    assert_place(64, 200, 57, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
    assert_place(120, 200, 64, TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY);
    assert_place(120, 200, 255, TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY);
    assert_place(128, 200, 57, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
}

static void behind_routers_from_both_it_is_the_middle(void **state)
{
    (void)state;
    assert_place(120, 200, 57, TCPWHY_VANTAGE_MIDDLE, TCPWHY_LIKELY);
}

static void on_one_network_either_may_be_here(void **state)
{
    (void)state;
    assert_place(64, 200, 128, TCPWHY_VANTAGE_CLIENT, TCPWHY_AMBIGUOUS);
}

static void without_an_answer_the_asker_may_be_here_and_else_nobody_knows(void **state)
{
    (void)state;
    assert_place(64, NEVER, 0, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
    assert_place(57, NEVER, 0, TCPWHY_VANTAGE_UNKNOWN, TCPWHY_AMBIGUOUS);
}

static void ways_that_tell_need_no_routers(void **state)
{
    (void)state;
    assert_place(57, 20000, 64, TCPWHY_VANTAGE_CLIENT, TCPWHY_CERTAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_side_from_which_no_router_was_passed_is_likely_here),
        cmocka_unit_test(behind_routers_from_both_it_is_the_middle),
        cmocka_unit_test(on_one_network_either_may_be_here),
        cmocka_unit_test(without_an_answer_the_asker_may_be_here_and_else_nobody_knows),
        cmocka_unit_test(ways_that_tell_need_no_routers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
