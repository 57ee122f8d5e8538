/* SPDX-License-Identifier: MIT */
/* The type-or-length field of Ethernet, that VLAN tags and Linux's cooked header repeat. */
#ifndef TW_DISSECT_ETHER_H
#define TW_DISSECT_ETHER_H

#include "dissect/layer.h"

/* IEEE 802.3 clause 3.2.6: up to here it is a length, from 1536 on a type. */
#define TW_ETHER_MAX_LEN  1500
#define TW_ETHER_MIN_TYPE 1536

static inline bool tw_ether_next(struct tw_layer *at, uint32_t header, uint16_t type)
{
    if (type >= TW_ETHER_MIN_TYPE)
        return tw_layer_next(at, header, TW_ETHERTYPE(type));
    if (type > TW_ETHER_MAX_LEN)
        return tw_layer_next(at, header, TW_INNER(TW_INNER_NOTHING));
    tw_layer_next(at, header, TW_INNER(TW_INNER_LLC));
    tw_layer_clip(at, type);
    return true;
}

#endif
