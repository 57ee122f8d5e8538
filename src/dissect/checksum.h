/* SPDX-License-Identifier: MIT */
#ifndef TW_DISSECT_CHECKSUM_H
#define TW_DISSECT_CHECKSUM_H

#include "dissect/dissect.h"

/*
 * Does the checksum field hold only the sum of the pseudo header? That is so for checksum offload
 * at the capturing host, and for frames merged by GRO (Linux: CHECKSUM_PARTIAL;
 * tcp4_gro_complete()). @param segment as dissected, with its bytes still valid; false if they are
 * not.
 */
bool tw_checksum_is_begun(const struct tw_segment *segment);

/* Does no receiver accept it, nor a card complete it? False too where not all of it was captured,
 * and where the field is 0: not summed up. */
bool tw_checksum_is_wrong(const struct tw_segment *segment);

/* Likewise a UDP datagram between the addresses of the tuple; there 0 means none. */
bool tw_checksum_is_wrong_udp(const struct tw_tuple *tuple, struct tw_bytes datagram);

#endif
