/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <tcpwhy/tcpwhy.h>

#define S INT64_C(1000000000)

TEST(either_byte_order_and_resolution_gives_the_same_frames)
{
    for (int variant = 0; variant < 4; variant++) {
        struct capture c = capture_new(variant & 1);
        bool nanoseconds = variant & 2;
        struct tw_source *source;

        pcap_header(&c, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4, 1);
        pcap_record(&c, 1600000000, nanoseconds ? 5000 : 5, "first");
        pcap_record(&c, 1600000001, nanoseconds ? 999999000 : 999999, "second");
        source = capture_open(&c);
        expect_frame(source, 1, 1600000000 * S + 5000, "first");
        expect_frame(source, 2, 1600000001 * S + 999999000, "second");
        expect_end(source);
        assert_int_equal(fact_count(source, TW_SOURCE_CUT_SHORT), 0);
        tw_source_close(source);
        capture_free(&c);
    }
}

CAPTURE_TEST(a_record_says_link_type_and_length_on_the_wire, capture_new(false))
{
    struct tw_frame frame;

    pcap_header(c, 0xa1b2c3d4, 0xf4000000 | 12); /* frame check sequence of 2, raw IP */
    pcap_record(c, 1, 2, "frame");
    struct tw_source *source = capture_source(c);
    assert_int_equal(tw_source_next(source, &frame), 1);
    assert_int_equal(frame.link_type, 101);
    assert_int_equal(frame.original_len, 105);
}

static void put_longer_record(struct capture *c, uint32_t seconds, size_t more, const char *data)
{
    put32(c, seconds);
    put32(c, 7);
    put32(c, (uint32_t)strlen(data));
    put32(c, (uint32_t)strlen(data));
    put(c, "\2\0\0\0\10\0\0\0\1\1\0\0", more);
    put(c, data, strlen(data));
}

TEST(longer_record_headers_are_told_apart_by_the_records)
{
    static const struct {
        uint32_t magic;
        size_t more;
    } variant[] = {
        { 0xa1b2cd34, 8 },
        { 0xa1b2cd34, 12 },
        { 0xa1b2c3d4, 8 },
        { 0xa1b2c3d4, 4 },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(variant); i++) {
        struct capture c = capture_new(i & 1);
        struct tw_source *source;

        pcap_header(&c, variant[i].magic, 1);
        put_longer_record(&c, 1000, variant[i].more, "first");
        put_longer_record(&c, 1001, variant[i].more, "second");
        put_longer_record(&c, 1002, variant[i].more, "third frame");
        put_longer_record(&c, 1003, variant[i].more, "fourth");
        source = capture_open(&c);
        expect_frame(source, 1, 1000 * S + 7000, "first");
        expect_frame(source, 2, 1001 * S + 7000, "second");
        expect_frame(source, 3, 1002 * S + 7000, "third frame");
        expect_frame(source, 4, 1003 * S + 7000, "fourth");
        expect_end(source);
        tw_source_close(source);
        capture_free(&c);
    }
}

CAPTURE_TEST(a_damaged_standard_file_is_not_taken_for_a_patched_one, capture_new(false))
{
    pcap_header(c, 0xa1b2c3d4, 1);
    pcap_record(c, 1000, 1, "first");
    pcap_record(c, 1000, 0xffffffff, "odd fraction");
    pcap_record(c, 1000, 3, "third");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000 * S + 1000, "first");
    expect_frame(source, 2, 1000 * S - 1000, "odd fraction");
    expect_frame(source, 3, 1000 * S + 3000, "third");
    expect_end(source);
}

TEST(old_versions_have_their_lengths_the_other_way_round)
{
    static const struct {
        uint16_t major, minor;
    } version[] = { { 2, 2 }, { 2, 3 }, { 543, 0 } };

    for (size_t i = 0; i < G_N_ELEMENTS(version); i++) {
        struct capture c = capture_new(false);
        struct tw_source *source;
        struct tw_frame frame;

        pcap_header(&c, 0xa1b2c3d4, 1);
        for (unsigned k = 0; k < 2; k++) {
            c.bytes->data[4 + k] = (uint8_t)(version[i].major >> 8 * k);
            c.bytes->data[6 + k] = (uint8_t)(version[i].minor >> 8 * k);
        }
        put32(&c, 1);
        put32(&c, 2);
        put32(&c, 60);
        put32(&c, 4);
        put(&c, "data", 4);
        source = capture_open(&c);
        assert_int_equal(tw_source_next(source, &frame), 1);
        assert_int_equal(frame.bytes.len, 4);
        assert_int_equal(frame.original_len, 60);
        tw_source_close(source);
        capture_free(&c);
    }
}

