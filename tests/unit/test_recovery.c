/* SPDX-License-Identifier: MIT */
/*
 * Repairs of one side, told send by send: what caused them, what of them may not have been a loss,
 * and segments that are too big for the path.
 */
#include "tests/unit.h"

#include <glib.h>

#include "explain/loss/recovery.h"

#define MSS  1000
#define MOST 32

/* The server sends, and is heard here; the client is 10 ms away. */
struct made {
    struct tw_record record[MOST];
    struct tw_send send[MOST];
    struct tw_log_icmp icmp[1];
    struct tw_log log;
    struct tw_sender_timeline sends;
    struct tw_vantage vantage;
    struct tw_scratch scratch;
    struct tw_recovery out;
    int64_t highest, acked;
    uint32_t ack_record, moved_record;
};

static void begin(struct made *m)
{
    *m = (struct made) {
        .acked = 1, .highest = 1, .ack_record = TW_NO_RECORD, .moved_record = TW_NO_RECORD
    };
    m->log.record = m->record;
    m->log.icmp = m->icmp;
    m->log.n_sack = 1; /* SACK is in use */
    m->sends = (struct tw_sender_timeline) {
        .from = TCPWHY_SERVER, .record = m->record, .send = m->send, .mss_bytes = MSS
    };
    m->vantage = (struct tw_vantage) { .place = TCPWHY_VANTAGE_SERVER,
                                       .confidence = TCPWHY_CERTAIN,
                                       .to_side_ns = { TCPWHY_MS(10), 0 },
                                       .rtt_min_ns = TCPWHY_MS(20) };
}

/* A segment of that many bytes from an offset on. */
static struct tw_record *put(struct made *m, int64_t at_us, int64_t offset, uint32_t len,
                             uint8_t is)
{
    struct tw_record *r = &m->record[m->log.n];

    *r = (struct tw_record) { .time_ns = TCPWHY_US(at_us),
                              .from = TCPWHY_SERVER,
                              .flags = TW_ACK,
                              .options = TW_OPT_SACK_PERMITTED,
                              .seq = 1 + offset,
                              .len = len,
                              .facts = is & TW_SEND_REPEAT ? TW_FACT_SEEN_BEFORE : 0,
                              .frame_class = TCPWHY_CLASS_DATA };
    m->highest = MAX(m->highest, 1 + offset + len);
    m->send[m->sends.n++] = (struct tw_send) { .end = 1 + offset + len,
                                               .record = m->log.n++,
                                               .behind = (uint32_t)(m->highest - 1 - offset - len),
                                               .len = len,
                                               .is = is,
                                               .sent_ns = TCPWHY_US(at_us),
                                               .acked = m->acked,
                                               .edge = INT64_MAX,
                                               .allowed_ns = TCPWHY_NS_UNKNOWN,
                                               .ack_record = m->ack_record,
                                               .moved_record = m->moved_record };
    m->sends.repeats += !!(is & TW_SEND_REPEAT);
    return r;
}

/* Add an ACK of this many bytes. */
static void put_ack(struct made *m, int64_t at_us, int64_t bytes)
{
    bool more = 1 + bytes > m->acked;

    m->record[m->log.n] =
        (struct tw_record) { .time_ns = TCPWHY_US(at_us),
                             .flags = TW_ACK,
                             .ack = 1 + bytes,
                             .window_bytes = 50000,
                             .frame_class = more ? TCPWHY_CLASS_ACK : TCPWHY_CLASS_DUPLICATE_ACK };
    m->acked = MAX(m->acked, 1 + bytes);
    m->moved_record = more ? m->log.n : m->moved_record;
    m->ack_record = m->log.n++;
}

/* Four segments, sent at once. */
static void four(struct made *m)
{
    begin(m);
    for (int i = 0; i < 4; i++)
        put(m, i, i * MSS, MSS, TW_SEND_FRESH);
}

