/* SPDX-License-Identifier: MIT */
/*
 * Interface of a protocol: one file with a descriptor of the numbers under which it appears and a
 * function that steps over its header; dissect.c walks from one to the next.
 */
#ifndef TW_DISSECT_LAYER_H
#define TW_DISSECT_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "dissect/segment.h"

struct tw_defrag;

/* Numbers are per namespace: 6 is token ring as link type and TCP as IP protocol. */
#define TW_LINK(number)      (0x10000u | (number)) /* LINKTYPE_ */
#define TW_ETHERTYPE(number) (0x20000u | (number))
#define TW_IP_PROTO(number)  (0x30000u | (number))
#define TW_PPP_PROTO(number) (0x40000u | (number))
#define TW_GRE_PROTO(number) (0x50000u | (number))
#define TW_UDP_PORT(number)  (0x60000u | (number))
#define TW_NSH_PROTO(number) (0x70000u | (number)) /* also of VXLAN-GPE */
#define TW_INNER(number)     (0x80000u | (number)) /* headers without a protocol number */

/* Values of TW_INNER. */
enum tw_inner {
    TW_INNER_NOTHING,     /* no dissector */
    TW_INNER_IP,          /* IPv4 or IPv6 by the version nibble */
    TW_INNER_LLC,         /* IEEE 802.2 */
    TW_INNER_WLAN,        /* IEEE 802.11, data aligned to 4 bytes */
    TW_INNER_WLAN_CAPWAP, /* IEEE 802.11, frame control bytes possibly swapped */
};

/* Position of the walk. */
struct tw_layer {
    struct tw_bytes bytes;    /* captured bytes from this layer on; at most len */
    uint32_t len;             /* length on the wire */
    uint32_t id;              /* protocol of this layer: TW_ETHERTYPE(0x0800) ... */
    uint16_t vlan;            /* last VLAN tag, or 0 */
    struct tw_defrag *defrag; /* NULL: fragments end the walk */
};

/* If a record claims fewer bytes on the wire than it holds, use what it holds. */
static inline uint32_t tw_wire_len(struct tw_bytes captured, uint32_t original_len)
{
    return original_len < captured.len ? (uint32_t)captured.len : original_len;
}

/* LINKTYPE_ETHERNET. */
#define TW_ETHERNET 1

/* The least length of a frame there, without its checksum (IEEE 802.3, 4.2.3.3), and the headers
 * before TCP's of one that is shorter. */
#define TW_LEAST_ETHERNET 60
#define TW_SHORT_HEADERS  (14 + 20)

/* Did no card pad it, as what comes over a wire is? IPv6 is longer; tags are left out. */
static inline void tw_note_unpadded(struct tw_segment *s, uint32_t original_len)
{
    if (original_len < TW_LEAST_ETHERNET && s->tuple.version == 4 &&
        !(s->facts & (TW_SEG_TUNNEL | TW_SEG_NO_LENGTH)) &&
        original_len == TW_SHORT_HEADERS + s->header_len + s->len)
        s->facts |= TW_SEG_UNPADDED;
}

struct tw_protocol {
    /* true: *at is the next layer; false: the walk ends, see out->kind */
    bool (*dissect)(struct tw_layer *at, struct tw_dissection *out);
    const uint32_t *keys; /* TW_LINK(1) ... */
    size_t n_keys;
};

#define TW_PROTOCOL(symbol, function, table)                                                       \
    extern const struct tw_protocol tw_protocol_##symbol;                                          \
    const struct tw_protocol tw_protocol_##symbol = { function, table,                             \
                                                      sizeof(table) / sizeof((table)[0]) }

/* Generated from the list in meson.build, in its order; NULL-terminated. */
extern const struct tw_protocol *const tw_protocols[];

/* Is there a dissector for id? */
bool tw_layer_known(uint32_t id);

/* End the walk. */
static inline bool tw_layer_end(struct tw_dissection *out, enum tw_frame_kind kind)
{
    out->kind = kind;
    return false;
}

/* Are n bytes available? If not, out->kind is set to truncated capture or malformed frame. */
static inline bool tw_layer_has(const struct tw_layer *at, uint32_t n, struct tw_dissection *out)
{
    if (at->bytes.len >= n)
        return true;
    return tw_layer_end(out, at->len >= n ? TW_FRAME_CUT_SHORT : TW_FRAME_MALFORMED);
}

/* Step over a header of n bytes to protocol id. */
static inline bool tw_layer_next(struct tw_layer *at, uint32_t n, uint32_t id)
{
    at->bytes = tw_bytes_from(at->bytes, n);
    at->len = n < at->len ? at->len - n : 0;
    at->id = id;
    return true;
}

/* Bytes after len are padding or a trailer. */
static inline void tw_layer_clip(struct tw_layer *at, uint32_t len)
{
    if (len < at->len)
        at->len = len;
    at->bytes = tw_bytes_first(at->bytes, at->len);
}

#endif
