/* SPDX-License-Identifier: MIT */
/* What the two forms of Linux's cooked header ("any" device) share: the protocol field. */
#ifndef TW_DISSECT_COOKED_H
#define TW_DISSECT_COOKED_H

#include "dissect/ether.h"

/* Below the Ethernet types the field holds Linux's own ETH_P_ numbers. */
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
