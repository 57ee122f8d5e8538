/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <tcpwhy/tcpwhy.h>

#include "source/interface.h"

#define S INT64_C(1000000000)

CAPTURE_TEST(sections_of_either_byte_order_follow_one_another, capture_new(false))
{
    struct tw_frame frame;

    for (int i = 0; i < 3; i++) {
        c->big_endian = i == 1;
        section(c);
        interface(c, 1, 0);
        interface(c, i == 1 ? 101 : 113, 0);
        packet(c, 1, 1000000 + (uint64_t)i, "data");
    }
    struct tw_source *source = capture_source(c);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(tw_source_next(source, &frame), 1);
        assert_int_equal(frame.number, i + 1);
        assert_int_equal(frame.time_ns, S + i * 1000);
        assert_int_equal(frame.link_type, i == 1 ? 101 : 113);
        assert_int_equal(frame.original_len, 104);
        assert_memory_equal(frame.bytes.data, "data", 4);
    }
    expect_end(source);
}

CAPTURE_TEST(every_interface_has_its_own_clock, capture_new(true))
{
    static const uint8_t resolution[] = { 0, 3, 9, 12, 0x80 | 10 };

    section(c);
    for (size_t i = 0; i < G_N_ELEMENTS(resolution); i++) {
        guint at = interface_begin(c, 1, 0);

        put_option(c, 9, &resolution[i], 1);
        block_end(c, at);
    }
    packet(c, 0, 7, "seconds");
    packet(c, 1, 7001, "milliseconds");
    packet(c, 2, 7000000001, "nanoseconds");
    packet(c, 3, 7000000001999, "picoseconds");
    packet(c, 4, 7 * 1024 + 512, "binary");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 7 * S, "seconds");
    expect_frame(source, 2, 7 * S + 1000000, "milliseconds");
    expect_frame(source, 3, 7 * S + 1, "nanoseconds");
    expect_frame(source, 4, 7 * S + 1, "picoseconds");
    expect_frame(source, 5, 7 * S + S / 2, "binary");
    expect_end(source);
}

CAPTURE_TEST(a_time_offset_is_added_and_may_be_negative, capture_new(false))
{
    section(c);
    for (int i = 0; i < 2; i++) {
        int64_t offset_s = i == 0 ? 3600 : -3600;
        guint at = interface_begin(c, 1, 0);

        put16(c, 14);
        put16(c, 8);
        put_number(c, (uint64_t)offset_s, 8);
        block_end(c, at);
    }
    packet(c, 0, 5, "later");
    packet(c, 1, 5, "earlier");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 3600 * S + 5000, "later");
    expect_frame(source, 2, -3600 * S + 5000, "earlier");
}

TEST(any_clock_gives_a_time_that_can_be_subtracted_or_none)
{
    static const uint64_t units[] = { 0, 1, UINT64_C(1) << 63, UINT64_MAX };
    static const int64_t offsets[] = { 0, 1, -1, INT64_MAX, INT64_MIN };

    for (int resolution = 0; resolution < 256; resolution++) {
        struct tw_interface interface = tw_interface(1, 0);

        tw_interface_set_clock(&interface, (uint8_t)resolution);
        for (size_t u = 0; u < G_N_ELEMENTS(units); u++) {
            for (size_t o = 0; o < G_N_ELEMENTS(offsets); o++) {
                int64_t time_ns;

                interface.offset_s = offsets[o];
                time_ns = tw_interface_time(&interface, units[u]);
                assert_true(time_ns == TW_NO_TIME ||
                            (time_ns < INT64_MAX / 2 && time_ns > -(INT64_MAX / 2)));
            }
        }
    }
}

static void section_with_texts(struct capture *c)
{
    guint at = section_begin(c);

    put_option(c, 1,
               "Mon\xff"
               "day",
               7);
    put_option(c, 2, "a laptop", 8);
    put_option(c, 3, "Linux", 5);
    put_option(c, 4, "dumpcap", 7);
    block_end(c, at);
}

