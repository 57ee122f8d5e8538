/* SPDX-License-Identifier: MIT */
/* Runs of rounds with the same flight, and runs that climb by small steps, made by hand. */
#include "tests/unit.h"

#include "explain/model/plateau.h"
#include "explain/model/rounds_parts.h"

#define N   40u
#define MSS 1000

struct made {
    struct tw_round round[N];
    struct tw_record record[N];
    struct tw_send send[N];
    struct tw_sender_timeline sends;
    struct tw_rounds rounds;
    struct tw_rounds_view view;
};

/* All with twenty segments in flight; each is pushed. */
static void make(struct made *m)
{
    *m = (struct made) { .rounds.n = N };
    for (uint32_t i = 0; i < N; i++) {
        m->round[i] = (struct tw_round) { .first = i, .last = i, .flight_bytes = 20 * MSS };
        m->record[i].flags = TW_ACK | TW_PSH;
        m->send[i] = (struct tw_send) { .len = MSS, .record = i, .end = 1 + (i + 1) * MSS };
    }
    m->rounds.round = m->round;
    m->sends = (struct tw_sender_timeline) {
        .record = m->record, .send = m->send, .n = N, .mss_bytes = MSS
    };
    m->view = (struct tw_rounds_view) { .sends = &m->sends, .rounds = &m->rounds };
}

/* From that round on. */
static void change_flight(struct made *m, uint32_t from, int64_t bytes)
{
    for (uint32_t i = from; i < N; i++)
        m->round[i].flight_bytes = bytes;
}

/* The length of the run that begins with a round. */
static uint32_t run(struct made *m, uint32_t from)
{
    tw_plateau_find(&m->view);
    return m->round[from].flat.rounds;
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, (void)m)

MADE_TEST(a_flight_is_flat_within_two_segments, make(m))
{
    assert_int_equal(run(m, 0), N);
    change_flight(m, 10, 22 * MSS);
    assert_int_equal(run(m, 0), N);
    change_flight(m, 10, 22 * MSS + 1);
    assert_int_equal(run(m, 0), 10);
    assert_int_equal(run(m, 10), N - 10);
    m->round[5].flight_bytes = 20 * MSS + 1;
    assert_int_equal(run(m, 0), 10);
    change_flight(m, 10, 18 * MSS); /* from the highest to the lowest */
    assert_int_equal(run(m, 0), 10);
}

MADE_TEST(away_from_the_sender_within_a_quarter, make(m))
{
    m->view.remote = true;
    change_flight(m, 10, 15 * MSS);
    assert_int_equal(run(m, 0), N);
    change_flight(m, 10, 15 * MSS - 1);
    assert_int_equal(run(m, 0), 10);
    for (uint32_t i = 0; i < N; i++)
        m->round[i].flight_bytes = 8 * MSS;
    change_flight(m, 10, 4 * MSS); /* or four segments */
    assert_int_equal(run(m, 0), N);
    change_flight(m, 10, 4 * MSS - 1);
    assert_int_equal(run(m, 0), 10);
}

MADE_TEST(a_smaller_flight_ends_the_plateau, make(m))
{
    m->round[10].repeats = 1;
    assert_int_equal(run(m, 0), 10);
    make(m);
    m->round[10].reduced = true;
    assert_int_equal(run(m, 0), 10);
    make(m);
    for (uint32_t i = 10; i < N; i++)
        m->round[i].misled_before = true;
    assert_int_equal(run(m, 0), 10);
    assert_int_equal(run(m, 10), N - 10);
    make(m);
    m->round[10].window_full = true;
    assert_int_equal(run(m, 0), 10);
    assert_int_equal(run(m, 10), 1);
    make(m);
    m->send[10].is = TW_SEND_BEGINS;
    assert_int_equal(run(m, 0), N);
    m->send[10].acked = tw_send_seq(&m->send[10]);
    assert_int_equal(run(m, 0), 10);
}

MADE_TEST(doubling_is_no_flat_run_even_where_it_is_small, make(m))
{
    for (uint32_t i = 0; i < N; i++)
        m->round[i].flight_bytes = 2 * MSS;
    change_flight(m, 1, 4 * MSS);
    assert_int_equal(run(m, 0), 1);
    change_flight(m, 1, 4 * MSS - 1);
    assert_int_equal(run(m, 0), N);
    /* Later, it is a ceiling that was not reached for once. */
    change_flight(m, 0, 2 * MSS);
    change_flight(m, 2, 4 * MSS);
    assert_int_equal(run(m, 0), N);
}

/* ---- what is written, or waits ----------------------------------------------------------------
 */

