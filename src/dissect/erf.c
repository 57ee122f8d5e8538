/* SPDX-License-Identifier: MIT */
/* Endace extensible record format: the header that its cards put before a frame. */
#include "dissect/layer.h"

#define HEADER    16
#define EXTENSION 8
#define MORE      0x80 /* another extension follows (first byte of the header and of each extension) */

#define TYPE  8
#define ALIGN 2 /* before Ethernet: offset and padding */

enum {
    HDLC = 1,
    ETHERNET = 2,
    COLOR_HDLC = 10,
    COLOR_ETHERNET = 11,
    DSM_COLOR_HDLC = 15,
    DSM_COLOR_ETHERNET = 16,
    COLOR_HASH_ETHERNET = 20,
    IPV4 = 22,
    IPV6 = 23,
};

static uint32_t skip_extensions(struct tw_bytes b)
{
    uint32_t header = HEADER;

    if (!(tw_u8(b, TYPE) & MORE))
        return header;
    while (tw_bytes_has(b, header, EXTENSION) && tw_u8(b, header) & MORE)
        header += EXTENSION;
    return header + EXTENSION;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = skip_extensions(at->bytes);

    if (!tw_layer_has(at, header + ALIGN, out))
        return false;
    switch (tw_u8(at->bytes, TYPE) & ~MORE) {
    case HDLC:
    case COLOR_HDLC:
    case DSM_COLOR_HDLC:
        return tw_layer_next(at, header, TW_LINK(50));
    case ETHERNET:
    case COLOR_ETHERNET:
    case DSM_COLOR_ETHERNET:
    case COLOR_HASH_ETHERNET:
        return tw_layer_next(at, header + ALIGN, TW_LINK(1));
    case IPV4:
    case IPV6:
        return tw_layer_next(at, header, TW_INNER(TW_INNER_IP));
    default:
        return false;
    }
}

static const uint32_t keys[] = {
    TW_LINK(197), /* ERF */
};

TW_PROTOCOL(erf, dissect, keys);
