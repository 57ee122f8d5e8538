/* SPDX-License-Identifier: MIT */
/*
 * The formats of Microsoft Network Monitor 1 and 2. A table at the end of the file has the offsets
 * of the frames in their order; without random access they are read in the order of the file.
 */
#include "base/memory.h"
#include "source/record.h"

#include <tcpwhy/tcpwhy.h>

#define FILE_HEADER 128
#define TABLE_PART  1024 /* entries read at once */

/* Network types of records that are no frames; the file has no number for them either. */
enum { PAYLOAD_HEADER = 0xfffc, NETWORK_INFO = 0xfffd, DNS_CACHE = 0xfffe };

/* Types from here on are LINKTYPE_ numbers, but for a few of Message Analyzer's. */
#define PCAP_BASE      0xe000
#define ANALYZER_FIRST 0xe080
#define ANALYZER_LAST  0xe08a

enum { ETHERNET = 1, TOKEN_RING, FDDI, ATM, WIFI = 6, TUNNEL, MOBILE, RAW_IP };

#define ATM_HEADER 16 /* addresses, VPI, VCI */

struct netmon {
    unsigned major, minor;
    uint16_t network; /* of version 2.0 and before */
    int64_t start_ns;
    uint64_t table, table_len;    /* offset and length in bytes */
    bool has_table;               /* and it can be read */
    uint64_t at;                  /* offset of the next entry in the table */
    uint64_t left;                /* bytes of records: no byte belongs to two of them */
    uint8_t part[TABLE_PART * 4]; /* some of it, ... */
    uint64_t part_from, part_len; /* ... from this offset of the table */
};

static bool probe(struct tw_bytes start)
{
    uint32_t magic = tw_be32(start, 0);

    return magic == 0x474d4255 || magic == 0x52545353; /* "GMBU", "RTSS" */
}

static uint32_t link_type(uint16_t network)
{
    if (network >= PCAP_BASE && network < 0xf000 &&
        (network < ANALYZER_FIRST || network > ANALYZER_LAST))
        return network - PCAP_BASE;
    switch (network) {
    case 0: /* of frames of some VPNs */
    case ETHERNET:
        return TW_LINK_ETHERNET;
    case TOKEN_RING:
        return TW_LINK_TOKEN_RING;
    case FDDI:
        return TW_LINK_FDDI;
    case ATM:
        return TW_LINK_ATM_RFC1483;
    case WIFI:
    case ANALYZER_FIRST:
        return TW_LINK_80211;
    case TUNNEL:
    case MOBILE:
    case RAW_IP:
        return TW_LINK_RAW_IP;
    default:
        return TW_NO_LINK_TYPE;
    }
}

static bool open_netmon(struct tw_source *source, struct tw_source_error *error)
{
    struct netmon *netmon = tw_new0(struct netmon, 1);
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);
    struct tw_date date = { tw_le16(b, 8),  tw_le16(b, 10), tw_le16(b, 14),
                            tw_le16(b, 16), tw_le16(b, 18), tw_le16(b, 20) };

    source->state = netmon;
    if (b.len < FILE_HEADER)
        return tw_record_refuse_cut(error, "Network Monitor");
    netmon->minor = tw_u8(b, 4);
    netmon->major = tw_u8(b, 5);
    if (netmon->major != 1 && netmon->major != 2)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "a Network Monitor file of an unknown version: convert it first "
                                "(editcap -F pcapng FILE OUT.pcapng)");
    netmon->network = tw_le16(b, 6);
    netmon->start_ns = tw_record_time(tw_date_seconds(&date), (uint64_t)tw_le16(b, 22) * 1000000);
    netmon->table = tw_le32(b, 24);
    netmon->table_len = tw_le32(b, 28) & ~UINT32_C(3);
    netmon->has_table = tw_window_read_at(&source->window, netmon->table, netmon->part, 4) == 4;
    netmon->left = tw_window_len(&source->window);
    if (netmon->major == 1 || netmon->minor < 3)
        tw_record_note_local_time(source);
    tw_window_take(&source->window, FILE_HEADER);
    return tw_source_check_filter(source, link_type(netmon->network), error);
}

