/* SPDX-License-Identifier: MIT */
/*
 * In which round trips a queue stands, as their delays, rates and flights tell: eight rounds on a
 * full path, changed in one thing.
 */
#include "tests/unit.h"

#include <math.h>

#include "explain/path/queueing_delay.h"
#include "explain/model/rounds_parts.h"

#define N    8u
#define MSS  1000
#define RTT  TCPWHY_MS(20)
#define RATE 1e6

struct made {
    struct tw_round round[N];
    tcpwhy_ns rtt_ns[N];
    struct tw_send send[N];
    struct tw_sender_timeline sends;
    struct tw_rounds rounds;
    struct tw_scratch scratch;
    struct tw_rounds_view view;
};

static void make(struct made *m)
{
    *m = (struct made) { .rounds.n = N };
    for (uint32_t i = 0; i < N; i++) {
        m->round[i] = (struct tw_round) { .first = i,
                                          .last = i,
                                          .duration_ns = TCPWHY_MS(30),
                                          .max_gap_ns = TCPWHY_MS(1),
                                          .queue_ns = TCPWHY_MS(10),
                                          .flight_bytes = 20 * MSS,
                                          .rate = RATE,
                                          .flat.rounds = 1 };
        m->rtt_ns[i] = TCPWHY_MS(30);
    }
    m->rounds.round = m->round;
    m->sends = (struct tw_sender_timeline) {
        .send = m->send, .n = N, .mss_bytes = MSS, .rtt_ns = m->rtt_ns, .queues_seen = true
    };
    m->view = (struct tw_rounds_view) {
        .sends = &m->sends, .rounds = &m->rounds, .rtt_ns = RTT, .scratch = &m->scratch
    };
}

static void find(struct made *m)
{
    for (uint32_t i = 0; i < N; i++)
        m->round[i].queue.standing = false;
    tw_queueing_delay_find(&m->view);
    tw_scratch_clear(&m->scratch);
}

#define FOR_EACH(m, r) for (struct tw_round *r = (m)->round; r < (m)->round + N; r++)

/* A bit for each round in which one stands. */
static unsigned standing(struct made *m)
{
    unsigned bits = 0;

    find(m);
    for (uint32_t i = 0; i < N; i++)
        bits |= (unsigned)m->round[i].queue.standing << i;
    return bits;
}

static unsigned doubtful(struct made *m)
{
    unsigned bits = 0;

    find(m);
    for (uint32_t i = 0; i < N; i++)
        bits |= (unsigned)m->round[i].queue.doubtful << i;
    return bits;
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, (void)m)

MADE_TEST(on_a_full_path_a_queue_stands_in_each_round, make(m))
{
    assert_int_equal(standing(m), 0xff);
    assert_true(m->rounds.capacity == RATE);
    assert_int_equal(m->rounds.growth, TW_GROWTH_UNKNOWN);
    assert_int_equal(doubtful(m), 0);
    make(m);
    m->rounds.n = 0;
    find(m);
    assert_true(m->rounds.capacity == 0);
}

MADE_TEST(a_delay_of_an_eighth_of_the_rtt_is_no_queue, make(m))
{
    FOR_EACH(m, r)
    r->queue_ns = RTT / 8;
    assert_int_equal(standing(m), 0);
    FOR_EACH(m, r)
    r->queue_ns++;
    assert_int_equal(standing(m), 0xff);
}

MADE_TEST(a_sender_without_data_or_window_fills_no_path, make(m))
{
    FOR_EACH(m, r)
    r->starved = true;
    assert_int_equal(standing(m), 0);
    make(m);
    FOR_EACH(m, r)
    r->window_full = true;
    assert_int_equal(standing(m), 0);
    make(m);
    FOR_EACH(m, r)
    r->flight_bytes = 4 * MSS;
    assert_int_equal(standing(m), 0xff);
    FOR_EACH(m, r)
    r->flight_bytes--;
    assert_int_equal(standing(m), 0);
    make(m);
    FOR_EACH(m, r)
    r->max_gap_ns = r->duration_ns / 2;
    assert_int_equal(standing(m), 0);
}

