/* SPDX-License-Identifier: MIT */
/* Dissection makes one flat segment of a frame, or says why there is none. */
#ifndef TW_DISSECT_SEGMENT_H
#define TW_DISSECT_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/tuple.h"

/* TCP flags as in bytes 12-13 of the header (RFC 9293; AE of RFC 3540/9768 at 0x100). */
#define TW_FIN 0x001
#define TW_SYN 0x002
#define TW_RST 0x004
#define TW_PSH 0x008
#define TW_ACK 0x010
#define TW_URG 0x020
#define TW_ECE 0x040
#define TW_CWR 0x080
#define TW_AE  0x100

/* Options present in the header. */
#define TW_OPT_MSS            0x0001
#define TW_OPT_WSCALE         0x0002
#define TW_OPT_SACK_PERMITTED 0x0004
#define TW_OPT_SACK           0x0008
#define TW_OPT_TIMESTAMP      0x0010
#define TW_OPT_FAST_OPEN      0x0020
#define TW_OPT_MD5            0x0040
#define TW_OPT_AO             0x0080
#define TW_OPT_MPTCP          0x0100
#define TW_OPT_CUT            0x4000 /* truncated by the snap length: there may be more */
#define TW_OPT_BAD            0x8000 /* an option with an impossible length */

/* Irregularities; the segment is still usable. */
#define TW_SEG_HEADER_CUT   0x01  /* header truncated by the snap length, usually its options */
#define TW_SEG_PAYLOAD_CUT  0x02  /* fewer payload bytes captured than sent */
#define TW_SEG_NO_IP_LENGTH 0x04  /* IP length 0: segmentation offload, length from the frame */
#define TW_SEG_LONGER       0x08  /* the IP length exceeds the frame's length on the wire */
#define TW_SEG_QUOTED       0x10  /* quoted in an ICMP error: not on the wire here */
#define TW_SEG_UNPADDED     0x20  /* an Ethernet frame below its least length, as before the card */
#define TW_SEG_OUTER_SUM    0x100 /* the UDP datagram around it has a wrong checksum */
#define TW_SEG_TUNNEL       0x40  /* inside an IP tunnel */
/* The payload length is unknown (len is 0): the TCP header is longer than the segment, or this
 * is a truncated first fragment. */
#define TW_SEG_NO_LENGTH 0x80

#define TW_MAX_SACK 4

struct tw_segment {
    struct tw_tuple tuple; /* 0 source, 1 destination */
    uint32_t seq, ack;     /* as on the wire */
    uint32_t tsecr;        /* from here to ip_id laid out as in a log record, for a single copy */
    uint16_t options;      /* TW_OPT_* */
    uint8_t ttl;           /* or hop limit */
    uint32_t
        tsval; /* followed by len: both are read as one word, like seq and ack (track/recent.h) */
    uint32_t len;    /* payload bytes on the wire */
    uint16_t flags;  /* TW_FIN ... TW_AE; laid out as in a log record up to mss */
    uint16_t ip_id;  /* IPv4 identification; 0 in IPv6 */
    uint16_t window; /* as on the wire, unscaled */
    uint16_t mss;
    uint16_t facts;     /* TW_SEG_* */
    uint8_t header_len; /* TCP header with options, bytes, as on the wire; below 20 in an impossible
                           header, which has no options */
    uint8_t wscale;     /* as on the wire, before the limit of 14 */
    uint8_t n_sack;
    uint32_t sack[TW_MAX_SACK][2];
    struct tw_bytes payload; /* captured part, borrowed until the next frame; directly preceded by a
                                complete TCP header */
};

#define TW_TCP_HEADER 20

/* The TCP header with options; empty if truncated or without a frame. */
static inline struct tw_bytes tw_segment_header(const struct tw_segment *s)
{
    const uint8_t cut = TW_SEG_HEADER_CUT | TW_SEG_NO_LENGTH | TW_SEG_QUOTED;

    if (!s->payload.data || s->header_len < TW_TCP_HEADER || (s->facts & cut))
        return tw_bytes(NULL, 0);
    return tw_bytes(s->payload.data - s->header_len, s->header_len);
}

enum tw_frame_kind {
    TW_FRAME_OTHER,    /* not TCP */
    TW_FRAME_TCP,      /* segment is filled */
    TW_FRAME_FRAGMENT, /* an IP fragment that does not complete a datagram */
    TW_FRAME_ICMP, /* an ICMP error that quotes TCP: segment holds the quoted fields, at least ports
                      and seq; header_len is 0 if the rest was not quoted */
    TW_FRAME_CUT_SHORT,   /* truncated before the end of TCP's ports, seq and ack */
    TW_FRAME_MALFORMED,   /* an inconsistent header */
    TW_FRAME_UNSUPPORTED, /* a link type without a dissector */
    TW_FRAME_UDP, /* a datagram that is no tunnel: segment holds tuple, ip_id, ttl, len, payload */
    TW_FRAME_NEIGHBOUR, /* ARP or NDP: the tuple's addresses are of the sender (in an answer: of the
                           host that it is about) and of whom it asks for, or answers */
};

/* ICMP errors relevant to TCP (RFC 792, RFC 1191, RFC 4443). */
enum tw_icmp_kind {
    TW_ICMP_UNREACHABLE,
    TW_ICMP_TOO_BIG,
    TW_ICMP_TIME_EXCEEDED,
    TW_ICMP_OTHER,
    TW_ICMP_REDIRECT
};

struct tw_dissection {
    enum tw_frame_kind kind;
    struct tw_segment segment;
    enum tw_icmp_kind icmp; /* when kind is TW_FRAME_ICMP */
    uint16_t icmp_code;
    uint32_t icmp_mtu;      /* next-hop MTU of "too big", or 0 */
    uint8_t icmp_from[16];  /* sender of the error */
    bool neighbour_answers; /* when kind is TW_FRAME_NEIGHBOUR */
    uint8_t hardware[6];    /* likewise of who answers by ARP on Ethernet; else 0 */
};

#endif
