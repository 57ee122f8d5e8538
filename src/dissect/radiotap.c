/* SPDX-License-Identifier: MIT */
/* Radiotap: radio information before an 802.11 frame. */
#include "dissect/layer.h"

#define MIN_HEADER 8

/* Bits of the first "present" word. */
#define HAS_TIME  0x00000001u
#define HAS_FLAGS 0x00000002u
#define MORE      0x80000000u

/* Flag: the 802.11 header is padded to 4 bytes. */
#define DATA_PAD 0x20

static uint8_t find_flags(struct tw_bytes b)
{
    uint32_t present = tw_le32(b, 4);
    size_t at = 8;

    if (!(present & HAS_FLAGS))
        return 0;
    for (uint32_t word = present; (word & MORE) && tw_bytes_has(b, at, 4); at += 4)
        word = tw_le32(b, at);
    if (present & HAS_TIME)
        at = ((at + 7) & ~(size_t)7) + 8;
    return tw_u8(b, at);
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = tw_le16(at->bytes, 2);

    if (!tw_layer_has(at, MIN_HEADER, out))
        return false;
    if (header < MIN_HEADER)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (!tw_layer_has(at, header, out))
        return false;

    bool padded = find_flags(tw_bytes_first(at->bytes, header)) & DATA_PAD;

    return tw_layer_next(at, header, padded ? TW_INNER(TW_INNER_WLAN) : TW_LINK(105));
}

static const uint32_t keys[] = {
    TW_LINK(127), /* IEEE802_11_RADIOTAP */
};

TW_PROTOCOL(radiotap, dissect, keys);