MADE_TEST(at_the_end_of_a_message_more_than_half_is_queue, make(m))
{
    FOR_EACH(m, r)
    r->ends_message = true, r->max_gap_ns = r->duration_ns;
    assert_int_equal(standing(m), 0);
    FOR_EACH(m, r)
    r->queue_ns++;
    assert_int_equal(standing(m), 0xff);
}

/* Rounds 4 to 7 pass less, and no queue shows in them but this. */
static void slow_half(struct made *m, double rate, tcpwhy_ns queue_ns)
{
    make(m);
    for (uint32_t i = 4; i < N; i++) {
        m->round[i].rate = rate;
        m->round[i].queue_ns = queue_ns;
    }
}

TEST(a_flight_below_the_bdp_does_not_fill_the_path)
{
    struct made m;

    slow_half(&m, 0.8 * RATE, TCPWHY_MS(10));
    assert_int_equal(standing(&m), 0xff);
    slow_half(&m, 0.79 * RATE, TCPWHY_MS(10));
    assert_int_equal(standing(&m), 0x0f);
    slow_half(&m, 0.5 * RATE, TCPWHY_MS(10));
    assert_int_equal(standing(&m), 0x0f);
}

MADE_TEST(a_long_queue_at_a_lower_rate_is_shared, slow_half(m, 0.5 * RATE, RTT + 1))
{
    assert_int_equal(standing(m), 0xef); /* in the first of them the rate still falls */
    slow_half(m, 0.5 * RATE, RTT);
    assert_int_equal(standing(m), 0x0f);
    slow_half(m, 0.5 * RATE, RTT + 1);
    m->round[6].flight_bytes--;
    assert_int_equal(standing(m), 0xaf);
    slow_half(m, 0.5 * RATE, RTT + 1);
    m->round[7].rate *= 0.89;
    assert_int_equal(standing(m), 0x6f);
}

MADE_TEST(after_a_repair_acks_tell_no_rate, make(m))
{
    for (uint32_t i = 1; i < N; i += 2) {
        m->round[i].repeats = 1;
        m->round[i - 1].rate = m->round[i].rate = 5 * RATE;
    }
    m->round[0].rate = RATE;
    find(m);
    assert_true(m->rounds.capacity == RATE);
    FOR_EACH(m, r)
    r->repeats = 1;
    assert_int_equal(standing(m), 0);
}

/* Only the first n rounds show a queueing delay. */
static void found_in(struct made *m, uint32_t n)
{
    make(m);
    for (uint32_t i = n; i < N; i++)
        m->round[i].queue_ns = 0;
}

MADE_TEST(found_in_a_quarter_it_stands_wherever_as_much_passes, found_in(m, 1))
{
    assert_int_equal(standing(m), 0x01);
    found_in(m, 2);
    assert_int_equal(standing(m), 0xff);
    found_in(m, 2);
    m->round[5].starved = true;
    m->round[6].window_full = true;
    assert_int_equal(standing(m), 0x9f);
    found_in(m, 2);
    m->round[5].rate = 0.6 * RATE; /* with those beside it less than nine tenths */
    assert_int_equal(standing(m), 0x8f);
}

MADE_TEST(a_flight_that_stays_the_same_fills_the_path_in_all, slow_half(m, 0.5 * RATE, 0))
{
    assert_int_equal(standing(m), 0x0f);
    FOR_EACH(m, r)
    r->flat.rounds = N;
    assert_int_equal(standing(m), 0xff);
    slow_half(m, 0.5 * RATE, 0);
    FOR_EACH(m, r)
    r->flat.rounds = N;
    m->round[6].max_gap_ns = m->round[6].duration_ns / 2;
    assert_int_equal(standing(m), 0xbf);
}

