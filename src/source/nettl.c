/* SPDX-License-Identifier: MIT */
/* The nettl format of HP-UX: what a subsystem of the kernel traced, frames or IP packets. */
#include "base/memory.h"
#include "source/record.h"

#define FILE_HEADER   128
#define RECORD_HEADER 64         /* at least */
#define PDU           0x30000000 /* kinds that are packets, in or out */

/* Subsystems, by their numbers in HP-UX's subsys_id.h. */
enum {
    LOOPBACK = 2,
    TCP = 6,
    UDP = 8,
    IP = 9,
    DRIVER = 11,
    ICMP = 23,
    TOKEN_RING = 31,
    X25_2 = 34,
    X25_3 = 35,
    FDDI_HPPB = 95,
    FDDI_EISA = 174,
    FDDI_PCI = 176,
    FDDI_HSC = 177,
    TOKEN_RING_PCI = 187,
    IPV6 = 244,
    ICMPV6 = 245,
    TELNET = 267,
    SCTP = 268,
};

/* A subsystem puts these bytes between the record header and the frame. */
struct layout {
    uint32_t link_type;
    uint32_t padding;
};

/* The driver subsystem has a header of its own, two bytes longer in HP-UX 11. */
#define DRIVER_HEADER 22

struct nettl {
    bool is_hpux_11;
};

static bool probe(struct tw_bytes start)
{
    static const uint64_t hpux9 = 0x0000000100000000, hpux10 = 0x5452006400000000;

    return (tw_be64(start, 0) == hpux9 && tw_be32(start, 8) == 0x0007d000) ||
           (tw_be64(start, 0) == hpux10 && tw_be32(start, 8) == 0x80);
}

static struct layout layout_of(uint16_t subsystem)
{
    switch (subsystem) {
    case LOOPBACK:
        return (struct layout) { TW_LINK_RAW_IP, 26 };
    case SCTP:
        return (struct layout) { TW_LINK_RAW_IP, 8 };
    case TCP:
    case UDP:
    case IP:
    case IPV6:
        return (struct layout) { TW_LINK_RAW_IP, 0 };
    case TOKEN_RING:
    case TOKEN_RING_PCI:
        return (struct layout) { TW_LINK_TOKEN_RING, 0 };
    case FDDI_EISA:
    case FDDI_PCI:
    case FDDI_HSC:
        return (struct layout) { TW_LINK_FDDI, 3 };
    case FDDI_HPPB: /* padding that varies */
    case ICMP:
    case ICMPV6:
    case TELNET:
    case X25_2:
    case X25_3:
        return (struct layout) { TW_NO_LINK_TYPE, 0 };
    default:
        return (struct layout) { TW_LINK_ETHERNET, 0 };
    }
}

static bool open_nettl(struct tw_source *source, struct tw_source_error *error)
{
    struct nettl *nettl = tw_new0(struct nettl, 1);
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);

    source->state = nettl;
    if (b.len < FILE_HEADER)
        return tw_record_refuse_cut(error, "nettl");
    nettl->is_hpux_11 = tw_be16(b, 99) == 0x3131; /* "B.11.11" */
    tw_window_take(&source->window, FILE_HEADER);
    b = tw_record_header(source, RECORD_HEADER);
    return tw_source_check_filter(source, layout_of(tw_be16(b, 2)).link_type, error);
}

/* The driver's own header has the lengths of the frame. */
static int take_driver_record(struct tw_source *source, struct tw_record *record,
                              struct tw_frame *frame)
{
    const struct nettl *nettl = source->state;
    struct tw_bytes b = tw_record_header(source, record->header + DRIVER_HEADER);

    if (b.len < record->header + DRIVER_HEADER)
        return tw_source_end(source, b.len);
    record->captured = tw_be16(b, record->header + 4);
    record->original = tw_be16(b, record->header + 6);
    record->header += DRIVER_HEADER + (nettl->is_hpux_11 ? 2 : 0);
    return tw_record_take(source, record, frame);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, RECORD_HEADER);
    uint16_t subsystem = tw_be16(b, 2);
    bool is_packet = (tw_be32(b, 12) & PDU) != 0;
    struct layout layout = is_packet ? layout_of(subsystem) : (struct layout) { TW_LINK_RAW_IP, 0 };
    struct tw_record record = {
        .header = tw_be16(b, 0),
        .captured = tw_be32(b, 32),
        .original = tw_be32(b, 36),
        .link_type = layout.link_type,
        .time_ns = tw_record_time(tw_be32(b, 40), (uint64_t)tw_be32(b, 44) * 1000),
    };

    if (b.len < RECORD_HEADER)
        return tw_source_end(source, b.len);
    if (record.header < RECORD_HEADER)
        return tw_source_stop_at_bad_record(source);
    if (is_packet && subsystem == DRIVER)
        return take_driver_record(source, &record, frame);
    if (record.captured < layout.padding || record.original < layout.padding)
        return tw_source_stop_at_bad_record(source);
    record.header += layout.padding;
    record.captured -= layout.padding;
    record.original -= layout.padding;
    return tw_record_take(source, &record, frame);
}

const struct tw_format tw_format_nettl = {
    .probe = probe,
    .open = open_nettl,
    .next = next,
    .close = tw_record_close,
};
