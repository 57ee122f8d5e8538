/* SPDX-License-Identifier: MIT */
/* ARP for IPv4 (RFC 826): who is asked for, by whom, and who answers. */
#include <string.h>

#include "dissect/layer.h"

#define HEADER      8
#define ADDRESS     4
#define PROTO_IPV4  0x0800
#define OP_REQUEST  1
#define OP_RESPONSE 2

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    struct tw_segment *s = &out->segment;
    uint32_t hardware = tw_u8(at->bytes, 4), op = tw_be16(at->bytes, 6);
    struct tw_bytes sender, target;

    /* Frames without TCP lack nothing when they are cut. */
    if (!tw_bytes_has(at->bytes, 0, HEADER + 2 * (hardware + ADDRESS)) ||
        tw_be16(at->bytes, 2) != PROTO_IPV4 || tw_u8(at->bytes, 5) != ADDRESS ||
        (op != OP_REQUEST && op != OP_RESPONSE))
        return tw_layer_end(out, TW_FRAME_OTHER);
    sender = tw_bytes_from(at->bytes, HEADER + hardware);
    target = tw_bytes_from(at->bytes, HEADER + 2 * hardware + ADDRESS);
    s->tuple.version = 4;
    memcpy(s->tuple.address[0], sender.data, ADDRESS);
    memcpy(s->tuple.address[1], target.data, ADDRESS);
    out->neighbour_answers = op == OP_RESPONSE;
    if (out->neighbour_answers && hardware == sizeof out->hardware)
        memcpy(out->hardware, tw_bytes_from(at->bytes, HEADER).data, sizeof out->hardware);
    return tw_layer_end(out, TW_FRAME_NEIGHBOUR);
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x0806),
};

TW_PROTOCOL(arp, dissect, keys);
