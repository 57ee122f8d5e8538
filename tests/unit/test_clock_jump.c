/* SPDX-License-Identifier: MIT */
/* A silence of the capture's clock alone: those of the hosts deny it. */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define GAP_MS  10000
#define WAY_US  2000
#define STEP_US 50000

struct stamps {
    uint32_t ms[2];
    uint32_t way; /* ticks of a round trip */
};

/* How often they talk, and what a round trip is to their clocks. */
struct talkers {
    int n;
    uint32_t way;
};

static const struct talkers usual = { 10, 2 }, brief = { 1, 2 }, slow = { 1, 0 };

/* A question and its answer at that moment of the capture. */
static void exchange(struct talk *t, int64_t at_us, struct stamps *s)
{
    talk_stamped(t, at_us, C, 100, TW_ACK | TW_PSH, s->ms[C], s->ms[S]);
    talk_stamped(t, at_us + WAY_US, S, 200, TW_ACK | TW_PSH, s->ms[S] + s->way / 2, s->ms[C]);
    talk_stamped(t, at_us + WAY_US + 10, C, 0, TW_ACK, s->ms[C] + s->way, s->ms[S] + s->way / 2);
}

/* One each 50 ms, and a silence amid them of which each host's clock tells so much. */
static void talk_with_silence(struct talk *t, struct talkers of, uint32_t client_ms,
                              uint32_t server_ms)
{
    struct stamps s = { { 1000, 9000 }, of.way };
    int64_t at_us = STEP_US;

    talk_init(t);
    talk_stamped(t, 0, C, 0, TW_SYN, s.ms[C], 0);
    talk_stamped(t, WAY_US, S, 0, TW_SYN | TW_ACK, s.ms[S], s.ms[C]);
    talk_stamped(t, WAY_US + 10, C, 0, TW_ACK, s.ms[C] + s.way, s.ms[S]);
    for (int i = 0; i < of.n; i++, at_us += STEP_US) {
        bool silence = i == of.n / 2;

        if (silence)
            at_us += TCPWHY_MS(GAP_MS) / TCPWHY_US(1) - STEP_US;
        s.ms[C] += silence ? client_ms : STEP_US / 1000;
        s.ms[S] += silence ? server_ms : STEP_US / 1000;
        exchange(t, at_us, &s);
    }
    talk_explain(t);
}

/* The longest span: the silence. */
static const struct tw_span *longest(const struct talk *t)
{
    const struct tw_explanation *x = &t->explanation;
    const struct tw_span *most = x->span;

    for (uint32_t i = 1; i < x->n_spans; i++)
        if (x->span[i].to_ns - x->span[i].from_ns > most->to_ns - most->from_ns)
            most = &x->span[i];
    return most;
}

static void assert_silence(struct talkers of, uint32_t client_ms, uint32_t server_ms,
                           enum tcpwhy_cause cause, enum tcpwhy_confidence sure,
                           enum tcpwhy_cause rival)
{
    struct talk t;

    talk_with_silence(&t, of, client_ms, server_ms);
    assert_int_equal(longest(&t)->cause, cause);
    assert_int_equal(longest(&t)->confidence, sure);
    assert_int_equal(longest(&t)->rival, rival);
    assert_complete(&t);
    talk_close(&t);
}

static void assert_idle(uint32_t client_ms, uint32_t server_ms)
{
    assert_silence(usual, client_ms, server_ms, TCPWHY_CLIENT_IDLE, TCPWHY_CERTAIN,
                   TCPWHY_CAUSE_NONE);
}

static void assert_perhaps_set(uint32_t client_ms, uint32_t server_ms)
{
    assert_silence(usual, client_ms, server_ms, TCPWHY_CLIENT_IDLE, TCPWHY_LIKELY,
                   TCPWHY_CAPTURE_GAP);
}

static void assert_set(uint32_t client_ms, uint32_t server_ms)
{
    assert_silence(usual, client_ms, server_ms, TCPWHY_CAPTURE_GAP, TCPWHY_LIKELY,
                   TCPWHY_CLIENT_IDLE);
}

static void what_no_host_lived_through_is_a_clock_that_was_set(void **state)
{
    (void)state;
    assert_set(0, 0);
    assert_set(GAP_MS / 8 - 100, GAP_MS / 8 - 100);
}

static void what_no_host_lived_through_as_long_may_be_a_clock_that_was_set(void **state)
{
    (void)state;
    assert_perhaps_set(GAP_MS / 8 + 100, 0);
    assert_perhaps_set(0, GAP_MS / 8 + 100);
    assert_perhaps_set(GAP_MS / 2 - 100, GAP_MS / 2 - 100);
}

static void what_both_lived_through_was_a_silence(void **state)
{
    (void)state;
    assert_idle(GAP_MS, GAP_MS);
    assert_idle(GAP_MS / 2 + 100, GAP_MS / 2 + 100);
}

/* Its host slept. */
static void what_one_of_them_lived_through_was_a_silence(void **state)
{
    (void)state;
    assert_idle(0, GAP_MS);
    assert_idle(GAP_MS, 0);
}

/* But for a tick before the silence and one behind it, which may be nearly nothing. */
static void a_few_ticks_tell_how_fast_clocks_go_at_least(void **state)
{
    (void)state;
    assert_silence(brief, GAP_MS / 4 - 100, 0, TCPWHY_CLIENT_IDLE, TCPWHY_LIKELY,
                   TCPWHY_CAPTURE_GAP);
    assert_silence(brief, GAP_MS / 4 + 100, 0, TCPWHY_CLIENT_IDLE, TCPWHY_CERTAIN,
                   TCPWHY_CAUSE_NONE);
}

static void clocks_go_on_once_a_second_at_least(void **state)
{
    (void)state;
    assert_silence(slow, GAP_MS / 2000 - 2, 0, TCPWHY_CLIENT_IDLE, TCPWHY_LIKELY,
                   TCPWHY_CAPTURE_GAP);
    assert_silence(slow, GAP_MS / 2000, 0, TCPWHY_CLIENT_IDLE, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_host_lived_through_is_a_clock_that_was_set),
        cmocka_unit_test(what_no_host_lived_through_as_long_may_be_a_clock_that_was_set),
        cmocka_unit_test(what_both_lived_through_was_a_silence),
        cmocka_unit_test(a_few_ticks_tell_how_fast_clocks_go_at_least),
        cmocka_unit_test(clocks_go_on_once_a_second_at_least),
        cmocka_unit_test(what_one_of_them_lived_through_was_a_silence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
