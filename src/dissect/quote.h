/* SPDX-License-Identifier: MIT */
/* The datagram quoted by an ICMP error; the walk continues in the quote. */
#ifndef TW_DISSECT_QUOTE_H
#define TW_DISSECT_QUOTE_H

#include "dissect/layer.h"

/* Both versions: type, code, checksum and four bytes that depend on the type. */
#define TW_ICMP_HEADER 8

bool tw_quote_enter(struct tw_layer *at, enum tw_icmp_kind kind, uint32_t mtu, uint32_t ip,
                    struct tw_dissection *out);

#endif
