/* SPDX-License-Identifier: MIT */
/* Address families of loopback headers; the number of IPv6 depends on the system. */
#ifndef TW_DISSECT_FAMILY_H
#define TW_DISSECT_FAMILY_H

#include "dissect/ether.h"

#define TW_FAMILY_IPV4         2
#define TW_FAMILY_IPV6_BSD     24 /* NetBSD, OpenBSD */
#define TW_FAMILY_IPV6_FREEBSD 28
#define TW_FAMILY_IPV6_DARWIN  30

#define TW_FAMILY_HEADER 4

static inline bool tw_family_next(struct tw_layer *at, uint32_t family)
{
    switch (family) {
    case TW_FAMILY_IPV4:
        return tw_layer_next(at, TW_FAMILY_HEADER, TW_ETHERTYPE(0x0800));
    case TW_FAMILY_IPV6_BSD:
    case TW_FAMILY_IPV6_FREEBSD:
    case TW_FAMILY_IPV6_DARWIN:
        return tw_layer_next(at, TW_FAMILY_HEADER, TW_ETHERTYPE(0x86dd));
    default:
        return false;
    }
}

#endif
