/* SPDX-License-Identifier: MIT */
/*
 * The format of NetXRay and of Sniffer for Windows. A full buffer wraps: the first record then lies
 * behind the last.
 */
#include "base/memory.h"
#include "source/record.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#define FILE_HEADER 128

/* Network types of NDIS, which the file counts from 0, or from 1 if the byte behind is 2. */
enum { ETHERNET = 1, TOKEN_RING, FDDI, WAN, RADIO = 10 };

/* The way an Ethernet capture was taken. */
enum {
    BY_NDIS = 0,
    BY_GIGABIT_POD = 2,
    BY_OTHER_POD = 3,
    BY_OTHER_POD_2 = 5,
    BY_GIGABIT_POD_2 = 6
};

/* Contents of a WAN capture. */
enum { WAN_PPP = 3, WAN_FRAME_RELAY = 4, WAN_CHDLC = 19 };

struct netxray {
    unsigned major, minor;
    uint32_t link_type;
    size_t record_header;
    uint32_t start_s;
    uint64_t start_ticks;
    uint64_t ticks_per_s;
    uint64_t first, end; /* offsets of the first record and behind the last one */
    bool wrapped;
    bool fcs_is_real; /* else the four bytes behind some frames are not part of them */
};

static bool probe(struct tw_bytes start)
{
    uint32_t magic = tw_be32(start, 0);

    return magic == 0x58435000 || magic == 0x564c0000; /* "XCP", "VL" */
}

static bool read_version(struct netxray *netxray, struct tw_bytes b)
{
    static const struct {
        char text[9];
        unsigned major, minor;
        size_t record_header;
    } versions[] = {
        { "001.000", 1, 0, 28 }, { "001.100", 1, 1, 28 }, { "002.000", 2, 0, 40 },
        { "002.001", 2, 1, 40 }, { "002.002", 2, 2, 40 }, { "002.003", 2, 3, 40 },
    };

    netxray->record_header = 16;
    if (tw_be32(b, 0) == 0x564c0000)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(versions); i++) {
        if (memcmp(b.data + 4, versions[i].text, 8) == 0) {
            netxray->major = versions[i].major;
            netxray->minor = versions[i].minor;
            netxray->record_header = versions[i].record_header;
            return true;
        }
    }
    return false;
}

/* Ticks a second by time unit; 0: told in the header. As Wireshark found them. */
static uint64_t ticks_per_s(const struct netxray *netxray, unsigned network, unsigned by,
                            unsigned unit, uint32_t told)
{
    static const uint64_t ndis[] = { 1000000, 1193000, 1193182 };

    if (netxray->major < 2)
        return netxray->minor == 1 ? 1000000 : 1000;
    if (network != ETHERNET)
        return unit < G_N_ELEMENTS(ndis) ? ndis[unit] : 0;
    switch (by) {
    case BY_GIGABIT_POD:
        return unit == 0 ? 1000000000 : unit == 2 ? 31250000 : 0;
    case BY_GIGABIT_POD_2:
        return unit == 0 ? 1000000000 : unit == 2 ? 20000000 : 0;
    case BY_OTHER_POD:
        return unit == 0 ? 1000000 : unit == 2 ? 1250000 : 0;
    case BY_OTHER_POD_2:
        return unit == 0 ? 1000000 : 0;
    default:
        return unit < 2 ? ndis[unit] : told;
    }
}

static uint32_t link_type(const struct netxray *netxray, unsigned network, unsigned by)
{
    switch (network) {
    case ETHERNET:
        return TW_LINK_ETHERNET;
    case TOKEN_RING:
        return TW_LINK_TOKEN_RING;
    case FDDI:
        return TW_LINK_FDDI;
    case RADIO:
        return TW_LINK_80211;
    case WAN: /* through NDIS, a WAN looks like an Ethernet */
        if (netxray->major < 2)
            return TW_LINK_ETHERNET;
        return by == WAN_PPP           ? TW_LINK_PPP
               : by == WAN_FRAME_RELAY ? TW_LINK_FRAME_RELAY
               : by == WAN_CHDLC       ? TW_LINK_CHDLC
                                       : TW_NO_LINK_TYPE;
    default:
        return TW_NO_LINK_TYPE;
    }
}