/* ---- in doubt -------------------------------------------------------------------------------- */

/* A flat run of flights at half the rate, with this queueing delay. */
static void flat(struct made *m, tcpwhy_ns queue_ns)
{
    slow_half(m, 0.5 * RATE, queue_ns);
    FOR_EACH(m, r)
    r->flat.rounds = N;
}

MADE_TEST(a_short_queue_below_the_capacity_is_doubtful, flat(m, RTT))
{
    assert_int_equal(doubtful(m), 0xf0);
    flat(m, RTT + 1);
    assert_int_equal(doubtful(m), 0);
    flat(m, RTT);
    m->sends.queues_seen = false;
    assert_int_equal(doubtful(m), 0);
    slow_half(m, 0.8 * RATE, RTT);
    assert_int_equal(doubtful(m), 0);
}

MADE_TEST(a_queue_that_some_segment_did_not_find_is_doubtful, make(m))
{
    m->rtt_ns[2] = RTT + RTT / 16;
    m->rtt_ns[3] = RTT + RTT / 16 - 1;
    m->rtt_ns[4] = TCPWHY_NS_UNKNOWN;
    assert_int_equal(doubtful(m), 0x08);
}

/* From one round to the next twice as much in flight. */
static void double_flights(struct made *m, uint32_t n, double passes)
{
    make(m);
    for (uint32_t i = 0; i < n; i++) {
        m->round[i].flight_bytes = 10 * MSS << i;
        m->round[i].rate = RATE * pow(passes, i);
    }
    for (uint32_t i = n; i < N; i++)
        m->round[i].queue_ns = 0;
    m->rtt_ns[1] = RTT;
}

MADE_TEST(a_larger_flight_at_the_same_rate_shows_a_queue, double_flights(m, 4, 1))
{
    assert_int_equal(doubtful(m), 0);
    assert_int_equal(m->rounds.growth, TW_GROWTH_QUEUES);
    double_flights(m, 4, 1.41);
    find(m);
    assert_int_equal(m->rounds.growth, TW_GROWTH_QUEUES);
}

MADE_TEST(a_larger_flight_at_a_higher_rate_leaves_the_queue_in_doubt, double_flights(m, 4, 1.42))
{
    assert_int_equal(doubtful(m), standing(m));
    assert_int_equal(m->rounds.growth, TW_GROWTH_PASSES);
    m->sends.queues_seen = false;
    find(m);
    assert_int_equal(m->rounds.growth, TW_GROWTH_UNKNOWN);
}

MADE_TEST(few_rounds_or_flights_alike_tell_neither, double_flights(m, 3, 1))
{
    find(m);
    assert_int_equal(m->rounds.growth, TW_GROWTH_UNKNOWN);
    make(m);
    for (uint32_t i = 0; i < N; i++)
        m->round[i].flight_bytes = (20 + i) * MSS;
    find(m);
    assert_int_equal(m->rounds.growth, TW_GROWTH_UNKNOWN);
}

MADE_TEST(acks_of_a_receiver_that_does_not_read_show_no_queue, make(m))
{
    assert_int_equal(standing(m), 0xff);
    m->round[3].unread = true;
    assert_int_equal(standing(m), 0xf7);
}

MADE_TEST(a_habit_of_queues_tells_what_a_full_path_carries, found_in(m, 5))
{
    find(m);
    assert_true(m->round[7].queue.near_capacity);
    m->round[7].rate = 0.7 * RATE;
    find(m);
    assert_false(m->round[7].queue.near_capacity);
    found_in(m, 4);
    find(m);
    assert_false(m->round[7].queue.near_capacity);
}

MADE_TEST(over_a_repair_the_rate_tells_whether_the_path_is_full, make(m))
{
    m->round[6].repeats = 1;
    find(m);
    assert_true(m->round[6].queue.near_capacity);
    m->round[6].rate = 0.39 * RATE;
    find(m);
    assert_false(m->round[6].queue.near_capacity);
}

