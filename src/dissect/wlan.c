/* SPDX-License-Identifier: MIT */
/* Data frames of IEEE 802.11 in the clear. */
#include "dissect/layer.h"

#define HEADER     24
#define ADDRESS_4  6
#define QOS        2
#define HT_CONTROL 4

/* First byte of the frame control field. */
#define TYPE(control)   (((control) >> 2) & 3)
#define TYPE_DATA       2
#define SUBTYPE_QOS     0x80
#define SUBTYPE_NO_DATA 0x40

/* Second byte. */
#define TO_DS          0x01
#define FROM_DS        0x02
#define MORE_FRAGMENTS 0x04
#define PROTECTED      0x40
#define ORDER          0x80

static uint32_t header_len(uint8_t control, uint8_t flags)
{
    uint32_t len = HEADER;

    if ((flags & (TO_DS | FROM_DS)) == (TO_DS | FROM_DS))
        len += ADDRESS_4;
    if (control & SUBTYPE_QOS)
        len += QOS + (flags & ORDER ? HT_CONTROL : 0u);
    return len;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;

    uint8_t control = tw_u8(at->bytes, 0), flags = tw_u8(at->bytes, 1);
    uint32_t header = header_len(control, flags);

    if (TYPE(control) != TYPE_DATA || (control & SUBTYPE_NO_DATA) ||
        (flags & (PROTECTED | MORE_FRAGMENTS)))
        return false;
    if (at->id == TW_INNER(TW_INNER_WLAN))
        header = (header + 3) & ~3u;
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_INNER(TW_INNER_LLC));
}

static const struct tw_key keys[] = {
    { TW_LINK(105), "IEEE802_11" },
    { TW_INNER(TW_INNER_WLAN), NULL },
    { TW_ETHERTYPE(0x2452), NULL }, /* as some drivers hand it to Ethernet */
};

TW_PROTOCOL(wlan, dissect, keys);
