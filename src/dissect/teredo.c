/* SPDX-License-Identifier: MIT */
/* Teredo (RFC 4380): IPv6 in UDP, with optional authentication and origin headers. */
#include "dissect/layer.h"

#define AUTHENTICATION       1
#define AUTHENTICATION_FIXED 13 /* with nonce and confirmation; plus identifier and value */
#define ORIGIN               0
#define ORIGIN_HEADER        8

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = 0;

    if (tw_bytes_has(at->bytes, 0, 4) && tw_be16(at->bytes, 0) == AUTHENTICATION)
        header = AUTHENTICATION_FIXED + tw_u8(at->bytes, 2) + tw_u8(at->bytes, 3);
    if (!tw_layer_has(at, header + 2, out))
        return false;
    if (tw_be16(at->bytes, header) == ORIGIN)
        header += ORIGIN_HEADER;
    return tw_layer_next(at, header, TW_ETHERTYPE(0x86dd));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(3544),
};

TW_PROTOCOL(teredo, dissect, keys);
