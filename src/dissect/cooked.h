/* SPDX-License-Identifier: MIT */
/* Common to both versions of Linux's cooked header: the protocol field. */
#ifndef TW_DISSECT_COOKED_H
#define TW_DISSECT_COOKED_H

#include "dissect/ether.h"

/* Values below the Ethernet types are Linux ETH_P_ numbers. */
#define TW_COOKED_ETHERNET 3
#define TW_COOKED_802_2    4
#define TW_COOKED_PPP      7

static inline bool tw_cooked_next(struct tw_layer *at, uint32_t header, uint16_t protocol)
{
    if (protocol >= TW_ETHER_MIN_TYPE)
        return tw_layer_next(at, header, TW_ETHERTYPE(protocol));
    switch (protocol) {
    case TW_COOKED_ETHERNET:
        return tw_layer_next(at, header, TW_ETHERTYPE(0x6558));
    case TW_COOKED_802_2:
        return tw_layer_next(at, header, TW_INNER(TW_INNER_LLC));
    case TW_COOKED_PPP:
        return tw_layer_next(at, header, TW_LINK(9));
    default:
        return false;
    }
}

#endif
