/* SPDX-License-Identifier: MIT */
/*
 * Whether a silence was one: away from the silent side its words may have been lost.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define REQUEST  100u
#define WAY_US   2000
#define BEGIN_US (WAY_US + 20)
#define CLOSE_US 3000000

/* One exchange, seen at that side; long after the client's last ACK the server closes. */
static void server_closes(struct talk *t, enum tcpwhy_side at)
{
    int64_t answer_us = BEGIN_US + (at == C ? WAY_US : 10);

    talk_open(t, at, WAY_US);
    talk_data(t, BEGIN_US, C, REQUEST);
    talk_data(t, answer_us, S, 200);
    talk_ack(t, answer_us + (at == S ? WAY_US : 10), C);
    talk(t, CLOSE_US, S, 0, TW_ACK | TW_FIN);
}

static void a_client_that_is_never_heard_again_may_have_spoken(void **state)
{
    (void)state;
    struct talk t;

    server_closes(&t, S);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void one_that_acknowledges_the_close_was_silent(void **state)
{
    (void)state;
    struct talk t;

    server_closes(&t, S);
    talk_ack(&t, CLOSE_US + WAY_US, C);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void one_that_acknowledges_from_beyond_a_hole_may_have_spoken(void **state)
{
    (void)state;
    struct talk t;

    server_closes(&t, S);
    t.next[C] += REQUEST;
    talk_ack(&t, CLOSE_US + WAY_US, C);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void beside_the_client_its_silence_is_seen(void **state)
{
    (void)state;
    struct talk t;

    server_closes(&t, C);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* The client waits for an answer, as its protocol tells, and closes, sooner than anybody speaks
 * unasked. */
static void a_server_that_is_never_heard_again_may_have_answered(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, WAY_US);
    talk_data(&t, BEGIN_US, C, REQUEST);
    talk_ack(&t, BEGIN_US + WAY_US, S);
    talk(&t, BEGIN_US + 150000, C, 0, TW_ACK | TW_FIN);
    talk_explain(&t);
    talk_explain_framed(&t, false);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_that_is_never_heard_again_may_have_spoken),
        cmocka_unit_test(one_that_acknowledges_the_close_was_silent),
        cmocka_unit_test(one_that_acknowledges_from_beyond_a_hole_may_have_spoken),
        cmocka_unit_test(beside_the_client_its_silence_is_seen),
        cmocka_unit_test(a_server_that_is_never_heard_again_may_have_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
