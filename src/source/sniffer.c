/* SPDX-License-Identifier: MIT */
/* The format of Network General's Sniffer for DOS (.enc, .trc, .fdc, .syc). */
#include "base/memory.h"
#include "source/record.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "source/codec.h"
#include "source/unpack.h"

static const char magic[] = "TRSNIFF data    \x1a";

#define MAGIC          17
#define HEADER         6 /* type, length, two bytes without a meaning */
#define VERSION_RECORD 18

enum { VERSION = 1, END = 3, FRAME_2 = 4, FRAME_4 = 8, FRAME_6 = 12 };

/* Bytes of a record before its frame, by its type. */
#define FRAME_2_HEADER 14
#define FRAME_4_HEADER 48
#define FRAME_6_HEADER 34

enum { TOKEN_RING = 0, ETHERNET = 1, ARCNET = 2, SYNCHRONOUS = 7, ASYNCHRONOUS = 8, FDDI = 9 };

#define LINKTYPE_ARCNET_BSD 7

struct sniffer {
    uint16_t major, minor;
    uint8_t network;
    int64_t start_s; /* midnight of the first day */
    uint32_t ps_per_unit;
};

static bool probe(struct tw_bytes start)
{
    return tw_bytes_has(start, 0, MAGIC) && memcmp(start.data, magic, MAGIC) == 0;
}

/* Picoseconds; as Wireshark found them. */
static const uint32_t units[] = { 15000000, 838096, 15000000, 500000, 2000000, 1000000, 100000 };

/* Descriptions of the capture, up to the first record of another type. */
static void skip_descriptions(struct tw_source *source)
{
    const struct sniffer *sniffer = source->state;

    for (;;) {
        struct tw_bytes b = tw_record_header(source, HEADER);
        uint16_t type = tw_le16(b, 0);
        bool describes = type == 6 || type == 7 || (type >= 13 && type <= 17) ||
                         (type == 8 && sniffer->major <= 2);

        if (b.len < HEADER || !describes ||
            tw_record_pass_over(source, HEADER + (size_t)tw_le16(b, 2)) != TW_RECORD_PASSED_OVER)
            return;
    }
}

static uint32_t link_type(const struct sniffer *sniffer, struct tw_bytes frame)
{
    switch (sniffer->network) {
    case TOKEN_RING:
        return TW_LINK_TOKEN_RING;
    case ETHERNET:
        return TW_LINK_ETHERNET;
    case ARCNET:
        return LINKTYPE_ARCNET_BSD;
    case FDDI:
        return TW_LINK_FDDI;
    case SYNCHRONOUS:
    case ASYNCHRONOUS: /* told by how the frame begins */
        if (tw_u8(frame, 0) == 0xff)
            return TW_LINK_PPP;
        if ((tw_be16(frame, 0) & 0x7fff) == 0x0f00)
            return TW_LINK_CHDLC;
        return tw_u8(frame, 2) == 0x03 ? TW_LINK_FRAME_RELAY : TW_NO_LINK_TYPE;
    default:
        return TW_NO_LINK_TYPE;
    }
}

/* DOS dates have 7 bits for the year since 1980, 4 for the month, 5 for the day. */
static int64_t dos_date_seconds(uint16_t dos)
{
    struct tw_date date = { 1980u + (dos >> 9), dos >> 5 & 0x0f, dos & 0x1f, 0, 0, 0 };

    return tw_date_seconds(&date);
}

static bool open_sniffer(struct tw_source *source, struct tw_source_error *error)
{
    struct sniffer *sniffer = tw_new0(struct sniffer, 1);
    struct tw_bytes b = tw_record_header(source, MAGIC + HEADER + VERSION_RECORD);
    struct tw_bytes v = tw_bytes_from(b, MAGIC + HEADER);
    uint8_t unit = tw_u8(v, 11);

    source->state = sniffer;
    if (v.len < VERSION_RECORD || tw_le16(b, MAGIC) != VERSION)
        return tw_record_refuse_cut(error, "Sniffer");
    if (unit >= G_N_ELEMENTS(units))
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "a Sniffer file with an unknown time unit: take the capture again");
    *sniffer = (struct sniffer) { tw_le16(v, 0), tw_le16(v, 2), tw_u8(v, 9),
                                  dos_date_seconds(tw_le16(v, 6)), units[unit] };
    tw_record_note_local_time(source);
    bool compressed = tw_u8(v, 10) != 1;

    tw_window_take(&source->window, MAGIC + HEADER + VERSION_RECORD);
    skip_descriptions(source);
    if (compressed)
        tw_unpack_window(&source->window, &tw_codec_sniffer);
    return tw_source_check_filter(source, link_type(sniffer, (struct tw_bytes) { 0 }), error);
}

/* 40 bits of units within a day, and the day. */
static int64_t time_of(const struct sniffer *sniffer, struct tw_bytes b)
{
    uint64_t within = tw_le32(b, HEADER) | (uint64_t)tw_u8(b, HEADER + 4) << 32;
    uint64_t ps = within * sniffer->ps_per_unit; /* below 2^64: a unit has less than 24 bits */

    return tw_record_time(sniffer->start_s + (int64_t)tw_u8(b, HEADER + 5) * 86400, ps / 1000);
}

static size_t header_of(uint16_t type)
{
    switch (type) {
    case FRAME_2:
        return FRAME_2_HEADER;
    case FRAME_4:
        return FRAME_4_HEADER;
    case FRAME_6:
        return FRAME_6_HEADER;
    default:
        return 0;
    }
}

static int take_frame(struct tw_source *source, uint16_t type, struct tw_frame *frame)
{
    const struct sniffer *sniffer = source->state;
    size_t header = HEADER + header_of(type);
    struct tw_bytes b = tw_record_header(source, header);
    size_t len = HEADER + (size_t)tw_le16(b, 2);
    struct tw_record record = {
        .header = header,
        .captured = tw_le16(b, HEADER + 6),
        .original = tw_le16(b, HEADER + 10),
        .time_ns = time_of(sniffer, b),
    };
    int rc;

    if (b.len < header)
        return tw_source_end(source, b.len);
    if (type == FRAME_4 && sniffer->major < 5 && sniffer->minor >= 95)
        len += FRAME_4_HEADER - FRAME_2_HEADER; /* those count the header of the other type */
    if (len < header || record.captured > len - header)
        return tw_source_stop_at_bad_record(source);
    if (record.original == 0)
        record.original = record.captured;
    record.trailer = len - header - record.captured;
    rc = tw_record_take(source, &record, frame);
    if (rc > 0)
        frame->link_type = link_type(sniffer, frame->bytes);
    return rc;
}

static int next_record(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, HEADER);
    uint16_t type = tw_le16(b, 0);

    if (b.len < HEADER)
        return tw_source_end(source, b.len);
    if (type == END) {
        source->done = true;
        return 0;
    }
    if (header_of(type) > 0)
        return take_frame(source, type, frame);
    return tw_record_pass_over(source, HEADER + (size_t)tw_le16(b, 2));
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_record(source, frame);
    while (rc == TW_RECORD_PASSED_OVER);
    return rc;
}

const struct tw_format tw_format_sniffer = {
    .probe = probe,
    .open = open_sniffer,
    .next = next,
    .close = tw_record_close,
};
