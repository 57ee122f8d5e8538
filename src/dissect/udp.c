/* SPDX-License-Identifier: MIT */
/* UDP: tunnels are identified by port, the lower one first; what is none is a datagram. */
#include "dissect/checksum.h"
#include "dissect/layer.h"

#define HEADER 8

/* A tunnel's content is dissected next, and its segment says so. */
static void check_sum(const struct tw_layer *at, uint16_t len, struct tw_dissection *out)
{
    if (len >= HEADER && at->bytes.len == len && !(out->segment.facts & TW_SEG_QUOTED) &&
        tw_checksum_is_wrong_udp(&out->segment.tuple, at->bytes))
        out->segment.facts |= TW_SEG_OUTER_SUM;
}

static bool is_tunnel(uint16_t low, uint16_t high)
{
    return tw_layer_known(TW_UDP_PORT(low)) || tw_layer_known(TW_UDP_PORT(high));
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;

    uint16_t source = tw_be16(at->bytes, 0), destination = tw_be16(at->bytes, 2);
    uint16_t low = source < destination ? source : destination;
    uint16_t high = source < destination ? destination : source;
    uint16_t len = tw_be16(at->bytes, 4);

    /* 0 is allowed in jumbograms (RFC 2675 section 4). */
    if (len != 0 || out->segment.tuple.version != 6) {
        if (len < HEADER)
            return tw_layer_end(out, TW_FRAME_MALFORMED);
        tw_layer_clip(at, len);
    }
    if (is_tunnel(low, high))
        check_sum(at, len, out);
    if (tw_layer_known(TW_UDP_PORT(low)))
        return tw_layer_next(at, HEADER, TW_UDP_PORT(low));
    if (tw_layer_known(TW_UDP_PORT(high)))
        return tw_layer_next(at, HEADER, TW_UDP_PORT(high));
    out->segment.tuple.port[0] = source;
    out->segment.tuple.port[1] = destination;
    out->segment.len = at->len > HEADER ? at->len - HEADER : 0;
    out->segment.payload = tw_bytes_from(at->bytes, HEADER);
    return tw_layer_end(out, TW_FRAME_UDP);
}

static const uint32_t keys[] = {
    TW_IP_PROTO(17),
};

TW_PROTOCOL(udp, dissect, keys);
