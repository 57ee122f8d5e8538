/* SPDX-License-Identifier: MIT */
/* Small segments that a timer of the kernel lets go leave on its ticks: sends made by hand. */
#include "tests/unit.h"

#include "explain/model/timer_ticks.h"

#define N 7u

struct made {
    struct tw_record record[N];
    struct tw_send send[N];
    struct tw_sender_timeline sends;
    struct tw_round round;
    struct tw_rounds rounds;
};

/* Each second send is a small one that left held_ns after the one before, on the same ticks as the
 * others. */
static void make(struct made *m, tcpwhy_ns held_ns, tcpwhy_ns tick_ns)
{
    tcpwhy_ns at_ns = 0;

    *m = (struct made) { .sends = { .send = m->send, .record = m->record, .n = N, .heard = true } };
    for (uint32_t i = 0; i < N; i++) {
        at_ns += TCPWHY_MS(37);
        m->send[i].record = i;
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
    return tw_timer_ticks_find(&m->sends, &m->rounds, TCPWHY_MS(20), 0) == TW_TIMER_TICKS_SHOWN;
}

TEST(three_segments_on_timer_ticks_show_a_timer)
{
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(10));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(8));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(11));
    assert_false(shown(&m));
    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    m.sends.n = 5;
    assert_false(shown(&m));
}

#define MANY 17u

/* Every second of many sends is a small one, which left so long after the small one before. */
struct many {
    struct tw_record record[MANY];
    struct tw_send send[MANY];
    struct tw_sender_timeline sends;
};

static void make_many(struct many *m, tcpwhy_ns beat_ns, tcpwhy_ns uneven_ns)
{
    tcpwhy_ns at_ns = 0;

    *m = (struct many) { .sends = {
                             .send = m->send, .record = m->record, .n = MANY, .heard = true } };
    for (uint32_t i = 0; i < MANY; i++) {
        if (i > 0 && i % 2 == 0)
            at_ns += beat_ns + (i % 4 ? uneven_ns : 0);
        m->send[i] = (struct tw_send) { .record = i,
                                        .is = TW_SEND_FRESH | (i % 2 ? 0 : TW_SEND_PARTIAL),
                                        .sent_ns = at_ns + (i % 2 ? TCPWHY_MS(31) : 0) };
        m->record[i].time_ns = m->send[i].sent_ns;
    }
}

static enum tw_timer_ticks many_tell(const struct many *m, tcpwhy_ns step_ns)
{
    struct tw_rounds none = { 0 };

    return tw_timer_ticks_find(&m->sends, &none, TCPWHY_MS(20), step_ns);
}

/* One of eight came a fifth of a tick late: a busy host's. */
TEST(one_segment_of_many_may_miss_its_timer_tick)
{
    struct many m;

    make_many(&m, TCPWHY_MS(240), 0);
    m.send[4].sent_ns += TCPWHY_MS(2);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
    m.send[8].sent_ns += TCPWHY_MS(5);
    m.send[12].sent_ns += TCPWHY_MS(5);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_NONE);
}

/* As a timer makes it that is as long as a round trip wants; or a program's clock, which is told to
 * go by a round number of milliseconds. */
TEST(many_on_ticks_show_a_timer_surely_unless_at_a_program_s_beat)
{
    struct many m;

    make_many(&m, TCPWHY_MS(240), TCPWHY_MS(4));
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
    make_many(&m, TCPWHY_MS(248), 0);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
    make_many(&m, TCPWHY_MS(240), 0);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);
    make_many(&m, TCPWHY_MS(250), TCPWHY_MS(250)); /* one in two is skipped */
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);
}

/* A tenth of a millisecond each time, as no clock is wrong: not where some are late by as much. */
TEST(a_beat_that_drifts_across_the_ticks_is_a_program_s)
{
    struct many m;

    make_many(&m, TCPWHY_US(240100), 0);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_NONE);
    make_many(&m, TCPWHY_US(240020), 0);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);
    make_many(&m, TCPWHY_MS(240), 0);
    m.send[4].sent_ns += TCPWHY_US(700);
    m.send[12].sent_ns += TCPWHY_US(300);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
}

