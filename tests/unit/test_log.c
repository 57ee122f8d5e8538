/* SPDX-License-Identifier: MIT */
/* Where a log's records are: in itself, in blocks of their own, in blocks that others left; and
 * when. */
#include "tests/unit.h"

#include <glib.h>

#include "log/log.h"

static const struct tw_connection fresh = { .past = { .row = TW_NO_ROW } };

/* A side's ACK that stands there in its stream. */
static void append_said(struct tw_log *log, enum tcpwhy_side from, int64_t seq, int64_t ack,
                        tcpwhy_ns time_ns)
{
    struct tw_connection c = fresh;
    const struct tw_segment s = { .flags = TW_ACK };
    const struct tw_tracked t = { .connection = &c,
                                  .segment = &s,
                                  .frame = log->n + 1,
                                  .time_ns = time_ns,
                                  .from = from,
                                  .seq = seq,
                                  .ack = ack };

    tw_log_append(log, &t);
}

static void append_at(struct tw_log *log, tcpwhy_ns time_ns)
{
    append_said(log, TCPWHY_CLIENT, 0, 0, time_ns);
}

static void append(struct tw_log *log, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        append_at(log, log->n);
}

static void holds(const struct tw_log *log, uint32_t n)
{
    assert_int_equal(log->n, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(log->record[i].frame, i + 1);
}

TEST(a_log_grows_out_of_its_place)
{
    struct tw_log log;

    tw_log_place(&log, &fresh, NULL);
    append(&log, TW_LOG_FIRST);
    assert_ptr_equal(log.record, log.first);
    append(&log, 1000);
    holds(&log, TW_LOG_FIRST + 1000);
    assert_true(tw_log_bytes(&log) >= log.n * sizeof *log.record);
    tw_log_free(&log);
}

/* From one end of time to the other, and a little further each time round. */
TEST(times_fit_however_the_clock_is_set)
{
    const tcpwhy_ns reach = INT64_MAX / 2;
    const struct tw_log_icmp error = { .time_ns = reach, .frame = 1 };
    struct tw_log log;

    tw_log_place(&log, &fresh, NULL);
    for (int round = 0; round < 20; round++) {
        append_at(&log, reach - TCPWHY_S(86400));
        append_at(&log, reach);
        append_at(&log, -reach);
        tw_log_append_icmp(&log, &error);
        append_at(&log, -reach + TCPWHY_S(86400));
    }
    for (uint32_t i = 1; i < log.n; i++)
        assert_true(log.record[i].time_ns >= log.record[i - 1].time_ns &&
                    log.record[i].time_ns <= reach);
    assert_true(log.icmp[log.n_icmp - 1].time_ns <= reach);
    tw_log_free(&log);
}

/* The log's time of a frame that is 50 ms later than the frame before it, whose own timestamp is
 * earlier by back_ns than its predecessor's. */
static tcpwhy_ns goes_on_behind(tcpwhy_ns back_ns, enum tcpwhy_side from, int64_t seq, int64_t ack)
{
    struct tw_log log;
    tcpwhy_ns at_ns;

    tw_log_place(&log, &fresh, NULL);
    append_said(&log, TCPWHY_SERVER, 100, 100, TCPWHY_MS(500));
    append_said(&log, TCPWHY_CLIENT, 100, 100, TCPWHY_MS(900));
    append_said(&log, from, seq, ack, TCPWHY_MS(900) - back_ns);
    append_said(&log, from, seq, ack, TCPWHY_MS(950) - back_ns);
    at_ns = log.record[3].time_ns;
    assert_true(log.record[2].moved);
    assert_int_equal(log.clock_set, at_ns > TCPWHY_MS(900));
    tw_log_free(&log);
    return at_ns;
}

/* The capture's clock was set: a side's frames stay in the order in which the side sent them. */
TEST(later_data_of_a_side_stays_behind_its_earlier_data)
{
    assert_int_equal(goes_on_behind(TCPWHY_MS(129), TCPWHY_CLIENT, 101, 100), TCPWHY_MS(950));
    assert_int_equal(goes_on_behind(TCPWHY_MS(129), TCPWHY_CLIENT, 100, 101), TCPWHY_MS(950));
    assert_int_equal(goes_on_behind(TCPWHY_MS(128), TCPWHY_CLIENT, 101, 100), TCPWHY_MS(900));
    assert_int_equal(goes_on_behind(TCPWHY_MS(1001), TCPWHY_SERVER, 101, 100), TCPWHY_MS(950));
}

/* The frame was written late, or is a retransmission. */
TEST(other_sides_data_and_repeats_may_stand_earlier)
{
    assert_int_equal(goes_on_behind(TCPWHY_MS(129), TCPWHY_SERVER, 101, 100), TCPWHY_MS(900));
    assert_int_equal(goes_on_behind(TCPWHY_MS(129), TCPWHY_CLIENT, 100, 100), TCPWHY_MS(900));
    assert_int_equal(goes_on_behind(TCPWHY_MS(129), TCPWHY_CLIENT, 99, 101), TCPWHY_MS(900));
    assert_int_equal(goes_on_behind(TCPWHY_MS(129), TCPWHY_CLIENT, 101, 99), TCPWHY_MS(900));
}

TEST(a_taken_log_leaves_an_empty_one)
{
    for (uint32_t n = 0; n < 20; n++) {
        struct tw_log log, *taken, *copy;

        tw_log_place(&log, &fresh, NULL);
        append(&log, n);
        taken = tw_log_take(&log);
        holds(&log, 0);
        append(&log, 3);
        copy = tw_log_copy(taken);
        tw_log_join(copy, &log);
        tw_log_free(&log);
        holds(taken, n);
        assert_int_equal(copy->n, n + 3);
        tw_log_free(copy);
        tw_log_free(taken);
    }
}

TEST(a_block_goes_on_in_the_next_log)
{
    struct tw_log_blocks blocks = { .most_bytes = 1 << 20 };
    struct tw_log log;

    tw_log_place(&log, &fresh, &blocks);
    append(&log, 100);
    const struct tw_record *left = log.record;
    tw_log_free(&log);
    assert_true(blocks.bytes >= 100 * sizeof *left);
    tw_log_place(&log, &fresh, &blocks);
    append(&log, 100);
    holds(&log, 100);
    assert_ptr_equal(log.record, left);
    tw_log_free(&log);
    tw_log_blocks_clear(&blocks);
    assert_int_equal(blocks.bytes, 0);
}

TEST(no_more_blocks_wait_than_may)
{
    struct tw_log_blocks blocks = { .most_bytes = 100 * sizeof(struct tw_record) };
    struct tw_log log;

    tw_log_place(&log, &fresh, &blocks);
    append(&log, 10000);
    tw_log_free(&log);
    assert_true(blocks.bytes > 0);
    assert_true(blocks.bytes <= blocks.most_bytes);
    tw_log_blocks_clear(&blocks);
}

TEST(a_large_block_does_for_a_smaller_log_where_there_is_plenty)
{
    struct tw_log_blocks blocks = { .most_bytes = 1 << 20 };
    struct tw_log log;
    size_t bytes;

    for (int plenty = 0; plenty < 2; plenty++) {
        blocks.plenty = plenty;
        tw_log_place(&log, &fresh, &blocks);
        append(&log, 10000);
        tw_log_free(&log);
        tw_log_place(&log, &fresh, &blocks);
        append(&log, 3000);
        holds(&log, 3000);
        assert_int_equal(log.capacity >= 10000, plenty);
        if (plenty)
            assert_int_equal(tw_log_bytes(&log), bytes);
        bytes = tw_log_bytes(&log);
        tw_log_free(&log);
        tw_log_blocks_clear(&blocks);
    }
}

/* Its reader may have it longer than the blocks are there. */
TEST(a_taken_log_is_in_no_block)
{
    struct tw_log_blocks blocks = { .most_bytes = 1 << 20 };
    struct tw_log log, *taken;

    tw_log_place(&log, &fresh, &blocks);
    append(&log, 12);
    taken = tw_log_take(&log);
    tw_log_free(&log);
    tw_log_blocks_clear(&blocks);
    append(taken, 100);
    holds(taken, 112);
    tw_log_free(taken);
    assert_int_equal(blocks.bytes, 0);
}
