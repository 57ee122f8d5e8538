/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include "explain/model/full_segment.h"
#include "explain/model/replay.h"
#include "explain/model/send_clock.h"

#define MSS  1000
#define MOST 128

/* The server sends; the client acknowledges. */
struct made {
    struct tw_log log;
    struct tw_record record[MOST];
    struct tw_range sack[8];
    struct tw_scratch scratch;
    struct tw_replay_scene scene;
    struct tw_replay replay;
};

static void begin(struct made *m)
{
    memset(m, 0, sizeof(*m));
    m->log.record = m->record;
    m->log.sack = m->sack;
    m->scene = (struct tw_replay_scene) {
        .log = &m->log, .from = TCPWHY_SERVER, .mss_bytes = MSS, .scratch = &m->scratch
    };
}

static struct tw_record *add(struct made *m, enum tcpwhy_side from, int64_t at_us)
{
    struct tw_record *r = &m->record[m->log.n++];

    assert_true(m->log.n <= MOST);
    *r = (struct tw_record) { .time_ns = TCPWHY_US(at_us),
                              .frame = m->log.n,
                              .flags = TW_ACK,
                              .from = (uint8_t)from,
                              .window_bytes = 100000 };
    return r;
}

static struct tw_record *data(struct made *m, int64_t at_us, int64_t segment)
{
    struct tw_record *r = add(m, TCPWHY_SERVER, at_us);

    r->seq = 1 + segment * MSS;
    r->len = MSS;
    r->frame_class = TCPWHY_CLASS_DATA;
    return r;
}

static struct tw_record *ack(struct made *m, int64_t at_us, int64_t segments)
{
    struct tw_record *r = add(m, TCPWHY_CLIENT, at_us);

    r->ack = 1 + segments * MSS;
    r->frame_class = TCPWHY_CLASS_ACK;
    return r;
}

/* The server is here: the SYN/ACK takes 40 ms to be answered. */
static void shake_hands(struct made *m)
{
    struct tw_record *syn = add(m, TCPWHY_CLIENT, 0), *syn_ack;

    syn->flags = TW_SYN;
    syn->options = TW_OPT_SACK_PERMITTED;
    syn_ack = add(m, TCPWHY_SERVER, 20);
    syn_ack->flags = TW_SYN | TW_ACK;
    syn_ack->options = TW_OPT_SACK_PERMITTED;
    syn_ack->ack = 1;
    ack(m, 40020, 0);
}

static struct tw_replay_state run(struct made *m)
{
    struct tw_replay_state last = { 0 };
    const struct tw_replay_state *st;

    tw_replay_begin(&m->replay, &m->scene);
    while ((st = tw_replay_next(&m->replay))) {
        assert_true(st->cwnd_bytes.lo <= st->cwnd_bytes.hi);
        last = *st;
    }
    tw_scratch_clear(&m->scratch);
    return last;
}

#define MADE_TEST(name) TEST_WITH(name, struct made, m, begin(m), (void)m)

MADE_TEST(handshake_is_the_first_round_trip)
{
    shake_hands(m);
    struct tw_replay_state st = run(m);
    assert_in_range(st.srtt_ns.lo, TCPWHY_US(39900), TCPWHY_MS(40));
    assert_in_range(st.srtt_ns.hi, TCPWHY_MS(40), TCPWHY_US(40100));
    assert_int_equal(st.rto_likely_ns, TCPWHY_MS(240));
    assert_int_equal(st.cwnd_bytes.hi, 10 * MSS);
}

MADE_TEST(slow_start_is_followed_event_by_event)
{
    shake_hands(m);
    for (int i = 0; i < 10; i++)
        data(m, 41000 + i, i);
    ack(m, 81000, 10);
    for (int i = 10; i < 30; i++)
        data(m, 81010 + i, i);
    struct tw_replay_state st = run(m);
    assert_int_equal(st.flight_bytes, 20 * MSS);
    assert_int_equal(st.pipe_bytes, 20 * MSS);
    assert_int_equal(st.cwnd_bytes.lo, 20 * MSS);
    assert_int_equal(st.cwnd_bytes.hi, 20 * MSS);
    assert_int_equal(st.ssthresh_bytes.lo, TW_UNBOUNDED);
    assert_int_equal(st.edge, 1 + 10 * MSS + 100000);
}

MADE_TEST(fast_retransmit_reduces_it)
{
    shake_hands(m);
    for (int i = 0; i < 10; i++)
        data(m, 41000 + i, i);
    m->sack[0] = (struct tw_range) { 1 + MSS, 1 + 4 * MSS };
    m->log.n_sack = 1;
    ack(m, 81000, 0)->n_sack = 1;
    data(m, 81010, 0)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    struct tw_replay_state st = run(m);
    assert_int_equal(st.ca, TW_CA_RECOVERY);
    assert_true(st.resent);
    assert_int_equal(st.pipe_bytes, 7 * MSS);
    assert_int_equal(st.ssthresh_bytes.lo, 5 * MSS);
    assert_int_equal(st.ssthresh_bytes.hi, 7 * MSS);
}

