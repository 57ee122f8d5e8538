/* SPDX-License-Identifier: MIT */
/* Unencrypted data frames of IEEE 802.11. */
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

/* First byte of the QoS field: A-MSDU, several frames with Ethernet headers. */
#define AGGREGATED 0x80
#define SUBFRAME   14

/* Some drivers decrypt frames, but leave the flag and the initialisation vector. */
#define DECRYPTED TW_ETHERTYPE(0x2452)

#define CAPWAP TW_INNER(TW_INNER_WLAN_CAPWAP)

/* The IV has 4 bytes with WEP, and 8 if a flag in its fourth byte is set. */
#define VECTOR_WEP      4
#define VECTOR_EXTENDED 8
#define IS_EXTENDED     0x20

static uint32_t header_len(const struct tw_layer *at, uint8_t control, uint8_t flags)
{
    uint32_t len = HEADER;
    uint8_t qos = 0;

    if ((flags & (TO_DS | FROM_DS)) == (TO_DS | FROM_DS))
        len += ADDRESS_4;
    if (control & SUBTYPE_QOS) {
        qos = tw_u8(at->bytes, len);
        len += QOS + (flags & ORDER ? HT_CONTROL : 0u);
    }
    if (at->id == TW_INNER(TW_INNER_WLAN))
        len = (len + 3) & ~3u;
    if (flags & PROTECTED)
        len += tw_u8(at->bytes, len + 3) & IS_EXTENDED ? VECTOR_EXTENDED : VECTOR_WEP;
    return len + (qos & AGGREGATED ? SUBFRAME : 0);
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;

    /* Cisco access points swap the two bytes in frames to their controller. */
    bool swapped = at->id == CAPWAP && TYPE(tw_u8(at->bytes, 1)) == TYPE_DATA;
    uint8_t control = tw_u8(at->bytes, swapped), flags = tw_u8(at->bytes, !swapped);
    uint32_t header = header_len(at, control, flags);

    if (TYPE(control) != TYPE_DATA || (control & SUBTYPE_NO_DATA) || (flags & MORE_FRAGMENTS))
        return false;
    if ((flags & PROTECTED) && at->id != DECRYPTED)
        return false;
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_INNER(TW_INNER_LLC));
}

static const uint32_t keys[] = {
    TW_LINK(105), /* IEEE802_11 */
    TW_INNER(TW_INNER_WLAN),
    DECRYPTED,
    CAPWAP,
};

TW_PROTOCOL(wlan, dissect, keys);
