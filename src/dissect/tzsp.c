/* SPDX-License-Identifier: MIT */
/* TaZmen Sniffer Protocol: frames forwarded by access points and routers. */
#include "dissect/layer.h"

#define HEADER    4
#define MAX_TYPE  1 /* received, or to be transmitted; other types have no frame */
#define ETHERNET  0x01
#define IEEE80211 0x12

#define TAG_PADDING 0
#define TAG_END     1

/* Skip tags; @return beyond the capture if it ends within them. */
static uint32_t skip_tags(struct tw_bytes b, uint32_t at)
{
    while (tw_bytes_has(b, at, 1)) {
        uint8_t tag = tw_u8(b, at);

        at += tag <= TAG_END ? 1u : 2u + tw_u8(b, at + 1);
        if (tag == TAG_END)
            return at;
    }
    return at + 1;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = skip_tags(at->bytes, HEADER);

    if (!tw_layer_has(at, header, out) || tw_u8(at->bytes, 1) > MAX_TYPE)
        return false;
    switch (tw_be16(at->bytes, 2)) {
    case ETHERNET:
        return tw_layer_next(at, header, TW_LINK(1));
    case IEEE80211:
        return tw_layer_next(at, header, TW_LINK(105));
    default:
        return false;
    }
}

static const uint32_t keys[] = {
    TW_LINK(128), /* TZSP */
    TW_UDP_PORT(37008),
};

TW_PROTOCOL(tzsp, dissect, keys);