CAPTURE_TEST(section_options_are_kept_once, capture_new(false))
{
    section_with_texts(c);
    section_with_texts(c);
    interface(c, 1, 0);
    guint at = packet_begin(c, 0, 1, "with");
    put_option(c, 1, "a packet's", 10);
    block_end(c, at);

    struct tw_source *source = capture_source(c);
    assert_string_equal(tw_source_comment(source),
                        "Mon\xef\xbf\xbd"
                        "day\nHardware: a laptop\nOS: Linux\nApplication: dumpcap");
    expect_frame(source, 1, 1000, "with");
    expect_end(source);
}

CAPTURE_TEST(a_simple_packet_has_no_time_and_the_first_interfaces_snap_length, capture_new(false))
{
    struct tw_frame frame;

    section(c);
    interface(c, 1, 4);
    guint at = block_begin(c, 3);
    put32(c, 60);
    put(c, "data", 4);
    block_end(c, at);
    struct tw_source *source = capture_source(c);
    assert_int_equal(tw_source_next(source, &frame), 1);
    assert_int_equal(frame.time_ns, INT64_MIN);
    assert_int_equal(frame.bytes.len, 4);
    assert_int_equal(frame.original_len, 60);
    assert_int_equal(fact_count(source, TW_SOURCE_NO_TIME), 1);
}

CAPTURE_TEST(the_obsolete_packet_block_is_read_with_its_drops, capture_new(true))
{
    section(c);
    interface(c, 1, 0);
    guint at = block_begin(c, 2);
    put16(c, 0);
    put16(c, 3);
    put32(c, 0);
    put32(c, 9);
    put32(c, 4);
    put32(c, 60);
    put(c, "data", 4);
    block_end(c, at);
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 9000, "data");
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 3);
}

static void statistics(struct capture *c, uint64_t by_interface, uint64_t by_system)
{
    guint at = block_begin(c, 5);

    put32(c, 0);
    put_zeros(c, 8);
    put16(c, 5);
    put16(c, 8);
    put_number(c, by_interface, 8);
    put16(c, 7);
    put16(c, 8);
    put_number(c, by_system, 8);
    block_end(c, at);
}

CAPTURE_TEST(drops_are_running_totals_and_counted_once, capture_new(false))
{
    section(c);
    interface(c, 1, 0);
    guint at = packet_begin(c, 0, 1, "data");
    put16(c, 4);
    put16(c, 8);
    put_number(c, 2, 8);
    block_end(c, at);
    statistics(c, 2, 0);
    statistics(c, 2, 3);
    statistics(c, UINT64_MAX, UINT64_MAX);
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000, "data");
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 2);
    expect_end(source);
    assert_true(fact_count(source, TW_SOURCE_DROPPED) == UINT64_MAX);
}

CAPTURE_TEST(blocks_without_packets_are_passed_over, capture_new(false))
{
    static const uint32_t types[] = { 4, 10, 7, 8, 0x55, 0x80000001 };

    section(c);
    interface(c, 1, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        guint at = block_begin(c, types[i]);

        put(c, "whatever", 8);
        block_end(c, at);
    }
    packet(c, 0, 1, "data");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000, "data");
    expect_end(source);
}

CAPTURE_TEST(blocks_that_wireshark_numbers_take_a_frame_number, capture_new(false))
{
    static const uint32_t types[] = { 9, 0xbad, 0x40000bad, 0x204, 0x216, 0x221 };

    section(c);
    interface(c, 1, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        guint at = block_begin(c, types[i]);

        put_zeros(c, 40);
        block_end(c, at);
    }
    packet(c, 0, 1, "data");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 7, 1000, "data");
}

CAPTURE_TEST(a_frame_of_an_unknown_interface_is_held_back_and_counted, capture_new(false))
{
    section(c);
    packet(c, 0, 1, "before any");
    interface(c, 1, 0);
    packet(c, 1, 1, "beyond");
    packet(c, 0, 1, "data");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 3, 1000, "data");
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_NO_INTERFACE), 2);
}

CAPTURE_TEST(an_option_that_overruns_its_block_costs_only_itself, capture_new(false))
{
    section(c);
    interface(c, 1, 0);
    guint at = packet_begin(c, 0, 1, "data");
    put16(c, 4);
    put16(c, 8);
    put_number(c, 3, 8);
    put16(c, 4);
    put16(c, 500);
    put(c, "lost", 4);
    block_end(c, at);
    packet(c, 0, 1, "next");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000, "data");
    expect_frame(source, 2, 1000, "next");
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_OPTION), 1);
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 3);
}