#define RTT   TCPWHY_MS(20)
#define BURST 4u /* segments in a round trip */

/* Away from the sender: bursts of stamped segments, of which the last is pushed. */
static void make_bursts(struct made *m)
{
    make(m);
    m->view.remote = true;
    m->view.rtt_ns = RTT;
    for (uint32_t i = 0; i < N; i++) {
        m->send[i].moved_record = TW_NO_RECORD; /* no more is known of what let it go */
        m->send[i].sent_ns = i / BURST * RTT + i % BURST * TCPWHY_US(10);
        m->record[i].flags = i % BURST == BURST - 1 ? TW_ACK | TW_PSH : TW_ACK;
        m->record[i].options = TW_OPT_TIMESTAMP;
        m->record[i].tsval = m->record[i].tsecr = 1000 + i / BURST;
    }
}

static bool may_be_written(struct made *m)
{
    tw_plateau_find(&m->view);
    for (uint32_t i = 0; i < N; i++)
        m->round[i].flat.written = false;
    tw_plateau_find_app_writes(&m->view);
    return m->round[0].flat.written;
}

MADE_TEST(bursts_that_end_pushed_may_be_written, make_bursts(m))
{
    assert_true(may_be_written(m));
    m->record[BURST - 1].flags = TW_ACK; /* once in nine may be anything, ... */
    assert_true(may_be_written(m));
    m->record[2 * BURST - 1].flags = TW_ACK; /* ... and twice is more that waited */
    assert_false(may_be_written(m));
    m->send[BURST - 1].is = TW_SEND_PARTIAL;
    assert_true(may_be_written(m));
    m->round[0].flat.own_clock = true; /* nobody asks */
    assert_false(may_be_written(m));
    m->round[0].flat.own_clock = false;
    m->view.remote = false;
    assert_false(may_be_written(m));
}

/* The second half of two bursts echoes what came after the first half had left. */
MADE_TEST(bursts_that_hear_more_as_they_go_are_let_go_by_it, make_bursts(m))
{
    for (uint32_t i = BURST / 2; i < 2 * BURST; i += i == BURST - 1 ? 1 + BURST / 2 : 1)
        m->record[i].tsecr++;
    assert_false(may_be_written(m));
    m->record[BURST / 2 - 1].flags |= TW_PSH; /* two writes */
    assert_true(may_be_written(m));
    m->record[BURST / 2 - 1].flags &= (uint16_t)~TW_PSH;
    m->send[BURST / 2].sent_ns = m->send[BURST - 1].sent_ns += TCPWHY_MS(1); /* paced */
    assert_true(may_be_written(m));
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Three runs of equal rounds; the flights of the second and the third are each larger by step_bytes
 * than before. */
static void climb(struct made *m, uint32_t rounds, int64_t step_bytes)
{
    make(m);
    m->rounds.n = 3 * rounds;
    change_flight(m, rounds, 20 * MSS + step_bytes);
    change_flight(m, 2 * rounds, 20 * MSS + 2 * step_bytes);
}

/* The number of rounds on a climb: those of the last run are not. */
static uint32_t climbing(struct made *m)
{
    uint32_t n = 0;

    tw_plateau_find(&m->view);
    for (uint32_t i = 0; i < m->rounds.n; i++)
        n += m->round[i].flat.climbing;
    return n;
}

MADE_TEST(two_small_steps_in_a_row_are_growth, climb(m, 5, 3 * MSS))
{
    assert_int_equal(climbing(m), 10);
    climb(m, 5, 10 * MSS);
    assert_int_equal(climbing(m), 10);
    climb(m, 5, 10 * MSS + 1); /* slow start goes by more */
    assert_int_equal(climbing(m), 0);
    climb(m, 5, -3 * MSS);
    assert_int_equal(climbing(m), 0);
    climb(m, 5, 3 * MSS); /* one step */
    change_flight(m, 10, 23 * MSS);
    assert_int_equal(climbing(m), 0);
    climb(m, 5, 3 * MSS); /* and one down */
    change_flight(m, 10, 20 * MSS);
    assert_int_equal(climbing(m), 0);
}

MADE_TEST(a_long_constant_flight_is_no_growth, climb(m, 8, 3 * MSS))
{
    assert_int_equal(climbing(m), 16);
    climb(m, 9, 3 * MSS);
    assert_int_equal(climbing(m), 0);
}

MADE_TEST(a_step_at_a_repair_is_none, climb(m, 5, 3 * MSS))
{
    m->round[5].repeats = 1;
    assert_int_equal(climbing(m), 0);
}