MADE_TEST(silence_and_the_first_segment_again_are_a_timeout)
{
    shake_hands(m);
    for (int i = 0; i < 4; i++)
        data(m, 41000 + i, i);
    data(m, 285000, 0)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    struct tw_replay_state st = run(m);
    assert_int_equal(st.ca, TW_CA_LOSS);
    assert_int_equal(st.cwnd_bytes.hi, MSS);
    assert_int_equal(st.rto_likely_ns, TCPWHY_MS(480));
}

MADE_TEST(silence_and_the_last_segment_again_are_a_tail_probe)
{
    shake_hands(m);
    for (int i = 0; i < 4; i++)
        data(m, 41000 + i, i);
    data(m, 130000, 3)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    struct tw_replay_state st = run(m);
    assert_int_equal(st.ca, TW_CA_OPEN);
    assert_int_equal(st.cwnd_bytes.hi, 10 * MSS);
}

/* RFC 8985, 7.3: a probe may bring new data beyond the congestion window. */
MADE_TEST(new_data_after_a_silence_shows_no_larger_window)
{
    shake_hands(m);
    for (int i = 0; i < 10; i++)
        data(m, 41000 + i, i);
    data(m, 130000, 10);
    struct tw_replay_state st = run(m);
    assert_int_equal(st.cwnd_bytes.hi, 10 * MSS);
}

MADE_TEST(events_elsewhere_are_shifted_to_the_sender)
{
    m->scene.way_ns = TCPWHY_MS(20);
    shake_hands(m);
    data(m, 50000, 0);
    struct tw_replay_state st = run(m);
    /* The ACK of the handshake reaches the server after the data has left: that is heard last. */
    assert_false(st.sent);
    assert_int_equal(st.at_ns, TCPWHY_US(60020));
    /* Nothing tells how long what it sends queues on its way here. */
    assert_int_equal(st.srtt_ns.hi, TW_UNBOUNDED);
}

MADE_TEST(capture_that_begins_later_knows_no_window)
{
    data(m, 1000, 0);
    ack(m, 41000, 1);
    struct tw_replay_state st = run(m);
    assert_int_equal(st.cwnd_bytes.hi, TW_UNBOUNDED);
    assert_int_equal(st.srtt_ns.hi, TW_UNBOUNDED);
}

MADE_TEST(empty_log_has_no_events)
{
    assert_null(run(m).record);
}

TEST(parameters_are_learned_in_a_run_of_their_own)
{
    struct made m;
    struct tw_replay_known known;

    begin(&m);
    shake_hands(&m);
    for (int i = 0; i < 4; i++)
        data(&m, 41000 + i, i);
    data(&m, 120000, 0)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    tw_replay_learn(&m.scene, &known);
    assert_in_range(known.rto_floor_ns.hi, TCPWHY_MS(38), TCPWHY_MS(40));
    assert_false(known.tells_congestion);
    m.scene.known = &known;
    tw_replay_begin(&m.replay, &m.scene);
    tw_replay_next(&m.replay);
    assert_int_equal(m.replay.rto.floor_ns.hi, known.rto_floor_ns.hi);
    tw_scratch_clear(&m.scratch);
}

/* Every 10 ms a segment that left at once, but for one that queued for 30 ms. */
MADE_TEST(late_segment_shows_by_its_timestamp)
{
    struct tw_send_clock clock;

    for (int i = 0; i < 40; i++) {
        struct tw_record *r = data(m, 10000 * i + (i == 20 ? 30000 : 0), i);

        r->options = TW_OPT_TIMESTAMP;
        r->tsval = (uint32_t)(5000 + 10 * i);
    }
    tw_send_clock_read(&m->log, TCPWHY_SERVER, &clock);
    assert_int_equal(clock.tick_ns, TCPWHY_MS(1));
    assert_int_equal(tw_send_clock_late_ns(&clock, &m->record[10]), 0);
    assert_in_range(tw_send_clock_late_ns(&clock, &m->record[20]), TCPWHY_MS(29), TCPWHY_MS(30));
    assert_false(clock.often_late);
}

MADE_TEST(without_timestamps_nothing_is_late)
{
    struct tw_send_clock clock;

    data(m, 0, 0);
    data(m, 90000, 1);
    tw_send_clock_read(&m->log, TCPWHY_SERVER, &clock);
    assert_int_equal(clock.tick_ns, 0);
    assert_int_equal(tw_send_clock_late_ns(&clock, &m->record[1]), 0);
}

static void lengths(struct made *m, const uint32_t *len, unsigned n)
{
    begin(m);
    for (unsigned i = 0; i < n; i++)
        data(m, i, i)->len = len[i];
}

TEST(full_segment_is_what_most_is_a_multiple_of)
{
    static const uint32_t offload[] = { 2896, 1448, 4344, 1000, 14480 }, plain[] = { 1400, 1400 };
    struct made m;

    lengths(&m, offload, 5);
    assert_int_equal(tw_full_segment_find(&m.log, TCPWHY_SERVER), 1448);
    lengths(&m, plain, 2);
    assert_int_equal(tw_full_segment_find(&m.log, TCPWHY_SERVER), 1400);
    begin(&m);
    assert_int_equal(tw_full_segment_find(&m.log, TCPWHY_SERVER), 1448);
}