CAPTURE_TEST(a_file_cut_anywhere_is_read_to_the_cut, capture_new(false))
{
    section(c);
    interface(c, 1, 0);
    packet(c, 0, 1, "first");
    guint after_first = c->bytes->len;
    packet(c, 0, 2, "second");
    for (guint len = c->bytes->len - 1; len >= after_first; len--) {
        struct tw_source *source;

        tw_byte_array_set_size(c->bytes, len);
        source = capture_open(c);
        expect_frame(source, 1, 1000, "first");
        expect_end(source);
        assert_int_equal(fact_count(source, TW_SOURCE_CUT_SHORT), len > after_first);
        tw_source_close(source);
    }
}

/* A block of this type and lengths after a good packet, with 32 bytes behind it. */
static void expect_after_packet(uint32_t type, uint32_t len, uint32_t len_again,
                                enum tw_source_fact_kind kind)
{
    struct capture c = capture_new(false);
    struct tw_source *source;

    section(&c);
    interface(&c, 1, 0);
    packet(&c, 0, 1, "first");
    put32(&c, type);
    put32(&c, len);
    put_zeros(&c, 24);
    put32(&c, len_again);
    put_zeros(&c, 32);
    source = capture_open(&c);
    expect_frame(source, 1, 1000, "first");
    expect_end(source);
    assert_int_equal(fact_count(source, kind), 1);
    tw_source_close(source);
    capture_free(&c);
}

TEST(lengths_that_no_block_can_have_end_the_reading)
{
    expect_after_packet(6, 0, 0, TW_SOURCE_BAD_RECORD);
    expect_after_packet(6, 8, 8, TW_SOURCE_BAD_RECORD);
    expect_after_packet(6, 20, 20, TW_SOURCE_BAD_RECORD);
    expect_after_packet(6, 36, 40, TW_SOURCE_BAD_RECORD);
    expect_after_packet(6, 0xfffffff0, 0, TW_SOURCE_BAD_RECORD);
    expect_after_packet(6, 0x0ffffff0, 0, TW_SOURCE_CUT_SHORT);
    expect_after_packet(0x55, 0xfffffffc, 0, TW_SOURCE_CUT_SHORT);
    expect_after_packet(0x55, 0xffffffff, 0, TW_SOURCE_BAD_RECORD);
    expect_after_packet(0x0a0d0d0a, 36, 36, TW_SOURCE_BAD_RECORD);
}

CAPTURE_TEST(a_packet_longer_than_its_block_ends_the_reading, capture_new(false))
{
    section(c);
    interface(c, 1, 0);
    packet(c, 0, 1, "first");
    guint at = packet_begin(c, 0, 1, "second");
    c->bytes->data[at + 20] = 100;
    block_end(c, at);
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000, "first");
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_RECORD), 1);
}

CAPTURE_TEST(a_length_without_its_padding_is_understood, capture_new(false))
{
    section(c);
    interface(c, 1, 0);
    guint at = packet_begin(c, 0, 1, "seven b");
    block_end(c, at);
    c->bytes->data[at + 4] -= 1;
    c->bytes->data[c->bytes->len - 4] -= 1;
    packet(c, 0, 2, "next");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000, "seven b");
    expect_frame(source, 2, 2000, "next");
    expect_end(source);
}

static void expect_refused(const struct capture *c, guint len, const char *text)
{
    struct tw_source_error error;

    assert_null(tw_source_open_memory(tw_bytes(c->bytes->data, len), NULL, &error));
    assert_int_equal(error.code, TCPWHY_ERR_FORMAT);
    assert_string_equal(error.text, text);
}

CAPTURE_TEST(a_bad_section_header_is_refused_with_advice, capture_new(false))
{
    section(c);
    expect_refused(c, 20, "cut short inside the pcapng section header: take the capture again");
    c->bytes->data[12] = 2;
    expect_refused(c, c->bytes->len,
                   "its pcapng section header is damaged or of an unknown version: take the "
                   "capture again");
}
