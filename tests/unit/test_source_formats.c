/* SPDX-License-Identifier: MIT */
/* Savefile formats other than pcap and pcapng, at the edges that whole captures do not show. */
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

#define S INT64_C(1000000000)

static void snoop_header(struct capture *c, uint32_t network)
{
    put(c, "snoop\0\0\0", 8);
    put32(c, 2);
    put32(c, network);
}

static void snoop_record(struct capture *c, uint32_t record_len, uint32_t drops, const char *data)
{
    put32(c, (uint32_t)strlen(data));
    put32(c, (uint32_t)strlen(data));
    put32(c, record_len);
    put32(c, drops);
    put32(c, 7);
    put32(c, 500000);
    put(c, data, strlen(data));
}

CAPTURE_TEST(snoop_drops_are_counted_since_the_start, capture_new(true))
{
    snoop_header(c, 4);
    snoop_record(c, 28, 3, "abcd");
    snoop_record(c, 28, 3, "efgh");
    snoop_record(c, 28, 5, "ijkl");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 7 * S + S / 2, "abcd");
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 3);
    expect_frame(source, 2, 7 * S + S / 2, "efgh");
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 3);
    expect_frame(source, 3, 7 * S + S / 2, "ijkl");
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 5);
    expect_end(source);
}

CAPTURE_TEST(a_snoop_record_shorter_than_its_frame_ends_the_file, capture_new(true))
{
    snoop_header(c, 4);
    snoop_record(c, 28, 0, "abcd");
    snoop_record(c, 27, 0, "efgh");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 7 * S + S / 2, "abcd");
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_RECORD), 1);
}

CAPTURE_TEST(a_snoop_file_may_end_within_its_padding, capture_new(true))
{
    snoop_header(c, 4);
    snoop_record(c, 32, 0, "abcd");
    put_zeros(c, 3);
    struct tw_source *source = capture_source(c);
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_CUT_SHORT), 1);
}

CAPTURE_TEST(a_network_without_a_link_type_gives_frames_of_none, capture_new(true))
{
    struct tw_frame frame;

    snoop_header(c, 5);
    snoop_record(c, 28, 0, "abcd");
    struct tw_source *source = capture_source(c);
    assert_int_equal(tw_source_next(source, &frame), 1);
    assert_int_equal(frame.link_type, 0xffff);
}

/* Network Monitor 2.0: the capture started on 2020-01-02 03:04:05.006, in no one's zone. */
#define NETMON_START (INT64_C(1577934245) * S + 6 * S / 1000)

static void netmon_header(struct capture *c, uint32_t table, uint32_t table_len)
{
    static const uint16_t date[] = { 2020, 1, 4, 2, 3, 4, 5, 6 };

    put(c, "GMBU\0\2", 6);
    put16(c, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(date); i++)
        put16(c, date[i]);
    put32(c, table);
    put32(c, table_len);
    put_zeros(c, 128 - c->bytes->len);
}

static uint32_t netmon_record(struct capture *c, uint64_t us, const char *data)
{
    uint32_t at = c->bytes->len;

    put_number(c, us, 8);
    put32(c, (uint32_t)strlen(data));
    put32(c, (uint32_t)strlen(data));
    put(c, data, strlen(data));
    return at;
}

/* Three frames, the last of them first in the file, and a hole. */
static void netmon_shuffled(struct capture *c)
{
    uint32_t table = 128 + 3 * 17 + 5, at[3];

    netmon_header(c, table, 12);
    at[2] = netmon_record(c, 3, "c");
    at[0] = netmon_record(c, (uint64_t)-1, "a"); /* before the start */
    put_zeros(c, 5);
    at[1] = netmon_record(c, 2, "b");
    for (int i = 0; i < 3; i++)
        put32(c, at[i]);
}

static void expect_netmon_order(struct tw_source *source)
{
    expect_frame(source, 1, NETMON_START - 1000, "a");
    expect_frame(source, 2, NETMON_START + 2000, "b");
    expect_frame(source, 3, NETMON_START + 3000, "c");
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_LOCAL_TIME), 1);
}

CAPTURE_TEST(network_monitor_frames_come_in_the_order_of_their_table, capture_new(false))
{
    netmon_shuffled(c);
    struct tw_source *source = capture_source(c);
    expect_netmon_order(source);
}

