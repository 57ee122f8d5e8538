/* SPDX-License-Identifier: MIT */
/*
 * Verdicts on captures whose clock advances in coarse steps.
 */
#include "tests/unit.h"

#include <tcpwhy/tcpwhy.h>

#include "tests/unit/session_wire.h"
#include "tests/unit/verdict.h"

/* A request at the client, answered after ms, with a capture clock of this step. */
static void ask_for(struct talk *t, int64_t ms, int64_t step_ms)
{
    talk_open(t, C, 0);
    talk_data(t, 20000, C, 100);
    talk_data(t, 20000 + 1000 * ms, S, 100);
    talk_ack(t, 20000 + 1000 * ms, C);
    t->log->clock_step_ns = TCPWHY_MS(step_ms);
    talk_explain(t);
}

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, talk_close(t))

TALK_TEST(a_wait_of_four_steps_is_certain, ask_for(t, 40, 10))
{
    assert_sure(t, TCPWHY_SERVER_THINK);
}

TALK_TEST(a_shorter_one_may_have_been_the_network_s, ask_for(t, 30, 10))
{
    assert_doubted(t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
}

TALK_TEST(one_of_a_single_step_may_have_been_nothing, ask_for(t, 10, 10))
{
    assert_confidence(t, TCPWHY_SERVER_THINK, TCPWHY_AMBIGUOUS, TCPWHY_WIRE);
}

TALK_TEST(by_a_fine_clock_it_is_certain, ask_for(t, 10, 0))
{
    assert_sure(t, TCPWHY_SERVER_THINK);
}

/* ---- the whole capture ----------------------------------------------------------------------- */

#define EXCHANGES 200

/* Requests one after the other; every tenth answer comes a tick later, the others at once. */
static tcpwhy_report *ask_often(int tick_ms)
{
    tcpwhy_session *s = start(NULL);
    unsigned up = 1, down = 1;
    int ms = 0;

    push(s, ms, 1000, true, 0, 0, TW_SYN, 0);
    push(s, ms, 1000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, ms, 1000, true, 1, 1, TW_ACK, 0);
    for (int i = 0; i < EXCHANGES; i++) {
        push(s, ms, 1000, true, up, down, TW_PSH | TW_ACK, 100);
        up += 100;
        ms += i % 10 == 0 ? tick_ms : 0;
        push(s, ms, 1000, false, down, up, TW_PSH | TW_ACK, 100);
        down += 100;
    }
    return finish(s);
}

TEST(answers_that_take_a_step_now_and_then_are_no_finding)
{
    g_autoptr(tcpwhy_report) report = ask_often(10);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);

    assert_int_equal(v->cause, TCPWHY_CAUSE_NONE);
    assert_int_equal(v->confidence, TCPWHY_AMBIGUOUS);
}

TEST(the_capture_s_quality_says_so)
{
    g_autoptr(tcpwhy_report) report = ask_often(10);
    const struct tw_capture_row *capture = tw_report_capture(report);

    assert_int_equal(capture->n_quality, 1);
    assert_string_equal(capture->quality[0].fact, "clock_coarse");
    assert_non_null(strstr(capture->quality[0].text, "resolution is 10.0 ms"));
}

TEST(a_refusal_within_one_step_is_one)
{
    tcpwhy_session *s = start(NULL);
    size_t n;

    push(s, 0, 1000, true, 0, 0, TW_SYN, 0);
    push(s, 0, 1000, false, 0, 1, TW_RST | TW_ACK, 0);
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tw_finding_row *f = tw_report_findings(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(f->cause, TCPWHY_CONNECT_REFUSED);
    assert_true(f->n_frames > 0);
}
