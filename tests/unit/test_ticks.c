/* SPDX-License-Identifier: MIT */
/* Small segments that a timer of the kernel lets go leave on its ticks: sends made by hand. */
#include "tests/unit.h"

#include "explain/ticks.h"

#define N 7u

struct made {
    struct tw_send send[N];
    struct tw_sends sends;
    struct tw_round round;
    struct tw_rounds rounds;
};

/* Each second send is a small one that left so long after the one before, on a tick of that length
 * as those of the others are. */
static void make(struct made *m, tcpwhy_ns held_ns, tcpwhy_ns tick_ns)
{
    tcpwhy_ns at_ns = 0;

    *m = (struct made) { .sends = { .send = m->send, .n = N } };
    for (uint32_t i = 0; i < N; i++) {
        at_ns += TCPWHY_MS(37);
        if (i % 2 == 0) {
            m->send[i].sent_ns = at_ns;
            continue;
        }
        at_ns = (at_ns + held_ns + tick_ns - 1) / tick_ns * tick_ns;
        m->send[i].sent_ns = at_ns;
        m->send[i - 1].sent_ns = at_ns - held_ns;
        m->send[i].is = TW_SEND_FRESH | TW_SEND_PARTIAL;
    }
    m->rounds.round = &m->round;
}

static bool shown(const struct made *m)
{
    return tw_ticks_shown(&m->sends, &m->rounds);
}

static void three_that_left_on_ticks_show_a_timer(void **state)
{
    (void)state;
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(10));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(11));
    assert_false(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    m.sends.n = 5;
    assert_false(shown(&m));
}

#define MANY 17u

/* One of eight came a fifth of a tick late: a busy host's. */
static void of_many_one_may_be_late(void **state)
{
    (void)state;
    struct tw_send send[MANY] = { 0 };
    struct tw_sends sends = { .send = send, .n = MANY };
    struct tw_rounds none = { 0 };

    for (uint32_t i = 1; i < MANY; i++) {
        send[i].sent_ns = i / 2 * TCPWHY_MS(240) + (i % 2 ? TCPWHY_MS(31) : 0);
        send[i].is = TW_SEND_FRESH | TW_SEND_PARTIAL;
    }
    send[4].sent_ns += TCPWHY_MS(2);
    assert_true(tw_ticks_shown(&sends, &none));
    send[8].sent_ns += TCPWHY_MS(5);
    send[12].sent_ns += TCPWHY_MS(5);
    assert_false(tw_ticks_shown(&sends, &none));
}

static void shorter_and_longer_waits_are_no_timer_s(void **state)
{
    (void)state;
    struct made m;

    make(&m, TCPWHY_MS(195), TCPWHY_MS(4));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(195) - 1, TCPWHY_MS(4));
    assert_false(shown(&m));
    make(&m, TCPWHY_MS(1000), TCPWHY_MS(4));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(1000) + 1, TCPWHY_MS(4));
    assert_false(shown(&m));
}

static void full_segments_and_repeats_are_not_held(void **state)
{
    (void)state;
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    m.send[3].is = TW_SEND_FRESH;
    assert_false(shown(&m));
    m.send[3].is = TW_SEND_PARTIAL | TW_SEND_REPEAT;
    assert_false(shown(&m));
}

/* Where a side has long messages only rounds with such a silence are looked at. */
static void a_round_tells_whether_it_has_such_a_silence(void **state)
{
    (void)state;
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    m.rounds.n = 1;
    m.round.last = 4; /* the next one's first ends the silence behind it */
    assert_false(shown(&m));
    m.round.max_gap_ns = TCPWHY_MS(195);
    assert_true(shown(&m));
    m.round.last = 3;
    assert_false(shown(&m));
    m.round.last = N; /* bounded by the sends */
    assert_true(shown(&m));
}

/* Times that were read off timestamps lie on ticks by themselves. */
static void ticks_of_the_timestamps_are_no_timer_s(void **state)
{
    (void)state;
    struct tw_record record[N] = { 0 };
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    m.sends.record = record;
    for (uint32_t i = 0; i < N; i++) {
        m.send[i].record = i;
        record[i].time_ns = m.send[i].sent_ns + TCPWHY_US(1300) * i; /* queues on the way */
    }
    m.sends.clock.tick_ns = TCPWHY_MS(1);
    assert_true(shown(&m));
    m.sends.clock.tick_ns = TCPWHY_MS(4);
    assert_false(shown(&m));
    for (uint32_t i = 0; i < N; i++)
        record[i].time_ns = m.send[i].sent_ns + TCPWHY_MS(1);
    assert_true(shown(&m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_that_left_on_ticks_show_a_timer),
        cmocka_unit_test(of_many_one_may_be_late),
        cmocka_unit_test(shorter_and_longer_waits_are_no_timer_s),
        cmocka_unit_test(full_segments_and_repeats_are_not_held),
        cmocka_unit_test(a_round_tells_whether_it_has_such_a_silence),
        cmocka_unit_test(ticks_of_the_timestamps_are_no_timer_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
