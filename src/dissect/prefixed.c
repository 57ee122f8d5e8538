/* SPDX-License-Identifier: MIT */
/*
 * Link types and tunnels with a header of fixed length before another protocol: a direction, an
 * interface, a preamble. Its content is not needed.
 */
#include "dissect/layer.h"

#define ETHERNET TW_LINK(1)
#define LLC      TW_INNER(TW_INNER_LLC)
#define IP       TW_INNER(TW_INNER_IP)

static const struct {
    uint32_t id;
    uint32_t header;
    uint32_t next;
} prefixes[] = {
    { TW_LINK(8), 16, IP }, /* BSD: direction and the compressed header */
    { TW_LINK(51), 0, TW_ETHERTYPE(0x8864) },
    { TW_LINK(100), 0, LLC },
    { TW_LINK(102), 24, IP },
    { TW_LINK(109), 12, IP },        /* family, security parameters, flags */
    { TW_LINK(122), 16, LLC },       /* RFC 2625: two addresses */
    { TW_LINK(166), 2, TW_LINK(9) }, /* direction instead of the address, control */
    { TW_LINK(204), 1, TW_LINK(9) },
    { TW_LINK(205), 1, TW_LINK(104) },
    { TW_LINK(206), 1, TW_LINK(107) },
    { TW_LINK(226), 24, IP },
    { TW_LINK(240), 4, ETHERNET },
    { TW_LINK(241), 12, ETHERNET }, /* with preamble and start of frame */
    { TW_LINK(259), 8, ETHERNET },
    { TW_LINK(274), 8, ETHERNET },
    { TW_LINK(282), 4, ETHERNET },
    { TW_IP_PROTO(97), 2, ETHERNET },      /* EtherIP (RFC 3378) */
    { TW_UDP_PORT(4341), 8, IP },          /* LISP (RFC 9300) */
    { TW_UDP_PORT(30030), 8, IP },         /* Juniper packet mirroring */
    { TW_ETHERTYPE(0x8903), 2, ETHERNET }, /* Cisco's FabricPath */
};

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    size_t i = 0;

    while (prefixes[i].id != at->id)
        i++;
    if (!tw_layer_has(at, prefixes[i].header + 1, out))
        return false;
    return tw_layer_next(at, prefixes[i].header, prefixes[i].next);
}

static const uint32_t keys[] = {
    TW_LINK(8),   /* SLIP */
    TW_LINK(51),  /* PPP_ETHER */
    TW_LINK(100), /* ATM_RFC1483 */
    TW_LINK(102), /* SLIP_BSDOS */
    TW_LINK(109), /* ENC */
    TW_LINK(122), /* IP_OVER_FC */
    TW_LINK(166), /* PPP_PPPD */
    TW_LINK(204), /* PPP_WITH_DIR */
    TW_LINK(205), /* C_HDLC_WITH_DIR */
    TW_LINK(206), /* FRELAY_WITH_DIR */
    TW_LINK(226), /* IPNET */
    TW_LINK(240), /* NETANALYZER */
    TW_LINK(241), /* NETANALYZER_TRANSPARENT */
    TW_LINK(259), /* EPON */
    TW_LINK(274), /* ETHERNET_MPACKET */
    TW_LINK(282), /* DSA_TAG_BRCM_PREPEND */
    TW_IP_PROTO(97), TW_UDP_PORT(4341), TW_UDP_PORT(30030), TW_ETHERTYPE(0x8903),
};

TW_PROTOCOL(prefixed, dissect, keys);
