/* SPDX-License-Identifier: MIT */
/* Bytes that connections on one path carry together. */
#include "report/findings/carried.h"
#include "tests/unit.h"

/* From record to record a side of a stream sends 1,000 bytes each second. */
static void add(struct tw_carried *carried, uint32_t stream, uint32_t first, uint32_t last)
{
    struct tw_record records[8] = { 0 };
    const struct tw_log log = { .record = records, .n = 8 };
    const struct tw_span span = { .from = TCPWHY_SERVER,
                                  .first_record = first,
                                  .last_record = last,
                                  .from_ns = TCPWHY_S(first),
                                  .to_ns = TCPWHY_S(last) };

    for (uint32_t i = 0; i < 8; i++)
        records[i] = (struct tw_record) { .from = TCPWHY_SERVER,
                                          .len = 1000,
                                          .frame_class = i == 7 ? TCPWHY_CLASS_RETRANSMISSION
                                                                : TCPWHY_CLASS_DATA };
    tw_carried_add(carried, stream, &log, &span);
}

TEST(one_connection_shares_with_nobody)
{
    struct tw_carried alone = { 0 };

    add(&alone, 3, 0, 4);
    assert_true(tw_carried_rate(&alone) == 0);
}

TEST(two_at_once_carry_the_sum_of_both)
{
    struct tw_carried both = { 0 };

    add(&both, 3, 0, 2);
    add(&both, 3, 4, 6);
    add(&both, 4, 0, 6);
    assert_int_equal(both.bytes, 12000);
    assert_true(tw_carried_rate(&both) == 2000);
}

TEST(one_after_the_other_carry_no_more_than_one)
{
    struct tw_carried first = { 0 }, second = { 0 };

    add(&first, 3, 0, 3);
    add(&second, 4, 3, 6);
    tw_carried_merge(&first, &second);
    assert_true(tw_carried_rate(&first) == 1000);
}

TEST(what_is_sent_again_is_no_load)
{
    struct tw_carried both = { 0 };

    add(&both, 1, 5, 7);
    add(&both, 2, 5, 7);
    assert_int_equal(both.bytes, 2000);
}