static void build(struct made *m)
{
    tw_recovery_build(&m->log, &m->sends, &m->vantage, &m->scratch, &m->out);
}

static void assert_repairs(struct made *m, enum tw_recovery_kind kind, uint32_t n)
{
    build(m);
    assert_int_equal(m->out.repairs[kind], n);
    tw_scratch_clear(&m->scratch);
}

/* ---- what caused them: see also scripts/repairs.script --------------------------------------- */

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, (void)m)

MADE_TEST(a_timeout_takes_its_time_though_a_duplicate_ack_came, four(m))
{
    put_ack(m, 100000, 0);
    put(m, 190003, 0, MSS, TW_SEND_REPEAT);
    put_ack(m, 210000, 4 * MSS);
    assert_repairs(m, TW_RECOVERY_RTO, 1);
    four(m);
    put_ack(m, 100000, 0);
    put(m, 190002, 0, MSS, TW_SEND_REPEAT);
    put_ack(m, 210000, 4 * MSS);
    assert_repairs(m, TW_RECOVERY_FAST, 1);
}

MADE_TEST(sack_or_duplicate_acks_make_a_retransmission_fast, four(m))
{
    put_ack(m, 20000, 0);
    put(m, 20010, 0, MSS, TW_SEND_REPEAT);
    put_ack(m, 40000, 4 * MSS);
    assert_repairs(m, TW_RECOVERY_FAST, 1);
    /* However late it comes, and a quarter of a round trip and two ticks of a timer after it. */
    four(m);
    put_ack(m, 300000, 0);
    put(m, 325000, 0, MSS, TW_SEND_REPEAT);
    put_ack(m, 345000, 4 * MSS);
    assert_repairs(m, TW_RECOVERY_FAST, 1);
    /* Later than that, it is a timer's. */
    four(m);
    put_ack(m, 300000, 0);
    put(m, 325001, 0, MSS, TW_SEND_REPEAT);
    put_ack(m, 345000, 4 * MSS);
    assert_repairs(m, TW_RECOVERY_RTO, 1);
}

/* The first of four came from so far away and with such options, and what repeats it has others. */
static bool is_repaired(uint8_t ttl, uint16_t options)
{
    struct made m;
    struct tw_record *r;

    four(&m);
    m.record[0].ttl = 60;
    m.record[0].options |= TW_OPT_TIMESTAMP;
    r = put(&m, 300000, 0, MSS, TW_SEND_REPEAT);
    r->ttl = ttl;
    r->options |= options;
    put_ack(&m, 320000, 4 * MSS);
    build(&m);
    tw_scratch_clear(&m.scratch);
    return m.out.n > 0;
}

TEST(a_segment_of_another_host_is_no_retransmission)
{
    assert_true(is_repaired(60, TW_OPT_TIMESTAMP));
    assert_true(is_repaired(61, TW_OPT_TIMESTAMP)); /* a way of another length */
    assert_true(is_repaired(60, 0));
    assert_true(is_repaired(61, TW_OPT_CUT)); /* perhaps it has one */
    assert_false(is_repaired(61, 0));
}

/* ---- what may have been no loss -------------------------------------------------------------- */

/* At a vantage with that confidence, a timer retransmits data that is acknowledged ack_us later. */
static bool arrived(enum tcpwhy_vantage place, enum tcpwhy_confidence confidence, int64_t ack_us,
                    uint8_t facts)
{
    struct made m;
    bool arrived;

    four(&m);
    m.vantage.place = place;
    m.vantage.confidence = confidence;
    put(&m, 300000, 0, MSS, TW_SEND_REPEAT)->facts = facts;
    put_ack(&m, ack_us, 4 * MSS);
    build(&m);
    assert_int_equal(m.out.n, 1);
    arrived = m.out.episode[0].arrived;
    tw_scratch_clear(&m.scratch);
    return arrived;
}

