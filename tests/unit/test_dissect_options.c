/* SPDX-License-Identifier: MIT */
/* TCP options: each kind, and every way in which their lengths can lie. */
#include "tests/unit.h"

#include "dissect/tcp_options.h"

static struct tw_segment read_options(const uint8_t *bytes, size_t len)
{
    struct tw_segment s = { 0 };

    tw_tcp_options(tw_bytes(bytes, len), &s);
    return s;
}

#define OPTIONS(...)                                                                               \
    read_options((const uint8_t[]) { __VA_ARGS__ }, sizeof((const uint8_t[]) { __VA_ARGS__ }))

TEST(a_syn_of_linux_is_read_whole)
{
    struct tw_segment s = OPTIONS(2, 4, 5, 0xb4, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2, 1, 3, 3, 7);

    assert_int_equal(s.options,
                     TW_OPT_MSS | TW_OPT_SACK_PERMITTED | TW_OPT_TIMESTAMP | TW_OPT_WSCALE);
    assert_int_equal(s.mss, 1460);
    assert_int_equal(s.wscale, 7);
    assert_int_equal(s.tsval, 1);
    assert_int_equal(s.tsecr, 2);
}

TEST(four_blocks_of_sack_fit)
{
    uint8_t bytes[40] = { 1, 1, 5, 34 };

    for (uint8_t i = 0; i < 8; i++)
        bytes[7 + 4 * i] = i;
    struct tw_segment s = read_options(bytes, 36);

    assert_int_equal(s.n_sack, 4);
    assert_int_equal(s.sack[0][0], 0);
    assert_int_equal(s.sack[3][0], 6);
    assert_int_equal(s.sack[3][1], 7);
}

TEST(more_blocks_than_fit_are_left)
{
    uint8_t bytes[40] = { 5, 18 };

    bytes[18] = 5;
    bytes[19] = 18;
    assert_int_equal(read_options(bytes, 36).n_sack, 4);
    bytes[1] = 10;
    bytes[10] = 5;
    bytes[11] = 26;
    assert_int_equal(read_options(bytes, 36).n_sack, 4);
}

TEST(the_rarer_kinds_are_recognised)
{
    assert_int_equal(OPTIONS(34, 2).options, TW_OPT_FAST_OPEN);
    assert_int_equal(OPTIONS(34, 6, 1, 2, 3, 4).options, TW_OPT_FAST_OPEN);
    assert_int_equal(OPTIONS(254, 4, 0xf9, 0x89).options, TW_OPT_FAST_OPEN);
    assert_int_equal(OPTIONS(254, 4, 0x12, 0x34).options, 0);
    assert_int_equal(OPTIONS(254, 2).options, 0);
    assert_int_equal(OPTIONS(19, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).options,
                     TW_OPT_MD5);
    assert_int_equal(OPTIONS(29, 4, 1, 1).options, TW_OPT_AO);
    assert_int_equal(OPTIONS(30, 4, 0, 0x81).options, TW_OPT_MPTCP);
    assert_int_equal(OPTIONS(77, 4, 0, 0).options, 0);
}

TEST(nothing_is_read_after_the_end_option)
{
    assert_int_equal(OPTIONS(0, 2, 4, 5, 0xb4).options, 0);
}

TEST(a_wrong_length_for_a_kind_is_skipped)
{
    struct tw_segment s = OPTIONS(2, 6, 5, 0xb4, 0, 0, 3, 3, 7);

    assert_int_equal(s.options, TW_OPT_BAD | TW_OPT_WSCALE);
    assert_int_equal(OPTIONS(5, 7, 0, 0, 0, 0, 0).options, TW_OPT_BAD);
    assert_int_equal(OPTIONS(8, 2, 4, 2).options, TW_OPT_BAD | TW_OPT_SACK_PERMITTED);
}

TEST(a_length_below_2_or_beyond_the_header_ends_the_reading)
{
    assert_int_equal(OPTIONS(2, 0, 4, 2).options, TW_OPT_BAD);
    assert_int_equal(OPTIONS(2, 1, 4, 2).options, TW_OPT_BAD);
    assert_int_equal(OPTIONS(4, 2, 77, 200, 4, 2).options, TW_OPT_SACK_PERMITTED | TW_OPT_BAD);
    assert_int_equal(OPTIONS(1, 1, 1, 2).options, TW_OPT_BAD);
}

TEST(a_cut_option_is_not_malformed)
{
    struct tw_segment s = { .facts = TW_SEG_HEADER_CUT };

    tw_tcp_options(tw_bytes((const uint8_t[]) { 4, 2, 8, 10, 0, 0 }, 6), &s);
    assert_int_equal(s.options, TW_OPT_SACK_PERMITTED);
}

TEST(complete_blocks_of_a_truncated_sack_option_are_used)
{
    const uint8_t option[] = { 5, 18, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 20, 0, 0 };
    struct tw_segment s = { .facts = TW_SEG_HEADER_CUT };

    tw_tcp_options(tw_bytes(option, sizeof option), &s);
    assert_int_equal(s.options, TW_OPT_SACK);
    assert_int_equal(s.n_sack, 1);
    assert_int_equal(s.sack[0][0], 1);
    assert_int_equal(s.sack[0][1], 9);
}