/* Segments one by one, a millisecond apart, and each ends a write; each round has an ACK before it.
 */
#define PER_ROUND 4u

struct pushed {
    struct made made;
    struct tw_send send[N * PER_ROUND];
    struct tw_record record[N * PER_ROUND + N];
    tcpwhy_ns rtt_ns[N * PER_ROUND];
};

static void make_pushed(struct pushed *p)
{
    struct made *m = &p->made;

    make(m);
    memset(p->send, 0, sizeof p->send);
    memset(p->record, 0, sizeof p->record);
    for (uint32_t i = 0; i < N * PER_ROUND; i++) {
        uint32_t ack = N * PER_ROUND + i / PER_ROUND;

        p->send[i] = (struct tw_send) {
            .record = i, .len = MSS, .moved_record = ack, .sent_ns = TCPWHY_MS(i)
        };
        p->record[i].flags = TW_ACK | TW_PSH;
        if (i % PER_ROUND == 0)
            p->record[ack].time_ns = TCPWHY_MS(i) - TCPWHY_US(50);
        p->rtt_ns[i] = TCPWHY_MS(30);
    }
    for (uint32_t i = 0; i < N; i++) {
        m->round[i].first = i * PER_ROUND;
        m->round[i].last = m->round[i].first + PER_ROUND - 1;
    }
    m->sends.send = p->send;
    m->sends.n = N * PER_ROUND;
    m->sends.record = p->record;
    m->sends.rtt_ns = p->rtt_ns;
}

static unsigned pushed(struct pushed *p)
{
    unsigned bits = 0;

    find(&p->made);
    for (uint32_t i = 0; i < N; i++)
        bits |= (unsigned)p->made.round[i].queue.pushed << i;
    return bits;
}

#define PUSHED_TEST(name) TEST_WITH(name, struct pushed, p, make_pushed(p), (void)p)

PUSHED_TEST(writes_without_acks_leave_the_queue_in_doubt)
{
    assert_int_equal(pushed(p), 0xff);
    assert_int_equal(doubtful(&p->made), 0xff);
    assert_int_equal(standing(&p->made), 0xff);
    p->record[1].flags = TW_ACK; /* two of the three behind it are not behind a write's end */
    assert_int_equal(pushed(p), 0xfe);
    make_pushed(p);
    p->made.view.remote = true;
    assert_int_equal(pushed(p), 0);
}

PUSHED_TEST(ack_clocked_bursts_leave_no_doubt)
{
    for (uint32_t i = 1; i < 3; i++) {
        p->send[i].moved_record = N * PER_ROUND + i;
        p->record[N * PER_ROUND + i].time_ns = p->send[i].sent_ns - TCPWHY_US(50);
    }
    assert_int_equal(pushed(p) & 1, 0);
    make_pushed(p);
    p->send[1].sent_ns = p->send[2].sent_ns = p->send[0].sent_ns + 1;
    assert_int_equal(pushed(p) & 1, 0);
    make_pushed(p);
    p->send[1].len = p->send[2].len = MSS + 1;
    assert_int_equal(pushed(p), 0xfe);
}

/* The rate that a program sets is the same, however much is in flight. */
PUSHED_TEST(the_flight_of_a_paced_sender_shows_no_queue)
{
    uint32_t i = 0;

    FOR_EACH(&p->made, r)
    r->flight_bytes = (10 + 10 * (int64_t)i++) * MSS;
    find(&p->made);
    assert_int_equal(p->made.rounds.growth, TW_GROWTH_UNKNOWN);
    for (i = 0; i < N * PER_ROUND; i++)
        p->record[i].flags = TW_ACK;
    find(&p->made);
    assert_int_equal(p->made.rounds.growth, TW_GROWTH_QUEUES);
}
