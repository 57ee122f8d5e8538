/* SPDX-License-Identifier: MIT */
/* Fields that both versions of IP leave in the segment. */
#ifndef TW_DISSECT_IP_H
#define TW_DISSECT_IP_H

#include <string.h>

#include "dissect/layer.h"

#define TW_PROTO_TCP 6

/* Take the addresses (size bytes each, source first) at offset. */
static inline void tw_ip_addresses(struct tw_layer *at, size_t offset, size_t size, uint8_t version,
                                   struct tw_segment *segment)
{
    struct tw_bytes b = tw_bytes_from(at->bytes, offset);

    if (segment->tuple.version != 0) {
        segment->facts |= TW_SEG_TUNNEL;
        memset(segment->tuple.address, 0, sizeof(segment->tuple.address));
    }
    segment->tuple.version = version;
    if (!tw_bytes_has(b, 0, 2 * size))
        return;
    memcpy(segment->tuple.address[0], b.data, size);
    memcpy(segment->tuple.address[1], b.data + size, size);
}

/*
 * At the payload of a fragment. @return true: it completed its datagram, whose payload is next;
 * false: the walk ends.
 */
bool tw_ip_fragment(struct tw_layer *at, uint32_t id, uint32_t offset, bool more, uint8_t protocol,
                    struct tw_dissection *out);

/* The datagram has total bytes: the rest is padding or a trailer. */
static inline void tw_ip_length(struct tw_layer *at, uint32_t total, struct tw_segment *segment)
{
    if (total <= at->len)
        tw_layer_clip(at, total);
    else if (segment->facts & TW_SEG_QUOTED)
        at->len = total; /* count what was sent, as a quote is truncated */
    else
        segment->facts |= TW_SEG_LONGER;
}

#endif