TEST(a_copy_at_the_receiver_may_show_a_lost_ack)
{
    const uint8_t again = TW_FACT_SEEN_BEFORE;

    assert_true(arrived(TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY, 500000, again));
    assert_false(arrived(TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY, 500001, again));
    assert_false(arrived(TCPWHY_VANTAGE_CLIENT, TCPWHY_AMBIGUOUS, 500000, again));
    assert_false(arrived(TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY, 500000, again));
    assert_false(arrived(TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY, 500000, 0));
}

/* The receiver's data ends at an offset; the retransmission acknowledges this much of it. */
static bool was_acceptable(int64_t end, int64_t ack)
{
    struct made m;
    bool arrived;

    four(&m);
    put(&m, 300000, 0, MSS, TW_SEND_REPEAT)->ack = ack;
    put_ack(&m, 500000, 4 * MSS);
    put_ack(&m, 600000, 4 * MSS);
    m.record[m.log.n - 1].flags |= TW_FIN;
    m.record[m.log.n - 1].seq = end;
    build(&m);
    assert_int_equal(m.out.n, 1);
    arrived = m.out.episode[0].arrived;
    tw_scratch_clear(&m.scratch);
    return !arrived;
}

TEST(an_ack_beyond_the_data_is_ignored)
{
    assert_true(was_acceptable(50, 50));
    assert_true(was_acceptable(50, 51)); /* the FIN as well */
    assert_false(was_acceptable(50, 52));
}

/* A receiver that never acknowledges a segment discards it, however often it is retransmitted. */
TEST(what_comes_again_at_a_receiver_that_is_silent_for_good_was_no_loss_for_sure)
{
    struct made m;

    four(&m);
    m.vantage.place = TCPWHY_VANTAGE_CLIENT;
    m.vantage.confidence = TCPWHY_LIKELY;
    for (int i = 1; i < 4; i++)
        put(&m, i * 400000, 0, MSS, TW_SEND_REPEAT)->facts = TW_FACT_SEEN_BEFORE;
    build(&m);
    assert_int_equal(m.out.n, 1);
    assert_true(m.out.episode[0].arrived);
    m.vantage.place = TCPWHY_VANTAGE_SERVER;
    build(&m);
    assert_false(m.out.episode[0].arrived);
    tw_scratch_clear(&m.scratch);
}

TEST(a_segment_rejected_by_icmp_too_big_was_not_lost)
{
    struct made m;

    four(&m);
    m.icmp[0] = (struct tw_log_icmp) { .time_ns = TCPWHY_MS(5),
                                       .kind = TW_ICMP_TOO_BIG,
                                       .to = TCPWHY_SERVER };
    m.log.n_icmp = 1;
    put(&m, 6000, 0, MSS / 2, TW_SEND_REPEAT);
    put_ack(&m, 26000, 4 * MSS);
    build(&m);
    assert_int_equal(m.out.n, 0);
    assert_int_equal(m.send[4].is, TW_SEND_REPEAT | TW_SEND_SPURIOUS);
    tw_scratch_clear(&m.scratch);
}

/* ---- black holes ----------------------------------------------------------------------------- */

/* The first of four segments is retransmitted by this many timers. @return the time of the next
 * one. */
static int64_t repeat(struct made *m, int times)
{
    int64_t at_us = 300000;

    four(m);
    for (int i = 0; i < times; i++, at_us *= 2)
        put(m, at_us, 0, MSS, TW_SEND_REPEAT);
    return at_us;
}

static void assert_black_hole(struct made *m, bool is)
{
    build(m);
    assert_true(m->out.n > 0);
    assert_int_equal(m->out.episode[m->out.n - 1].black_hole, is);
    tw_scratch_clear(&m->scratch);
}

TEST(a_full_segment_that_never_gets_through_is_too_big)
{
    struct made m;
    int64_t at_us = repeat(&m, 3);

    put_ack(&m, at_us, 0);
    assert_black_hole(&m, true);
    at_us = repeat(&m, 2);
    put(&m, at_us, MSS, MSS, TW_SEND_REPEAT);
    put_ack(&m, at_us + 10000, 0);
    assert_black_hole(&m, false);
}