static void read_header(struct netxray *netxray, struct tw_bytes b)
{
    unsigned network = tw_u8(b, 44) + (tw_u8(b, 45) == 2 ? 0 : 1), by = tw_u8(b, 84);

    netxray->start_s = tw_le32(b, 12);
    netxray->first = tw_le32(b, 24);
    netxray->end = tw_le32(b, 28);
    netxray->link_type = link_type(netxray, network, by);
    netxray->ticks_per_s = ticks_per_s(netxray, network, by, tw_u8(b, 48), tw_le32(b, 76));
    netxray->start_ticks = tw_le64(b, 52);
    /* The later pods start at 0, whatever the header says. */
    if (netxray->major == 2 && netxray->minor >= 2 && network == ETHERNET && by != BY_NDIS)
        netxray->start_ticks = 0;
    netxray->fcs_is_real = tw_u8(b, 77) == 0x34 && tw_u8(b, 78) == 0x12;
}

static bool open_netxray(struct tw_source *source, struct tw_source_error *error)
{
    struct netxray *netxray = tw_new0(struct netxray, 1);
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);

    source->state = netxray;
    if (b.len < FILE_HEADER)
        return tw_record_refuse_cut(error, "NetXRay");
    if (!read_version(netxray, b))
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "a NetXRay file of an unknown version: convert it first (editcap "
                                "-F pcapng FILE OUT.pcapng)");
    read_header(netxray, b);
    if (netxray->ticks_per_s == 0)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "a NetXRay file with an unknown time unit: take the capture again");
    if (netxray->first < FILE_HEADER || !tw_window_seek(&source->window, netxray->first))
        return tw_record_refuse_cut(error, "NetXRay");
    return tw_source_check_filter(source, netxray->link_type, error);
}

/* At the end of the file, go on with the records in front of the first one. */
static bool wrap(struct tw_source *source)
{
    struct netxray *netxray = source->state;

    if (netxray->wrapped || netxray->first <= netxray->end)
        return false;
    netxray->wrapped = true;
    return tw_window_seek(&source->window, FILE_HEADER);
}

static int64_t time_of(const struct netxray *netxray, uint64_t ticks)
{
    __extension__ __int128 ns = ((__int128)ticks - netxray->start_ticks) * 1000000000;
    int64_t seconds, rest;

    ns /= netxray->ticks_per_s;
    seconds = (int64_t)(ns / 1000000000);
    rest = (int64_t)(ns % 1000000000);
    if (rest < 0) {
        rest += 1000000000;
        seconds--;
    }
    return tw_record_time(seconds + netxray->start_s, (uint64_t)rest);
}

/* Version 2 marks frames that are followed by a FCS, or by as many other bytes. */
static bool has_foreign_bytes(const struct netxray *netxray, struct tw_bytes b)
{
    return netxray->major == 2 && tw_be16(b, 14) == 0xffff && !netxray->fcs_is_real &&
           (netxray->link_type == TW_LINK_ETHERNET || netxray->link_type == TW_LINK_80211 ||
            netxray->link_type == TW_LINK_FRAME_RELAY);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    const struct netxray *netxray = source->state;
    struct tw_bytes b;
    struct tw_record record;
    uint16_t captured;

    if (tw_window_position(&source->window) == netxray->end) {
        source->done = true;
        return 0;
    }
    b = tw_record_header(source, netxray->record_header);
    if (b.len == 0 && source->window.error == 0 && wrap(source))
        return next(source, frame);
    if (b.len < netxray->record_header)
        return tw_source_end(source, MAX(b.len, 1));
    captured = tw_le16(b, netxray->major == 0 ? 8 : 10);
    record = (struct tw_record) {
        .header = netxray->record_header,
        .trailer = has_foreign_bytes(netxray, b) ? MIN(4, captured) : 0,
        .link_type = netxray->link_type,
        .time_ns = time_of(netxray, tw_le64(b, 0)),
    };
    record.captured = captured - (uint32_t)record.trailer;
    record.original = tw_le16(b, 8);
    record.original -= (uint32_t)MIN(record.trailer, record.original);
    return tw_record_take(source, &record, frame);
}

const struct tw_format tw_format_netxray = {
    .probe = probe,
    .open = open_netxray,
    .next = next,
    .close = tw_record_close,
    .seeks = true,
};
