/* SPDX-License-Identifier: MIT */
/* IEEE 802.2 LLC, bare for IP (RFC 948) and with SNAP (RFC 1042). */
#include "dissect/layer.h"

#define SAP_IP   0x06
#define SAP_SNAP 0xaa

/* Unnumbered frames have one control byte, others two. */
#define IS_UNNUMBERED(control) (((control)&3) == 3)

/* OUIs whose protocol numbers are Ethernet types: RFC 1042, and 802.1H bridges. */
#define OUI_ETHERNET 0x000000
#define OUI_BRIDGE   0x0000f8

#define SNAP_HEADER 5

static bool snap(struct tw_layer *at, uint32_t header, struct tw_dissection *out)
{
    if (!tw_layer_has(at, header + SNAP_HEADER, out))
        return false;

    uint32_t oui = tw_be32(at->bytes, header) >> 8;
    uint16_t type = tw_be16(at->bytes, header + 3);

    if (oui != OUI_ETHERNET && oui != OUI_BRIDGE)
        return false;
    return tw_layer_next(at, header + SNAP_HEADER, TW_ETHERTYPE(type));
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, 3, out))
        return false;

    uint8_t dsap = tw_u8(at->bytes, 0), ssap = tw_u8(at->bytes, 1);
    uint32_t header = IS_UNNUMBERED(tw_u8(at->bytes, 2)) ? 3 : 4;

    if (dsap == SAP_SNAP && ssap == SAP_SNAP)
        return snap(at, header, out);
    if (dsap == SAP_IP)
        return tw_layer_next(at, header, TW_INNER(TW_INNER_IP));
    return false;
}

static const uint32_t keys[] = {
    TW_INNER(TW_INNER_LLC),
    TW_ETHERTYPE(0x8870), /* jumbo frames, whose length is no valid IEEE 802.3 length */
    TW_PPP_PROTO(0x004b),
};

TW_PROTOCOL(llc, dissect, keys);
