/* SPDX-License-Identifier: MIT */
/* Arista's timestamp tag between the Ethernet addresses and type. */
#include "dissect/ether.h"

#define SUBTYPE         2
#define TIMESTAMP       0x0001
#define VERSION         2
#define LEN_64(version) ((version)&0x0010) /* else 48 bits */
#define TYPE            2

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = SUBTYPE + TYPE;

    if (tw_be16(at->bytes, 0) == TIMESTAMP)
        header += VERSION + (LEN_64(tw_be16(at->bytes, SUBTYPE)) ? 8 : 6);
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_ether_next(at, header, tw_be16(at->bytes, header - TYPE));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0xd28b),
};

TW_PROTOCOL(avsp, dissect, keys);