CAPTURE_TEST(a_file_is_read_by_its_table_too, capture_new(false))
{
    struct tw_source_error error;
    char *path = NULL;
    int fd = g_file_open_tmp("tcpwhy-XXXXXX", &path, NULL);

    netmon_shuffled(c);
    assert_int_equal(write(fd, c->bytes->data, c->bytes->len), c->bytes->len);
    close(fd);
    struct tw_source *source = tw_source_open(path, NULL, &error);
    assert_non_null(source);
    expect_netmon_order(source);
    tw_source_close(source);
    unlink(path);
    g_free(path);
}

CAPTURE_TEST(through_a_pipe_network_monitor_frames_come_in_the_order_of_the_file,
             capture_new(false))
{
    struct tw_source_error error;
    int ends[2];

    netmon_header(c, 128 + 34, 8);
    netmon_record(c, 1, "a");
    netmon_record(c, 2, "b");
    put32(c, 145);
    put32(c, 128);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], c->bytes->data, c->bytes->len), c->bytes->len);
    close(ends[1]);
    struct tw_source *source = tw_source_open_fd(ends[0], NULL, &error);
    assert_non_null(source);
    expect_frame(source, 1, NETMON_START + 1000, "a");
    expect_frame(source, 2, NETMON_START + 2000, "b");
    expect_end(source);
    tw_source_close(source);
    close(ends[0]);
}

/* Else a small file with a long table could give any number of frames. */
CAPTURE_TEST(no_byte_of_a_network_monitor_file_belongs_to_two_frames, capture_new(false))
{
    struct tw_frame frame;
    int frames = 0;

    netmon_header(c, 128 + 17, 4 * 1000);
    netmon_record(c, 1, "a");
    for (int i = 0; i < 1000; i++)
        put32(c, 128);
    struct tw_source *source = capture_source(c);
    while (tw_source_next(source, &frame) > 0)
        frames++;
    assert_int_equal(frames, c->bytes->len / 17);
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_RECORD), 1);
}

/* A Sniffer file with 1 us units, whose records are one block: its length, then its bytes. */
static void sniffer_header(struct capture *c, uint8_t format)
{
    static const uint8_t version[] = { 4, 0, 0, 0, 0, 0, 0x21, 0x50, 4, 1, 0, 5, 1, 1, 0, 0, 0, 0 };
    size_t at;

    put(c, "TRSNIFF data    \x1a\1\0\x12\0\0\0", 23);
    at = c->bytes->len;
    put(c, version, sizeof version); /* 2020-01-01 */
    c->bytes->data[at + 10] = format;
}

#define SNIFFER_DAY (INT64_C(1577836800) * S)

/* The header of a frame of 40 bytes, at 1 s of the second day. */
static const uint8_t sniffer_frame[] = { 4, 0, 54, 0, 0, 0, 0x40, 0x42, 0x0f, 0,
                                         0, 1, 40, 0, 0, 0, 0,    0,    0,    0 };

static void expect_packed(const uint8_t *items, size_t len, const char *data)
{
    struct capture c = capture_new(false);
    struct tw_source *source;

    sniffer_header(&c, 2);
    put16(&c, (uint16_t)-20);
    put(&c, sniffer_frame, 20);
    put16(&c, (uint16_t)len);
    put(&c, items, len);
    source = capture_open(&c);
    if (data) {
        expect_frame(source, 1, SNIFFER_DAY + 86401 * S, data);
        expect_end(source);
        assert_int_equal(fact_count(source, TW_SOURCE_BAD_ARCHIVE), 0);
    } else {
        expect_end(source);
        assert_int_equal(fact_count(source, TW_SOURCE_BAD_ARCHIVE), 1);
    }
    tw_source_close(source);
    capture_free(&c);
}

