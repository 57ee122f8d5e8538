/* SPDX-License-Identifier: MIT */
/* MPLS (RFC 3032). The payload type is not encoded, but guessed from its first four bits. */
#include "dissect/layer.h"

#define ENTRY        4
#define BOTTOM       0x100u
#define LABEL(entry) ((entry) >> 12)
#define IPV4_NULL    0
#define IPV6_NULL    2

/*
 * An Ethernet pseudowire with a control word starts with 0, unlike IP (RFC 4385). Without one the
 * destination address may start so, too; then a valid type follows both addresses.
 */
#define CONTROL_WORD  4
#define ETHERNET_TYPE 12

static bool pseudowire(struct tw_layer *at, uint32_t header)
{
    uint16_t type = tw_be16(at->bytes, header + ETHERNET_TYPE);

    if (!tw_layer_known(TW_ETHERTYPE(type)))
        header += CONTROL_WORD;
    return tw_layer_next(at, header, TW_ETHERTYPE(0x6558));
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = 0, entry;

    do {
        if (!tw_layer_has(at, header + ENTRY + 1, out))
            return false;
        entry = tw_be32(at->bytes, header);
        header += ENTRY;
    } while (!(entry & BOTTOM));
    if (LABEL(entry) == IPV4_NULL)
        return tw_layer_next(at, header, TW_ETHERTYPE(0x0800));
    if (LABEL(entry) == IPV6_NULL)
        return tw_layer_next(at, header, TW_ETHERTYPE(0x86dd));
    switch (tw_u8(at->bytes, header) >> 4) {
    case 0:
        return pseudowire(at, header);
    case 4:
        return tw_layer_next(at, header, TW_ETHERTYPE(0x0800));
    case 6:
        return tw_layer_next(at, header, TW_ETHERTYPE(0x86dd));
    default:
        return false;
    }
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x8847), TW_ETHERTYPE(0x8848), TW_IP_PROTO(137),
    TW_PPP_PROTO(0x0281), TW_PPP_PROTO(0x0283), TW_GRE_PROTO(0x8847),
    TW_GRE_PROTO(0x8848), TW_UDP_PORT(6635),    TW_NSH_PROTO(5),
};

TW_PROTOCOL(mpls, dissect, keys);
