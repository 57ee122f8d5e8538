/* SPDX-License-Identifier: MIT */
/* The buffer format of Network Instruments' (Viavi's) Observer. */
#include "source/record.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#define FILE_HEADER   36
#define RECORD_HEADER 48
#define RECORD_MAGIC  0x88888888
#define EPOCH_S       INT64_C(946684800) /* 2000-01-01 */
#define FCS           4

#define ELEMENT_HEADER  4 /* type and length, which counts itself */
#define ELEMENT_TIME    4
#define TIME_IS_UTC     1
#define FIRST_OFFSET(b) (tw_le16(b, 32) | (uint32_t)tw_u8(b, 31) << 16)
#define N_ELEMENTS(b)   tw_u8(b, 35)

static bool probe(struct tw_bytes start)
{
    static const char magic[] = "ObserverPktBuffer";

    return tw_bytes_has(start, 0, sizeof magic - 1) &&
           memcmp(start.data, magic, sizeof magic - 1) == 0;
}

/* Does an element of the file header say that the times are UTC? Before version 13.10 none does. */
static bool is_utc(struct tw_bytes header)
{
    struct tw_bytes rest = tw_bytes_from(header, FILE_HEADER);

    for (unsigned i = 0; i < N_ELEMENTS(header); i++) {
        uint16_t len = tw_le16(rest, 2);

        if (len < ELEMENT_HEADER)
            return false;
        if (tw_le16(rest, 0) == ELEMENT_TIME)
            return tw_le32(rest, ELEMENT_HEADER) == TIME_IS_UTC;
        rest = tw_bytes_from(rest, len);
    }
    return false;
}

static uint32_t link_type(uint8_t network)
{
    switch (network) {
    case 0:
        return TW_LINK_ETHERNET;
    case 1:
        return TW_LINK_TOKEN_RING;
    case 9:
        return TW_LINK_80211;
    default: /* 8: Fibre Channel */
        return TW_NO_LINK_TYPE;
    }
}

static bool open_observer(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);
    uint32_t first = FIRST_OFFSET(b);

    b = tw_record_header(source, first);
    if (first < FILE_HEADER || b.len < first)
        return tw_record_refuse_cut(error, "Observer");
    if (!is_utc(tw_bytes_first(b, first)))
        tw_record_note_local_time(source);
    tw_window_take(&source->window, first);
    b = tw_record_header(source, RECORD_HEADER);
    return tw_source_check_filter(source, link_type(tw_u8(b, 16)), error);
}

/* Some files end in zeros. */
static bool is_zero(struct tw_bytes b)
{
    for (size_t i = 0; i < RECORD_HEADER; i++)
        if (tw_u8(b, i) != 0)
            return false;
    return true;
}

static int next_record(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, RECORD_HEADER);
    uint16_t captured = tw_le16(b, 8), network = tw_le16(b, 10), following = tw_le16(b, 14);
    uint64_t ns = tw_le64(b, 40);
    struct tw_record record = {
        .header = tw_le16(b, 12),
        .original = network - MIN(FCS, network), /* counted, but never captured */
        .captured = MIN(captured, network - MIN(FCS, network)),
        .link_type = link_type(tw_u8(b, 16)),
        .time_ns = tw_record_time(EPOCH_S, MIN(ns, INT64_MAX)),
    };

    if (b.len < RECORD_HEADER)
        return tw_source_end(source, b.len);
    if (is_zero(b)) {
        source->done = true;
        return 0;
    }
    if (tw_le32(b, 0) != RECORD_MAGIC || following < RECORD_HEADER)
        return tw_source_stop_at_bad_record(source);
    if (tw_u8(b, 19) != 0) /* what Observer's expert noted */
        return tw_record_pass_over(source, following);
    if (record.header < RECORD_HEADER || record.header + record.captured > following)
        return tw_source_stop_at_bad_record(source);
    record.trailer = following - record.header - record.captured;
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

const struct tw_format tw_format_observer = {
    .probe = probe,
    .open = open_observer,
    .next = next,
};
