/* SPDX-License-Identifier: MIT */
/* The type-or-length field of Ethernet, also in VLAN tags and Linux's cooked header. */
#ifndef TW_DISSECT_ETHER_H
#define TW_DISSECT_ETHER_H

#include "dissect/layer.h"

/* IEEE 802.3 clause 3.2.6: lengths up to here, types from 1536. */
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