CAPTURE_TEST(aix_writes_interface_types_and_nanoseconds, capture_new(true))
{
    struct tw_frame frame;

    pcap_header(c, 0xa1b2c3d4, 6);
    c->bytes->data[7] = 2;
    put32(c, 10);
    put32(c, 500000005);
    put32(c, 60);
    put32(c, 4);
    put(c, "data", 4);
    struct tw_source *source = capture_source(c);
    assert_int_equal(tw_source_next(source, &frame), 1);
    assert_int_equal(frame.link_type, 1);
    assert_int_equal(frame.time_ns, 10 * S + 500000005);
}

CAPTURE_TEST(ixia_files_hold_a_length_before_the_first_record, capture_new(false))
{
    pcap_header(c, 0x1c0001ac, 1);
    put32(c, 21);
    pcap_record(c, 10, 5, "frame");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 10 * S + 5, "frame");
    expect_end(source);
}

CAPTURE_TEST(an_ixia_file_that_is_cut_before_its_length_holds_nothing, capture_new(false))
{
    pcap_header(c, 0x1c0001ac, 1);
    struct tw_source *source = capture_open(c);
    expect_end(source);
    tw_source_close(source);
    put16(c, 0);
    source = capture_open(c);
    expect_end(source);
    tw_source_close(source);
}

/* Every cut after the first record: one frame, and the fact unless the cut lies between records. */
CAPTURE_TEST(a_file_cut_anywhere_is_read_to_the_cut, capture_new(false))
{
    pcap_header(c, 0xa1b2c3d4, 1);
    pcap_record(c, 1000, 1, "first");
    guint after_first = c->bytes->len;
    pcap_record(c, 1000, 2, "second");
    for (guint len = c->bytes->len - 1; len >= after_first; len--) {
        struct tw_source *source;

        tw_byte_array_set_size(c->bytes, len);
        source = capture_open(c);
        expect_frame(source, 1, 1000 * S + 1000, "first");
        expect_end(source);
        assert_int_equal(fact_count(source, TW_SOURCE_CUT_SHORT), len > after_first);
        tw_source_close(source);
    }
}

CAPTURE_TEST(an_absurd_length_ends_the_reading_and_is_a_fact, capture_new(false))
{
    size_t n;

    pcap_header(c, 0xa1b2c3d4, 1);
    pcap_record(c, 1000, 1, "first");
    put32(c, 1000);
    put32(c, 1);
    put32(c, 0xffffffff);
    put32(c, 0xffffffff);
    put_zeros(c, 100);
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000 * S + 1000, "first");
    expect_end(source);
    assert_int_equal(tw_source_facts(source, &n)[0].kind, TW_SOURCE_BAD_RECORD);
    assert_int_equal(tw_source_facts(source, &n)[0].frame, 1);
    assert_int_equal(n, 1);
}

CAPTURE_TEST(more_captured_than_was_on_the_wire_is_a_fact, capture_new(false))
{
    pcap_header(c, 0xa1b2c3d4, 1);
    for (int i = 0; i < 3; i++) {
        put32(c, 1);
        put32(c, 2);
        put32(c, 4);
        put32(c, 0);
        put(c, "data", 4);
    }
    struct tw_source *source = capture_source(c);
    for (uint32_t i = 1; i <= 3; i++)
        expect_frame(source, i, S + 2000, "data");
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_LEN_MISMATCH), 3);
}

CAPTURE_TEST(a_cut_file_header_is_refused_with_advice, capture_new(false))
{
    struct tw_source_error error;

    pcap_header(c, 0xa1b2c3d4, 1);
    assert_null(tw_source_open_memory(tw_bytes(c->bytes->data, 23), NULL, &error));
    assert_int_equal(error.code, TCPWHY_ERR_FORMAT);
    assert_string_equal(error.text,
                        "cut short inside the pcap file header: take the capture again");
}