/* The longest that its sender has, with nothing acknowledged; then the client says more, or not. */
static void repeat_lesser(struct made *m, uint32_t len, uint16_t first_flags, bool heard)
{
    begin(m);
    put(m, 0, 0, len, TW_SEND_FRESH)->flags |= first_flags;
    for (int i = 1; i <= 3; i++)
        put(m, i * 300000, 0, len, TW_SEND_REPEAT);
    if (heard)
        put_ack(m, 5000000, 0);
}

MADE_TEST(the_longest_segment_may_be_too_big_though_none_is_full,
          repeat_lesser(m, 537, TW_SYN, true))
{
    assert_black_hole(m, true);
    repeat_lesser(m, 536, TW_SYN, true);
    assert_black_hole(m, false);
    repeat_lesser(m, 537, 0, true); /* longer ones may have come before */
    assert_black_hole(m, false);
}

TEST(a_receiver_without_acks_may_have_received_any_length)
{
    struct made m;

    repeat_lesser(&m, 537, TW_SYN, false);
    build(&m);
    assert_false(m.out.episode[0].black_hole);
    assert_true(m.out.episode[0].too_large);
    tw_scratch_clear(&m.scratch);
}

TEST(full_segments_seen_before_leave_a_dead_path_in_doubt)
{
    for (int heard = 0; heard < 2; heard++) {
        struct made m;

        four(&m);
        put_ack(&m, 20000, MSS);
        put(&m, 300000, MSS, MSS, TW_SEND_REPEAT);
        if (heard)
            put_ack(&m, 310000, MSS);
        put(&m, 600000, MSS, MSS, TW_SEND_REPEAT);
        put(&m, 1200000, MSS, MSS, TW_SEND_REPEAT);
        assert_black_hole(&m, heard);
    }
}

TEST(a_segment_that_arrives_at_last_is_not_too_big)
{
    struct made m;
    int64_t at_us = repeat(&m, 3);

    put_ack(&m, at_us, 4 * MSS);
    assert_black_hole(&m, false);
}

/* Then again, cut in two. */
TEST(data_that_passes_in_smaller_segments_was_too_big)
{
    struct made m;
    int64_t at_us = repeat(&m, 2);

    put(&m, at_us, 0, MSS / 2, TW_SEND_REPEAT);
    put_ack(&m, at_us + 20000, MSS / 2);
    assert_black_hole(&m, true);
    at_us = repeat(&m, 2);
    put(&m, at_us, 0, MSS / 2, TW_SEND_REPEAT);
    put_ack(&m, at_us + 20000, 0); /* nor does this */
    assert_black_hole(&m, false);
    for (int full = 0; full < 2; full++) { /* which is tried again, or not */
        at_us = repeat(&m, 1);
        put(&m, at_us, 0, MSS / 2, TW_SEND_REPEAT);
        put(&m, 2 * at_us, MSS / 2, MSS / 2, TW_SEND_REPEAT);
        put_ack(&m, 2 * at_us + 20000, MSS);
        if (full)
            put(&m, 2 * at_us + 20010, 4 * MSS, MSS, TW_SEND_FRESH);
        assert_black_hole(&m, !full);
    }
    at_us = repeat(&m, 2); /* others go on */
    put(&m, at_us, MSS, MSS / 2, TW_SEND_REPEAT);
    put_ack(&m, at_us + 20000, 4 * MSS);
    assert_black_hole(&m, false);
}

TEST(data_that_passes_smaller_after_three_losses_was_too_big)
{
    struct made m;
    int64_t at_us = repeat(&m, 3);

    put(&m, at_us, 0, MSS / 2, TW_SEND_REPEAT);
    put(&m, at_us + 10, MSS / 2, MSS / 2, TW_SEND_REPEAT);
    put_ack(&m, at_us + 20000, 4 * MSS);
    assert_black_hole(&m, true);
}
