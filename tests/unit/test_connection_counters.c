/* SPDX-License-Identifier: MIT */
/* Sums over the records of a connection. */
#include "base/array.h"
#include "tests/unit.h"

#include <glib.h>

#include "report/rows/connection_counters.h"
#include "report/rows/traffic.h"

#define MANY 10000

/* n records, a byte each, so far apart; the log is static, nothing of it is to be freed. */
static struct tw_log spread(struct tw_record *records, uint32_t n, tcpwhy_ns apart_ns)
{
    for (uint32_t i = 0; i < n; i++)
        records[i] = (struct tw_record) {
            .time_ns = i * apart_ns, .frame = i + 1, .from = i % 2, .len = 1, .fresh = 1
        };
    return (struct tw_log) { .record = records, .n = n };
}

TEST(records_are_added_up_by_interval)
{
    struct tw_record records[7];
    struct tw_log log = spread(records, 7, TCPWHY_MS(400));
    struct tw_connection_counters sums;

    records[6].frame_class = TCPWHY_CLASS_RETRANSMISSION;
    records[6].fresh = 0;
    tw_connection_counters_make(&sums, &log, TCPWHY_S(1));
    const struct tw_connection_counters_part *part = tw_connection_counters_parts(&sums);
    assert_int_equal(sums.n, 3);
    assert_int_equal(part[0].frames, 3);
    assert_int_equal(part[1].frames, 2);
    assert_int_equal(part[2].frames, 2);
    assert_int_equal(part[1].at_ns, TCPWHY_MS(1200));
    assert_int_equal(part[0].payload_bytes[0], 2);
    assert_int_equal(part[0].payload_bytes[1], 1);
    assert_int_equal(part[1].retransmissions, 0);
    assert_int_equal(part[2].retransmissions, 1);
    assert_int_equal(part[2].payload_bytes[0], 0);
    assert_int_equal(part[2].payload_bytes[1], 1);
    assert_false(sums.has_flaws);
    tw_connection_counters_clear(&sums);
}

TEST(times_before_the_first_frame_are_in_the_first_interval)
{
    struct tw_record records[3];
    struct tw_log log = spread(records, 3, TCPWHY_MS(1));
    struct tw_connection_counters sums;

    records[0].time_ns = -TCPWHY_S(5);
    records[1].time_ns = -1;
    tw_connection_counters_make(&sums, &log, TCPWHY_S(1));
    assert_int_equal(sums.n, 1);
    assert_int_equal(tw_connection_counters_parts(&sums)[0].frames, 3);
    tw_connection_counters_clear(&sums);
}

/* And they fall into the same intervals as if each record had been counted by itself. */
TEST(a_long_connection_has_no_more_intervals_than_the_capture)
{
    struct tw_record *records = tw_new(struct tw_record, MANY);
    struct tw_log log = spread(records, MANY, TCPWHY_S(3) + 7);
    struct tw_traffic *traffic = tw_traffic_new(0);
    struct tw_traffic_pen pen = tw_traffic_pen(traffic, 0);
    tw_ptr_array *blocks = tw_ptr_array_new_with_free_func(tw_free);
    struct tw_intervals each;
    struct tw_connection_counters sums;

    tw_connection_counters_make(&sums, &log, TCPWHY_S(1));
    assert_true(sums.n <= TW_CONNECTION_COUNTERS_MOST);
    tw_traffic_add(&pen, &sums);
    struct tw_interval_series own = tw_traffic_listener(traffic, 0, blocks);
    tw_intervals_init(&each, TCPWHY_S(1), 256);
    for (uint32_t i = 0; i < MANY; i++)
        tw_intervals_at(&each, records[i].time_ns)->frames++;
    assert_int_equal(own.interval_ns, each.width_ns);
    assert_int_equal(own.n, each.interval->len);
    for (size_t i = 0; i < own.n; i++)
        assert_int_equal(own.interval[i].frames,
                         tw_array_index(each.interval, struct tcpwhy_interval, i).frames);
    tw_intervals_clear(&each);
    tw_connection_counters_clear(&sums);
    tw_ptr_array_free(blocks, TRUE);
    tw_traffic_free(traffic);
    tw_free(records);
}

TEST(flaws_are_counted_and_the_first_frames_named)
{
    struct tw_record records[20];
    struct tw_log log = spread(records, 20, TCPWHY_MS(1));
    struct tw_connection_counters sums;

    for (int i = 3; i < 20; i += 2)
        records[i].facts = TW_FACT_PAYLOAD_CUT;
    records[4].facts = TW_FACT_CLOCK_BACK | TW_FACT_ACKS_UNSEEN;
    records[6].frame_class = TCPWHY_CLASS_OUT_OF_ORDER;
    records[8].len = 60000;
    records[10].frame_class = TCPWHY_CLASS_DUPLICATE_FRAME;
    tw_connection_counters_make(&sums, &log, TCPWHY_S(1));
    assert_true(sums.has_flaws);
    assert_int_equal(sums.flaws.count[TW_FLAW_PAYLOAD_CUT], 9);
    for (uint32_t i = 0; i < TW_FLAW_FRAMES; i++)
        assert_int_equal(sums.flaws.frame[TW_FLAW_PAYLOAD_CUT][i], 4 + 2 * i);
    assert_int_equal(sums.flaws.count[TW_FLAW_CLOCK_STEP_BACK], 1);
    assert_int_equal(sums.flaws.count[TW_FLAW_FRAMES_MISSING], 1);
    assert_int_equal(sums.flaws.frame[TW_FLAW_FRAMES_MISSING][0], 5);
    assert_int_equal(sums.flaws.frame[TW_FLAW_REORDERING][0], 7);
    assert_int_equal(sums.flaws.frame[TW_FLAW_OFFLOAD][0], 9);
    assert_int_equal(sums.flaws.count[TW_FLAW_DUPLICATED_FRAME], 1);
    tw_connection_counters_clear(&sums);
}

TEST(no_records_add_up_to_nothing)
{
    struct tw_log log = { 0 };
    struct tw_connection_counters sums;

    tw_connection_counters_make(&sums, &log, TCPWHY_S(1));
    assert_int_equal(sums.n, 0);
    assert_false(sums.has_flaws);
    tw_connection_counters_clear(&sums);
}
