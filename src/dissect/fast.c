/* SPDX-License-Identifier: MIT */
/*
 * The common path in one go: Ethernet, perhaps one VLAN tag, IPv4 without options or IPv6 without
 * extensions, no fragment, and a TCP header that is captured whole. What it cannot do in the same
 * words as the plain walk (a length that contradicts another, a header cut short, a tunnel) it
 * leaves to that walk: this file saves its steps and knows nothing of its own. The fuzzer and the
 * tests hold each frame against both.
 */
#include "dissect/fast.h"

#include <string.h>

#include "dissect/layer.h"
#include "dissect/tcp_options.h"

#define LINKTYPE_ETHERNET 1

#define ETHERNET    14
#define VLAN        4
#define IPV4        20
#define IPV6        40
#define TCP         20
#define TIMESTAMPED 32 /* TCP with two no-operations and a timestamp */

/* Version 4 and five words of header. */
#define PLAIN_IPV4 0x45
/* More fragments, or an offset. */
#define FRAGMENTED 0x3fff

#define ALIGNED_TIMESTAMP 0x0101080au
#define FLAGS_MASK        0x0fff

static void take_options(struct tw_bytes tcp, struct tw_segment *s)
{
    s->options = 0;
    s->mss = 0;
    s->wscale = 0;
    s->n_sack = 0;
    s->tsval = s->tsecr = 0;
    if (s->header_len == TIMESTAMPED && tw_be32(tcp, TCP) == ALIGNED_TIMESTAMP) {
        s->options = TW_OPT_TIMESTAMP;
        s->tsval = tw_be32(tcp, TCP + 4);
        s->tsecr = tw_be32(tcp, TCP + 8);
    } else if (s->header_len > TCP) {
        tw_tcp_options(tw_bytes_from(tw_bytes_first(tcp, s->header_len), TCP), s);
    }
}

/* tcp: the captured part of the segment; len: all of it. */
static bool take_tcp(struct tw_bytes tcp, uint32_t len, struct tw_segment *s)
{
    uint32_t header;

    if (tcp.len < TCP)
        return false;
    header = (tw_u8(tcp, 12) >> 4) * 4u;
    if (header < TCP || header > tcp.len)
        return false;
    s->tuple.port[0] = tw_be16(tcp, 0);
    s->tuple.port[1] = tw_be16(tcp, 2);
    s->seq = tw_be32(tcp, 4);
    s->ack = tw_be32(tcp, 8);
    s->flags = tw_be16(tcp, 12) & FLAGS_MASK;
    s->window = tw_be16(tcp, 14);
    s->urgent = tw_be16(tcp, 18);
    s->header_len = (uint8_t)header;
    s->len = len - header;
    s->payload = tw_bytes(tcp.data + header, tcp.len - header);
    s->facts = s->payload.len < s->len ? TW_SEG_PAYLOAD_CUT : 0;
    take_options(tcp, s);
    return true;
}

static bool take_ipv4(struct tw_bytes ip, uint32_t wire_len, struct tw_segment *s)
{
    uint32_t total;

    if (ip.len < IPV4 || tw_u8(ip, 0) != PLAIN_IPV4 || tw_u8(ip, 9) != 6 ||
        (tw_be16(ip, 6) & FRAGMENTED))
        return false;
    total = tw_be16(ip, 2);
    if (total < IPV4 + TCP || total > wire_len)
        return false;
    memset(&s->tuple, 0, sizeof s->tuple);
    s->tuple.version = 4;
    memcpy(s->tuple.address[0], ip.data + 12, 4);
    memcpy(s->tuple.address[1], ip.data + 16, 4);
    s->ecn = tw_u8(ip, 1) & 3;
    s->ip_id = tw_be16(ip, 4);
    s->ttl = tw_u8(ip, 8);
    return take_tcp(tw_bytes_from(tw_bytes_first(ip, total), IPV4), total - IPV4, s);
}

static bool take_ipv6(struct tw_bytes ip, uint32_t wire_len, struct tw_segment *s)
{
    uint32_t len;

    if (ip.len < IPV6 || tw_u8(ip, 0) >> 4 != 6 || tw_u8(ip, 6) != 6)
        return false;
    len = tw_be16(ip, 4);
    if (len < TCP || IPV6 + len > wire_len)
        return false;
    memset(&s->tuple, 0, sizeof s->tuple);
    s->tuple.version = 6;
    memcpy(s->tuple.address, ip.data + 8, 32);
    s->ecn = (tw_u8(ip, 1) >> 4) & 3;
    s->ip_id = 0;
    s->ttl = tw_u8(ip, 7);
    return take_tcp(tw_bytes_from(tw_bytes_first(ip, IPV6 + len), IPV6), len, s);
}

bool tw_dissect_fast(uint32_t link_type, struct tw_bytes bytes, uint32_t original_len,
                     struct tw_segment *s)
{
    uint32_t header = ETHERNET, wire_len = tw_wire_len(bytes, original_len);
    uint16_t type = tw_be16(bytes, 12);

    if (link_type != LINKTYPE_ETHERNET)
        return false;
    if (type == 0x8100) {
        header += VLAN;
        type = tw_be16(bytes, ETHERNET + 2);
    }
    if (bytes.len < header)
        return false;
    bytes = tw_bytes_from(bytes, header);
    if (type == 0x0800)
        return take_ipv4(bytes, wire_len - header, s);
    return type == 0x86dd && take_ipv6(bytes, wire_len - header, s);
}