TEST(runs_and_strings_of_sniffer_blocks_are_unpacked)
{
    /* 3 plain bytes, a run of 18, a string of 3 from 3 back, one of 16 from 16 back. */
    static const uint8_t strings[] = { 0, 0x1c, 'a', 'b', 'c', 0x0f, 'x', 0x30, 0, 0x2d, 0, 0 };
    /* A run of 40: 19 and 21. */
    static const uint8_t run[] = { 0, 0x80, 0x15, 1, 'z' };

    expect_packed(strings, sizeof strings, "abcxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    expect_packed(run, sizeof run, "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
}

TEST(a_string_from_before_its_block_is_damage)
{
    static const uint8_t before[] = { 0, 0x40, 'a', 0x30, 0 }; /* 3 bytes, from 3 back of 1 */
    static const uint8_t itself[] = { 0, 0x08, 'a', 'b', 'c', 'd', 0x40, 0 }; /* 4 from 3 back */
    static const uint8_t cut[] = { 0, 0x80, 0x15, 1 };

    expect_packed(before, sizeof before, NULL);
    expect_packed(itself, sizeof itself, NULL);
    expect_packed(cut, sizeof cut, NULL);
}

CAPTURE_TEST(a_length_of_zeros_between_sniffer_blocks_is_no_padding, capture_new(false))
{
    char data[257];

    sniffer_header(c, 2);
    put16(c, (uint16_t)-20);
    put(c, "\4\0\x0e\1\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 20);
    memset(data, 'q', 256);
    data[256] = '\0';
    put16(c, (uint16_t)-256); /* its low byte is 0 */
    put(c, data, 256);
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, SNIFFER_DAY, data);
    expect_end(source);
}

static void erf_record(struct capture *c, uint32_t seconds, uint8_t type, uint16_t lost)
{
    struct capture order = { c->bytes, true, NULL };

    put32(c, 0x80000000);
    put32(c, seconds);
    put_number(&order, (uint64_t)type << 8 | 4, 2);
    put16(&order, 24);
    put16(&order, lost);
    put16(&order, 6);
    put(c, "..framed", 8);
}

CAPTURE_TEST(lost_records_of_erf_are_drops, capture_new(false))
{
    struct tw_frame frame;

    erf_record(c, 1600000000, 2, 0);
    erf_record(c, 1600000001, 48, 9); /* padding */
    erf_record(c, 1600000001, 2, 3);
    erf_record(c, 1600000001, 11, 7); /* a colour, not a count */
    struct tw_source *source = capture_source(c);
    for (uint32_t number = 1; number <= 3; number++) {
        assert_int_equal(tw_source_next(source, &frame), 1);
        assert_int_equal(frame.number, number);
        assert_int_equal(frame.link_type, 197);
        assert_int_equal(frame.time_ns % S, S / 2);
    }
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_DROPPED), 3);
}

CAPTURE_TEST(records_back_in_time_are_not_guessed_to_be_erf, capture_new(false))
{
    struct tw_source_error error;

    erf_record(c, 1600000001, 2, 0);
    erf_record(c, 1600000000, 2, 0);
    assert_null(tw_source_open_memory(tw_bytes(c->bytes->data, c->bytes->len), NULL, &error));
    assert_int_equal(error.code, TCPWHY_ERR_FORMAT);
}

static void netxray_record(struct capture *c, uint64_t us, const char *data)
{
    put_number(c, us, 8);
    put16(c, 1);
    put16(c, 1);
    put_zeros(c, 16);
    put(c, data, 1);
}

/* NetXRay 1.1: two records, some left-overs, and the record before those two. */
CAPTURE_TEST(a_wrapped_netxray_buffer_is_read_from_its_first_record, capture_new(false))
{
    put(c,
        "XCP\0"
        "001.100",
        12);
    put32(c, 1000); /* start, seconds */
    put_zeros(c, 8);
    put32(c, 128 + 2 * 29 + 5); /* the first record, ... */
    put32(c, 128 + 2 * 29);     /* ... and behind the last */
    put_zeros(c, 128 - c->bytes->len);
    netxray_record(c, 2, "b");
    netxray_record(c, 3, "c");
    put_zeros(c, 5);
    netxray_record(c, 1, "a");
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 1000 * S + 1000, "a");
    expect_frame(source, 2, 1000 * S + 2000, "b");
    expect_frame(source, 3, 1000 * S + 3000, "c");
    expect_end(source);
}

static void peek_head(struct capture *c)
{
    put(c, "\177ver", 4);
    put(c, "<MediaSubType>0</MediaSubType>pkts", 34);
    put_zeros(c, 8);
}

static void peek_tag(struct capture *c, uint16_t tag, uint32_t value)
{
    put16(c, tag);
    put32(c, value);
}

CAPTURE_TEST(a_list_of_tags_without_an_end_is_damage, capture_new(false))
{
    peek_head(c);
    for (int i = 0; i < 70; i++)
        peek_tag(c, 9, 0);
    struct tw_source *source = capture_source(c);
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_RECORD), 1);
}

CAPTURE_TEST(a_frame_of_omnipeek_ends_before_its_four_zeros, capture_new(false))
{
    peek_head(c);
    peek_tag(c, 0, 8);
    peek_tag(c, 1, (uint32_t)(UINT64_C(11644473600000000000) & UINT32_MAX));
    peek_tag(c, 2, (uint32_t)(UINT64_C(11644473600000000000) >> 32));
    peek_tag(c, 0xffff, 0);
    put(c, "abcd\0\0\0\0", 8);
    struct tw_source *source = capture_source(c);
    expect_frame(source, 1, 0, "abcd");
    expect_end(source);
}
