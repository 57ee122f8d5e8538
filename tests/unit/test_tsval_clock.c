/* SPDX-License-Identifier: MIT */
/* A side's clock, read from its timestamps: how long a frame was under way beyond the shortest. */
#include "tests/unit.h"

#include <glib.h>

#include "explain/vantage/tsval_clock.h"

#define N        600u
#define EVERY_MS 500
#define WAY_MS   20

struct made {
    struct tw_record record[N];
    struct tw_prescan prescan;
    struct tw_scratch scratch;
    struct tw_tsval_clock clock;
};

/* The server's frames over five minutes, by a TSval clock of this tick that drifts by gains_ppm;
 * the one-way delay is constant, and a frame of the client follows each. */
static void make(struct made *m, int64_t tick_ms, int64_t gains_ppm)
{
    *m = (struct made) { .scratch = { 0 } };
    for (uint32_t i = 0; i < N; i++) {
        int64_t left_ms = (int64_t)(i / 2) * 2 * EVERY_MS;

        m->record[i] = (struct tw_record) {
            .time_ns = TCPWHY_MS(left_ms + (i % 2 ? 1 : WAY_MS)),
            .from = i % 2 ? TCPWHY_CLIENT : TCPWHY_SERVER,
            .flags = TW_ACK,
            .options = TW_OPT_TIMESTAMP,
            .tsval = (uint32_t)((left_ms + left_ms * gains_ppm / 1000000) / tick_ms) + 77,
        };
    }
    m->prescan.first_stamped[TCPWHY_SERVER] = &m->record[0];
    m->prescan.last_stamped[TCPWHY_SERVER] = &m->record[N - 2];
}

static void build(struct made *m)
{
    tw_tsval_clock_build(&m->prescan, TCPWHY_SERVER, &m->scratch, &m->clock);
}

/* The delay found for a frame that came late_ns later. */
static tcpwhy_ns delay_of(struct made *m, uint32_t i, tcpwhy_ns late_ns)
{
    struct tw_record r = m->record[i];

    r.time_ns += late_ns;
    return tw_tsval_clock_delay(&m->clock, &r);
}

TEST(the_ticks_that_stacks_use_are_read)
{
    const int64_t ticks_ms[] = { 1, 4, 10, 100, 500 };
    struct made m;

    for (unsigned i = 0; i < G_N_ELEMENTS(ticks_ms); i++) {
        make(&m, ticks_ms[i], 0);
        build(&m);
        assert_int_equal(m.clock.tick_ns, TCPWHY_MS(ticks_ms[i]));
        tw_scratch_clear(&m.scratch);
    }
}

TEST(other_tick_rates_are_not_read)
{
    const int64_t ticks_ms[] = { 2, 30, 250, 1000 };
    struct made m;

    for (unsigned i = 0; i < G_N_ELEMENTS(ticks_ms); i++) {
        make(&m, ticks_ms[i], 0);
        build(&m);
        assert_int_equal(m.clock.tick_ns, 0);
        assert_int_equal(delay_of(&m, 10, TCPWHY_S(1)), 0);
        tw_scratch_clear(&m.scratch);
    }
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, tw_scratch_clear(&m->scratch))

MADE_TEST(fewer_than_twenty_ticks_tell_no_rate, make(m, 100, 0))
{
    m->prescan.last_stamped[TCPWHY_SERVER] = &m->record[4];
    build(m);
    assert_int_equal(m->clock.tick_ns, TCPWHY_MS(100));
    m->record[4].tsval--;
    build(m);
    assert_int_equal(m->clock.tick_ns, 0);
}

MADE_TEST(a_later_segment_was_longer_on_the_wire, make(m, 1, 0))
{
    build(m);
    for (uint32_t i = 0; i < N; i += 2) {
        assert_int_equal(delay_of(m, i, 0), 0);
        assert_int_equal(delay_of(m, i, TCPWHY_MS(31)), TCPWHY_MS(30)); /* less a tick */
    }
    m->record[10].options = 0;
    assert_int_equal(delay_of(m, 10, TCPWHY_MS(31)), 0);
}

/* 100 ppm are 30 ms in five minutes. */
TEST(clocks_that_drift_apart_are_no_queue)
{
    struct made m;

    for (int64_t ppm = -100; ppm <= 100; ppm += 200) {
        make(&m, 1, ppm);
        build(&m);
        for (uint32_t i = 0; i < N; i += 2) {
            assert_in_range(delay_of(&m, i, 0), 0, TCPWHY_MS(6));
            assert_in_range(delay_of(&m, i, TCPWHY_MS(40)), TCPWHY_MS(38), TCPWHY_MS(46));
        }
        tw_scratch_clear(&m.scratch);
    }
}

/* ... as long as it does not stand in the blocks beside it, too. */
MADE_TEST(a_queue_that_stands_for_half_a_minute_is_seen, make(m, 1, 0))
{
    for (uint32_t i = 120; i < 180; i += 2)
        m->record[i].time_ns += TCPWHY_MS(50);
    build(m);
    for (uint32_t i = 120; i < 180; i += 2)
        assert_int_equal(delay_of(m, i, 0), TCPWHY_MS(49));
}

/* The client's frames are the echoed ones; a frame that says to have been under way for longer than
 * since what it echoes. */
TEST(no_frame_left_before_what_it_echoes)
{
    struct made m;
    struct tw_record *r = &m.record[20];

    make(&m, 1, 0);
    for (uint32_t i = 1; i < N; i += 2)
        m.record[i].tsval += 1000000;
    r->tsecr = m.record[19].tsval;
    build(&m);
    r->time_ns += TCPWHY_MS(1000);
    const struct tw_record *echoed = &m.record[1];
    assert_int_equal(tw_tsval_clock_error(&m.clock, r, TCPWHY_MS(40), &echoed),
                     TCPWHY_MS(999) - (r->time_ns - m.record[19].time_ns - TCPWHY_MS(40)));
    assert_ptr_equal(echoed, &m.record[19]);
    r->tsecr = m.record[19].tsval - 1; /* nobody's */
    echoed = &m.record[1];
    assert_int_equal(tw_tsval_clock_error(&m.clock, r, TCPWHY_MS(40), &echoed), 0);
    tw_scratch_clear(&m.scratch);
}
