/* SPDX-License-Identifier: MIT */
/* B.A.T.M.A.N. advanced, version 15 (uapi/linux/batadv_packet.h): Ethernet through a mesh. */
#include "dissect/layer.h"

#define UNICAST          0x40
#define UNICAST_HEADER   10
#define UNICAST_4        0x42 /* with originator */
#define UNICAST_4_HEADER 18

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint8_t type = tw_u8(at->bytes, 0);
    uint32_t header = type == UNICAST_4 ? UNICAST_4_HEADER : UNICAST_HEADER;

    if (!tw_layer_has(at, header, out) || (type != UNICAST && type != UNICAST_4))
        return false;
    return tw_layer_next(at, header, TW_LINK(1));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x4305),
};

TW_PROTOCOL(batman, dissect, keys);