/* The offset of the next record. @return false at the end of the table. */
static bool next_offset(struct tw_source *source, uint32_t *offset)
{
    struct netmon *netmon = source->state;

    if (netmon->at >= netmon->part_from + netmon->part_len) {
        size_t want = (size_t)MIN(sizeof netmon->part, netmon->table_len - netmon->at);

        netmon->part_from = netmon->at;
        netmon->part_len =
            tw_window_read_at(&source->window, netmon->table + netmon->at, netmon->part, want) &
            ~3u;
        if (netmon->part_len == 0)
            return false;
    }
    *offset = tw_le32(tw_bytes(netmon->part, sizeof netmon->part),
                      (size_t)(netmon->at - netmon->part_from));
    netmon->at += 4;
    return true;
}

/* @return false at the end of the records. */
static bool move_to_next(struct tw_source *source)
{
    const struct netmon *netmon = source->state;
    uint32_t offset;

    if (!netmon->has_table)
        return tw_window_position(&source->window) < netmon->table;
    return netmon->at < netmon->table_len && next_offset(source, &offset) &&
           tw_window_seek(&source->window, offset);
}

static size_t trailer_len(const struct netmon *netmon)
{
    if (netmon->major == 1 || netmon->minor == 0)
        return 0;
    return netmon->minor == 1 ? 2 : netmon->minor == 2 ? 6 : 15;
}

/* Since the start of the capture. In version 2 microseconds, whose tenfold is signed. */
static int64_t relative_time(const struct netmon *netmon, struct tw_bytes header)
{
    int64_t ns;

    if (netmon->start_ns == TW_NO_TIME)
        return TW_NO_TIME;
    if (netmon->major == 1)
        return netmon->start_ns + (int64_t)tw_le32(header, 0) * 1000000;
    if (__builtin_mul_overflow((int64_t)(tw_le64(header, 0) * 10), 100, &ns) ||
        __builtin_add_overflow(ns, netmon->start_ns, &ns) || ns == TW_NO_TIME ||
        ns / 1000000000 >= TW_FURTHEST_S || ns / 1000000000 <= -TW_FURTHEST_S)
        return TW_NO_TIME;
    return ns;
}

/* The driver's notes before the frame. */
static void strip(struct tw_frame *frame, uint16_t network)
{
    if (network == ATM)
        tw_record_strip(frame, ATM_HEADER);
    else if (network == WIFI)
        tw_record_strip(frame, tw_le16(frame->bytes, 1));
}

static bool is_no_frame(uint16_t network)
{
    return network >= PAYLOAD_HEADER && network <= DNS_CACHE;
}

static int take(struct tw_source *source, struct tw_record *record, struct tw_frame *frame)
{
    const struct netmon *netmon = source->state;
    size_t trailer = record->header + record->captured;
    struct tw_bytes b = tw_record_header(source, trailer + record->trailer);
    uint16_t network = record->trailer ? tw_le16(b, trailer) : netmon->network;
    int rc;

    if (record->trailer && is_no_frame(network))
        return tw_record_pass_over(source, trailer + record->trailer);
    if (record->trailer >= 15)
        record->time_ns = tw_record_windows_time(tw_le64(b, trailer + 6), 10000000);
    record->link_type = link_type(network);
    rc = tw_record_take(source, record, frame);
    if (rc > 0)
        strip(frame, network);
    return rc;
}

static int next_record(struct tw_source *source, struct tw_frame *frame)
{
    struct netmon *netmon = source->state;
    struct tw_record record = { .header = netmon->major == 1 ? 8 : 16,
                                .trailer = trailer_len(netmon) };
    struct tw_bytes b;

    if (!move_to_next(source)) {
        source->done = true;
        return 0;
    }
    b = tw_record_header(source, record.header);
    if (b.len < record.header)
        return tw_source_end(source, MAX(b.len, 1));
    record.original = netmon->major == 1 ? tw_le16(b, 4) : tw_le32(b, 8);
    record.captured = netmon->major == 1 ? tw_le16(b, 6) : tw_le32(b, 12);
    if (record.captured > TW_FRAME_LEN_MAX)
        return tw_source_stop_at_bad_record(source);
    if (netmon->has_table) {
        if (netmon->left < record.header + record.captured)
            return tw_source_stop_at_bad_record(source);
        netmon->left -= record.header + record.captured;
    }
    record.time_ns = relative_time(netmon, b);
    return take(source, &record, frame);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_record(source, frame);
    while (rc == TW_RECORD_PASSED_OVER);
    return rc;
}

const struct tw_format tw_format_netmon = {
    .probe = probe,
    .open = open_netmon,
    .next = next,
    .close = tw_record_close,
    .seeks = true,
};
