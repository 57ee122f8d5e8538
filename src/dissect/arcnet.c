/* SPDX-License-Identifier: MIT */
/* ARCNET as BSD and Linux capture it (RFC 1201; RFC 1051 for the old numbers). */
#include "dissect/layer.h"

/* Source and destination; Linux puts two bytes of offset after them. */
#define HEADER_BSD   2
#define HEADER_LINUX 4

#define TYPE_IP_OLD 240
#define TYPE_IP     212
#define TYPE_IPV6   196

/* Type, split flag and sequence. */
#define RFC1201 4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = at->id == TW_LINK(129) ? HEADER_LINUX : HEADER_BSD;

    if (!tw_layer_has(at, header + RFC1201, out))
        return false;

    uint8_t type = tw_u8(at->bytes, header);

    switch (type) {
    case TYPE_IP_OLD:
        return tw_layer_next(at, header + 1, TW_ETHERTYPE(0x0800));
    case TYPE_IP:
    case TYPE_IPV6:
        return tw_layer_next(at, header + RFC1201, TW_ETHERTYPE(type == TYPE_IP ? 0x0800 : 0x86dd));
    default:
        return false;
    }
}

static const uint32_t keys[] = {
    TW_LINK(7),   /* ARCNET_BSD */
    TW_LINK(129), /* ARCNET_LINUX */
};

TW_PROTOCOL(arcnet, dissect, keys);
