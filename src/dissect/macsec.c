/* SPDX-License-Identifier: MIT */
/* MACsec (IEEE 802.1AE, 9): frames with integrity protection only are in the clear. */
#include "dissect/ether.h"

#define TAG  6 /* control, short length and packet number */
#define SCI  8
#define TYPE 2
#define ICV  16

/* The control byte. */
#define HAS_SCI 0x20
#define SECRET  0x0c /* encrypted or modified */

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint8_t control = tw_u8(at->bytes, 0);
    uint32_t header = TAG + (control & HAS_SCI ? SCI : 0) + TYPE;

    if (control & SECRET)
        return false;
    if (!tw_layer_has(at, header, out))
        return false;
    if (at->len < header + ICV)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    tw_layer_clip(at, at->len - ICV);
    return tw_ether_next(at, header, tw_be16(at->bytes, header - TYPE));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x88e5),
};

TW_PROTOCOL(macsec, dissect, keys);
