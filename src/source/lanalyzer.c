/* SPDX-License-Identifier: MIT */
/* The LANalyzer format of Novell: typed records, the first of which describe the capture. */
#include "base/memory.h"
#include "source/record.h"

#include <tcpwhy/tcpwhy.h>

enum { HEADER_REGULAR = 0x1001, SUMMARY = 0x1002, PACKET = 0x1005, HEADER_CYCLIC = 0x1007 };

#define HEADER     4  /* type and length */
#define DESCRIPTOR 32 /* of a packet */
#define FCS        4

/* Offsets in a summary record. */
#define BOARD         (HEADER + 188)
#define SUMMARY_BYTES (BOARD + 2)

enum { BOARD_ETHERNET = 226, BOARD_TOKEN_RING = 227 };

struct lanalyzer {
    uint32_t link_type;
    int64_t start_s; /* midnight of the day of the capture */
};

/* A type and length are a weak signature: the record after the first must have a type, too. */
static bool guess(struct tw_bytes start)
{
    uint16_t type = tw_le16(start, 0), len = tw_le16(start, 2);

    return (type == HEADER_REGULAR || type == HEADER_CYCLIC) && len >= 2 &&
           tw_le16(start, HEADER + (size_t)len) >> 8 == 0x10;
}

static void read_summary(struct tw_source *source, struct tw_bytes b)
{
    struct lanalyzer *lanalyzer = source->state;
    struct tw_date date = {
        tw_le16(b, HEADER + 2), tw_u8(b, HEADER + 1), tw_u8(b, HEADER), 0, 0, 0
    };

    lanalyzer->start_s = tw_date_seconds(&date);
    if (tw_le16(b, BOARD) == BOARD_ETHERNET)
        lanalyzer->link_type = TW_LINK_ETHERNET;
    else if (tw_le16(b, BOARD) == BOARD_TOKEN_RING)
        lanalyzer->link_type = TW_LINK_TOKEN_RING;
}

/* A record before the packets. @return false at the first packet, and at the end. */
static bool take_description(struct tw_source *source)
{
    struct tw_bytes b = tw_record_header(source, HEADER);
    size_t len = HEADER + (size_t)tw_le16(b, 2);

    if (b.len < HEADER || tw_le16(b, 0) == PACKET)
        return false;
    b = tw_record_header(source, len);
    if (b.len < len)
        return false;
    if (tw_le16(b, 0) == SUMMARY && len >= SUMMARY_BYTES)
        read_summary(source, b);
    tw_window_take(&source->window, len);
    return true;
}

static bool open_lanalyzer(struct tw_source *source, struct tw_source_error *error)
{
    struct lanalyzer *lanalyzer = tw_new0(struct lanalyzer, 1);

    source->state = lanalyzer;
    lanalyzer->link_type = TW_NO_LINK_TYPE;
    while (take_description(source)) {
    }
    tw_record_note_local_time(source);
    return tw_source_check_filter(source, lanalyzer->link_type, error);
}

/* 48 bits of half microseconds. */
static int64_t time_of(const struct lanalyzer *lanalyzer, struct tw_bytes b)
{
    uint64_t halves = tw_le32(b, HEADER + 8) | (uint64_t)tw_le16(b, HEADER + 12) << 32;

    return tw_record_time(lanalyzer->start_s + (int64_t)(halves / 2000000), halves % 2000000 * 500);
}

static int next_record(struct tw_source *source, struct tw_frame *frame)
{
    const struct lanalyzer *lanalyzer = source->state;
    struct tw_bytes b = tw_record_header(source, HEADER + DESCRIPTOR);
    uint16_t len = tw_le16(b, 2);
    struct tw_record record = {
        .header = HEADER + DESCRIPTOR,
        .captured = tw_le16(b, HEADER + 6),
        .original = tw_le16(b, HEADER + 4),
        .link_type = lanalyzer->link_type,
        .time_ns = time_of(lanalyzer, b),
    };

    if (b.len < HEADER)
        return tw_source_end(source, b.len);
    if (tw_le16(b, 0) != PACKET)
        return tw_record_pass_over(source, HEADER + (size_t)len);
    if (b.len < HEADER + DESCRIPTOR)
        return tw_source_end(source, b.len);
    if (len < DESCRIPTOR || record.captured > (uint32_t)len - DESCRIPTOR)
        return tw_source_stop_at_bad_record(source);
    record.trailer = len - DESCRIPTOR - record.captured;
    if (record.original >= record.captured + FCS) /* counted, but never captured */
        record.original -= FCS;
    return tw_record_take(source, &record, frame);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_record(source, frame);
    while (rc == TW_RECORD_PASSED_OVER);
    return rc;
}

const struct tw_format tw_format_lanalyzer = {
    .guess = guess,
    .open = open_lanalyzer,
    .next = next,
    .close = tw_record_close,
};
