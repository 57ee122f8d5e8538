/* SPDX-License-Identifier: MIT */
/*
 * Fast path: Ethernet, at most one VLAN tag, IPv4 without options or IPv6 without extensions, no
 * fragment, and a complete TCP header. Everything else (inconsistent lengths, truncated headers,
 * tunnels) is left to the general walk; the fuzzer and the tests compare the two for each frame.
 */
#include "dissect/fast.h"

#include <string.h>

#include <glib.h>

#include "dissect/layer.h"
#include "dissect/tcp_options.h"

#define ETHERNET    14
#define VLAN        4
#define IPV4        20
#define IPV6        40
#define TCP         20
#define TIMESTAMPED 32 /* TCP with two NOPs and a timestamp */

/* Version 4 and a header of five words. */
#define PLAIN_IPV4 0x45
/* More fragments, or an offset. */
#define FRAGMENTED 0x3fff

#define ALIGNED_TIMESTAMP 0x0101080au
#define FLAGS_MASK        0x0fff

/* Minimum length of such a frame. */
#define SHORTEST (ETHERNET + IPV4 + TCP)

/* Start of TCP, captured bytes of the segment (at least TCP), and its total length. */
struct tcp {
    const uint8_t *bytes;
    size_t captured;
    uint32_t len;
};

static inline void take_options(const uint8_t *tcp, uint32_t header, struct tw_segment *s)
{
    s->mss = 0;
    s->wscale = 0;
    s->n_sack = 0;
    if (header == TIMESTAMPED && tw_load_be32(tcp + TCP) == ALIGNED_TIMESTAMP) {
        s->options = TW_OPT_TIMESTAMP;
        s->tsval = tw_load_be32(tcp + TCP + 4);
        s->tsecr = tw_load_be32(tcp + TCP + 8);
        return;
    }
    s->options = 0;
    s->tsval = s->tsecr = 0;
    if (header > TCP)
        tw_tcp_options(tw_bytes(tcp + TCP, header - TCP), s);
}

static inline bool take_tcp(const struct tcp *at, struct tw_segment *s)
{
    const uint8_t *tcp = at->bytes;
    uint32_t header = tcp[12] >> 2 & 0x3cu; /* four times the upper half */

    if (header < TCP || header > at->captured)
        return false;
    s->tuple.port[0] = tw_load_be16(tcp);
    s->tuple.port[1] = tw_load_be16(tcp + 2);
    s->seq = tw_load_be32(tcp + 4);
    s->ack = tw_load_be32(tcp + 8);
    s->flags = tw_load_be16(tcp + 12) & FLAGS_MASK;
    s->window = tw_load_be16(tcp + 14);
    s->header_len = (uint8_t)header;
    s->len = at->len - header;
    s->payload = tw_bytes(tcp + header, at->captured - header);
    s->facts = at->captured < at->len ? TW_SEG_PAYLOAD_CUT : 0;
    take_options(tcp, header, s);
    return true;
}

/* Written as the words that the hash reads: reading one word just written as two would stall
 * store forwarding. */
static void take_address4(uint8_t to[16], const uint8_t *from)
{
    uint64_t words[2] = { 0, 0 };

    memcpy(words, from, 4);
    memcpy(to, words, sizeof words);
}

/* captured: at least IPV4 + TCP. */
static inline bool take_ipv4(const uint8_t *ip, size_t captured, uint32_t wire_len,
                             struct tw_segment *s, struct tcp *tcp)
{
    uint32_t total = tw_load_be16(ip + 2);

    if (ip[0] != PLAIN_IPV4 || ip[9] != 6 || (tw_load_be16(ip + 6) & FRAGMENTED) ||
        total < IPV4 + TCP || total > wire_len)
        return false;
    s->tuple.version = 4;
    take_address4(s->tuple.address[0], ip + 12);
    take_address4(s->tuple.address[1], ip + 16);
    s->ip_id = tw_load_be16(ip + 4);
    s->ttl = ip[8];
    *tcp = (struct tcp) { ip + IPV4, MIN(captured, total) - IPV4, total - IPV4 };
    return true;
}

static inline bool take_ipv6(const uint8_t *ip, size_t captured, uint32_t wire_len,
                             struct tw_segment *s, struct tcp *tcp)
{
    uint32_t len = tw_load_be16(ip + 4);

    if (ip[0] >> 4 != 6 || ip[6] != 6 || captured < IPV6 + TCP || len < TCP ||
        IPV6 + len > wire_len)
        return false;
    s->tuple.version = 6;
    memcpy(s->tuple.address, ip + 8, 32);
    s->ip_id = 0;
    s->ttl = ip[7];
    *tcp = (struct tcp) { ip + IPV6, MIN(captured - IPV6, len), len };
    return true;
}

bool tw_dissect_fast(uint32_t link_type, struct tw_bytes bytes, uint32_t original_len,
                     struct tw_segment *s)
{
    uint32_t wire_len = tw_wire_len(bytes, original_len) - ETHERNET;
    size_t captured = bytes.len - ETHERNET;
    const uint8_t *ip;
    uint16_t type;
    struct tcp tcp;

    if (link_type != TW_ETHERNET || bytes.len < SHORTEST)
        return false;
    ip = bytes.data + ETHERNET;
    type = tw_load_be16(ip - 2);
    if (type == 0x8100) {
        if (bytes.len < SHORTEST + VLAN)
            return false;
        ip += VLAN;
        captured -= VLAN;
        wire_len -= VLAN;
        type = tw_load_be16(ip - 2);
    }
    if (!(type == 0x0800 ? take_ipv4(ip, captured, wire_len, s, &tcp)
                         : type == 0x86dd && take_ipv6(ip, captured, wire_len, s, &tcp)))
        return false;
    if (!take_tcp(&tcp, s))
        return false;
    tw_note_unpadded(s, original_len);
    return true;
}
