/* SPDX-License-Identifier: MIT */
/* Delivery time of a message behind a queue, from its ACKs. */
#include "tests/unit.h"

#include "explain/path/tail_queueing.h"

#define SEGMENTS  40
#define MSS       1000
#define EVERY     TCPWHY_MS(6)
#define WAY       TCPWHY_MS(10)
#define N_RECORDS (SEGMENTS + 2)

/* The client's last segment, at the client; an ACK for each of its segments from a round trip on,
 * every 6 ms, and the answer. */
struct made {
    struct tw_record record[N_RECORDS];
    struct tw_log log;
    struct tw_vantage vantage;
    struct tw_round round;
    struct tw_tail_queueing arrival;
};

static void make(struct made *m)
{
    *m = (struct made) { .round = { .queue.standing = true, .queue_ns = TCPWHY_MS(100) } };
    m->record[0] = (struct tw_record) {
        .from = TCPWHY_CLIENT, .flags = TW_ACK | TW_PSH, .seq = 1 + (SEGMENTS - 1) * MSS, .len = MSS
    };
    for (int i = 1; i < N_RECORDS; i++)
        m->record[i] = (struct tw_record) { .time_ns = 2 * WAY + i * EVERY,
                                            .from = TCPWHY_SERVER,
                                            .flags = TW_ACK,
                                            .ack = 1 + i * MSS };
    m->record[N_RECORDS - 1].ack = 1 + SEGMENTS * MSS;
    m->log = (struct tw_log) { .record = m->record, .n = N_RECORDS };
    m->vantage.to_side_ns[TCPWHY_SERVER] = WAY;
}

static bool watch(struct made *m)
{
    return tw_tail_queueing_watch(&m->log, &m->vantage, &m->round, 0, N_RECORDS - 1, &m->arrival);
}

static tcpwhy_ns lacked(const struct made *m)
{
    bool hole;
    tcpwhy_ns ns = tw_tail_queueing_lacked_ns(&m->log, &m->vantage, 0, N_RECORDS - 1, &hole);

    assert_false(hole);
    return ns;
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, (void)m)

MADE_TEST(the_end_is_under_way_until_all_but_it_is_acknowledged, make(m))
{
    assert_true(watch(m));
    assert_int_equal(m->arrival.newest, SEGMENTS - 1);
    assert_int_equal(m->arrival.rest_ns, EVERY);
    assert_false(m->arrival.uneven);
    assert_int_equal(lacked(m), m->record[SEGMENTS - 1].time_ns + EVERY);
}

MADE_TEST(without_a_queue_the_way_is_the_shortest, make(m))
{
    m->round.queue.standing = false;
    assert_false(watch(m));
}

/* Frames that tell nothing of what the server lacks. */
static void change_all(struct made *m, uint8_t from, uint16_t flags, int64_t acked)
{
    make(m);
    for (int i = 1; i < SEGMENTS; i++) {
        m->record[i].from = from;
        m->record[i].flags = flags;
        m->record[i].ack += acked;
    }
}

MADE_TEST(only_acks_of_a_part_of_it_tell, change_all(m, TCPWHY_CLIENT, TW_ACK, 0))
{
    assert_false(watch(m));
    assert_int_equal(lacked(m), 0);
    change_all(m, TCPWHY_SERVER, TW_ACK | TW_RST, 0);
    assert_false(watch(m));
    change_all(m, TCPWHY_SERVER, TW_PSH, 0);
    assert_false(watch(m));
    change_all(m, TCPWHY_SERVER, TW_ACK, SEGMENTS * MSS);
    assert_false(watch(m));
    assert_int_equal(lacked(m), 0);
}

/* The server waits for what was lost. */
MADE_TEST(acks_of_nothing_new_tell_of_no_queue, make(m))
{
    m->record[SEGMENTS - 2].ack = m->record[SEGMENTS - 1].ack = m->record[SEGMENTS - 3].ack;
    assert_true(watch(m));
    assert_int_equal(m->arrival.newest, SEGMENTS - 3);
    assert_int_equal(lacked(m), m->record[SEGMENTS - 3].time_ns + 3 * EVERY);
}

