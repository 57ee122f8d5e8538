/* SPDX-License-Identifier: MIT */
/* GTP-U, version 1 (3GPP TS 29.281): user packets of mobile networks. */
#include "dissect/layer.h"

#define HEADER   8
#define OPTIONAL 4

#define VERSION(flags) ((flags) >> 5)
#define PROTOCOL_GTP   0x10
#define ANY_OPTIONAL   0x07 /* all three fields are present if one is */
#define HAS_EXTENSION  0x04

#define USER_PACKET 255

/* Extension headers have lengths in 4-byte units, and end with the type of the next. @return 0
 * on a bad one. */
static uint32_t skip_extensions(struct tw_bytes b, uint32_t at)
{
    while (tw_u8(b, at - 1) != 0) {
        uint32_t len = tw_u8(b, at) * 4u;

        if (len == 0 || !tw_bytes_has(b, at, len))
            return 0;
        at += len;
    }
    return at;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = HEADER;

    if (!tw_layer_has(at, HEADER, out))
        return false;

    uint8_t flags = tw_u8(at->bytes, 0);

    if (VERSION(flags) != 1 || !(flags & PROTOCOL_GTP) || tw_u8(at->bytes, 1) != USER_PACKET)
        return false;
    tw_layer_clip(at, HEADER + (uint32_t)tw_be16(at->bytes, 2));
    if (flags & ANY_OPTIONAL) {
        header += OPTIONAL;
        if (!tw_layer_has(at, header, out))
            return false;
        if (flags & HAS_EXTENSION)
            header = skip_extensions(at->bytes, header);
        if (header == 0)
            return tw_layer_end(out, TW_FRAME_MALFORMED);
    }

    /* The bearer's payload type is known only to signalling; the first byte identifies IP. */
    return tw_layer_next(at, header, TW_INNER(TW_INNER_IP));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(2152),
};

TW_PROTOCOL(gtp, dissect, keys);