TEST(five_segments_on_ticks_are_certain_and_four_are_not)
{
    struct many m;

    make_many(&m, TCPWHY_MS(240), TCPWHY_MS(4));
    m.sends.n = 11;
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
    m.sends.n = 10;
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);
    m.record[0].time_ns -= TCPWHY_MS(240); /* the first of all was held, too, behind a SYN */
    m.send[0].record = 1;
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
    m.record[2].flags = TW_FIN; /* the end let that go */
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);
}

/* As keys are: at some times sooner, at others far later. */
TEST(a_writer_off_the_cork_timer_has_no_cork)
{
    struct many m;

    make_many(&m, TCPWHY_MS(240), TCPWHY_MS(4));
    m.send[5].is |= TW_SEND_PARTIAL;
    m.send[7].is |= TW_SEND_PARTIAL;
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
    m.send[9].is |= TW_SEND_PARTIAL;
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);

    make_many(&m, TCPWHY_MS(240), TCPWHY_MS(4));
    for (uint32_t i = 12; i < MANY; i++)
        m.send[i].sent_ns += TCPWHY_MS(400) * (i / 2 - 5);
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SHOWN);
}

/* Before it is known what the sender heard only the capture's times tell. */
TEST(without_timestamps_a_segment_left_when_captured)
{
    struct many m;

    make_many(&m, TCPWHY_MS(240), TCPWHY_MS(4));
    m.sends.heard = false;
    for (uint32_t i = 0; i < MANY; i++)
        m.send[i].sent_ns = TCPWHY_NS_UNKNOWN;
    assert_int_equal(many_tell(&m, 0), TW_TIMER_TICKS_SURE);
}

TEST(a_capture_s_coarse_clock_is_no_timer)
{
    struct many m;

    make_many(&m, TCPWHY_MS(240), TCPWHY_MS(8));
    assert_int_equal(many_tell(&m, TCPWHY_MS(1)), TW_TIMER_TICKS_SURE);
    assert_int_equal(many_tell(&m, TCPWHY_MS(4)), TW_TIMER_TICKS_SURE); /* of 8 ms */
    assert_int_equal(many_tell(&m, TCPWHY_MS(5)), TW_TIMER_TICKS_NONE);
}

TEST(shorter_and_longer_waits_are_no_timer_s)
{
    struct made m;

    make(&m, TCPWHY_MS(190), TCPWHY_MS(4));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(190) - 1, TCPWHY_MS(4));
    assert_false(shown(&m));
    make(&m, TCPWHY_MS(1000), TCPWHY_MS(4));
    assert_true(shown(&m));
    make(&m, TCPWHY_MS(1000) + 1, TCPWHY_MS(4));
    assert_false(shown(&m));
}

TEST(full_segments_and_repeats_are_not_held)
{
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    m.send[3].is = TW_SEND_FRESH;
    assert_false(shown(&m));
    m.send[3].is = TW_SEND_PARTIAL | TW_SEND_REPEAT;
    assert_false(shown(&m));
}

/* Where a side has long messages only rounds with such a silence are looked at. */
TEST(a_round_tells_whether_it_has_such_a_silence)
{
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
TEST(ticks_of_the_timestamps_are_no_timer_s)
{
    struct made m;

    make(&m, TCPWHY_MS(203), TCPWHY_MS(4));
    for (uint32_t i = 0; i < N; i++) /* queues on the way */
        m.record[i].time_ns = m.send[i].sent_ns + TCPWHY_US(1300) * i;
    m.sends.clock.tick_ns = TCPWHY_MS(1);
    assert_true(shown(&m));
    m.sends.clock.tick_ns = TCPWHY_MS(4);
    assert_false(shown(&m));
    for (uint32_t i = 0; i < N; i++)
        m.record[i].time_ns = m.send[i].sent_ns + TCPWHY_MS(1);
    assert_true(shown(&m));
}