MADE_TEST(data_acknowledged_in_the_minimum_rtt_met_no_queue, make(m))
{
    for (int i = 1; i < SEGMENTS; i++)
        m->record[i].time_ns = 2 * WAY;
    assert_false(watch(m));
    assert_int_equal(lacked(m), 0);
    m->record[SEGMENTS - 1].time_ns++;
    assert_true(watch(m));
    assert_int_equal(m->arrival.rest_ns, 0); /* one ACK tells no rate */
    m->vantage.jitter_ns[TCPWHY_SERVER] = 1;
    assert_int_equal(lacked(m), 2 * WAY + 1);
}

/* The server has the last segments, and what stood before them comes two seconds later. */
MADE_TEST(a_segment_that_fills_a_hole_is_acknowledged_at_once, make(m))
{
    struct tw_range sack = { 1 + (SEGMENTS - 3) * MSS, 1 + SEGMENTS * MSS };
    bool hole;

    for (int i = 1; i < N_RECORDS; i++)
        m->record[i].time_ns = i < SEGMENTS - 2 ? WAY : TCPWHY_S(2);
    for (int i = SEGMENTS - 2; i < N_RECORDS; i++)
        m->record[i].ack = 1 + SEGMENTS * MSS;
    m->log.sack = &sack;
    assert_int_equal(lacked(m), 0);
    m->record[SEGMENTS - 3].n_sack = 1;
    m->record[SEGMENTS - 3].ack -= MSS;
    assert_int_equal(tw_tail_queueing_lacked_ns(&m->log, &m->vantage, 0, N_RECORDS - 1, &hole),
                     TCPWHY_S(2));
    assert_true(hole);
    /* The SACK block is a DSACK. */
    m->record[SEGMENTS - 3].facts = TW_FACT_DSACK;
    assert_int_equal(lacked(m), 0);
    /* Only the answer tells that all came. */
    m->record[SEGMENTS - 3].facts = 0;
    for (int i = SEGMENTS - 2; i < N_RECORDS - 1; i++)
        m->record[i].ack = 0;
    assert_int_equal(lacked(m), 0);
}

MADE_TEST(forged_times_and_bytes_do_no_harm, make(m))
{
    m->record[0].seq = INT64_C(1) << 40;
    m->record[SEGMENTS].time_ns = INT64_MAX / 2;
    assert_true(lacked(m) > INT64_MAX / 2);
}

/* One ACK is delayed by a pause, and all later ones with it. */
static void pause_before(struct made *m, int record, tcpwhy_ns pause_ns)
{
    make(m);
    for (int i = record; i < N_RECORDS; i++)
        m->record[i].time_ns += pause_ns;
}

TEST(a_silence_of_half_the_queue_is_not_charged_to_it)
{
    struct made m;

    pause_before(&m, 20, TCPWHY_MS(44));
    assert_true(watch(&m));
    pause_before(&m, 20, TCPWHY_MS(44) + 1);
    assert_false(watch(&m));
}

TEST(a_silence_of_many_segments_is_uneven)
{
    struct made m;

    pause_before(&m, 20, TCPWHY_MS(24));
    assert_true(watch(&m));
    assert_true(m.arrival.uneven);
    pause_before(&m, 20, TCPWHY_MS(16));
    assert_true(watch(&m));
    assert_false(m.arrival.uneven);
    /* The late ACK covers as many segments. */
    pause_before(&m, 20, TCPWHY_MS(24));
    m.round.queue_ns = TCPWHY_MS(200);
    for (int i = 15; i < 20; i++)
        m.record[i].ack = m.record[14].ack;
    assert_true(watch(&m));
    assert_false(m.arrival.uneven);
    /* A card joins for longer. */
    pause_before(&m, 20, TCPWHY_MS(24));
    for (int i = 1; i < SEGMENTS; i++)
        m.record[i].time_ns = 2 * WAY + (m.record[i].time_ns - 2 * WAY) / 20;
    assert_true(watch(&m));
    assert_false(m.arrival.uneven);
}
