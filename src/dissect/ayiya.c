/* SPDX-License-Identifier: MIT */
/* AYIYA (draft-massar-v6ops-ayiya-02): a packet in UDP after an identity and a signature. */
#include "dissect/layer.h"

#define HEADER 8

#define OPERATION(byte)   ((byte)&0x0f)
#define OPERATION_FORWARD 1

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;

    uint32_t identity = 1u << (tw_u8(at->bytes, 0) >> 4);
    uint32_t signature = (tw_u8(at->bytes, 1) >> 4) * 4u;
    uint32_t header = HEADER + identity + signature;

    if (OPERATION(tw_u8(at->bytes, 2)) != OPERATION_FORWARD)
        return false;
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_IP_PROTO(tw_u8(at->bytes, 3)));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(5072),
};

TW_PROTOCOL(ayiya, dissect, keys);
