/* SPDX-License-Identifier: MIT */
/* A number that should grow by one with each datagram: holes are losses, steps back are late. */
#ifndef TW_REPORT_FACTS_UDP_NUMBER_H
#define TW_REPORT_FACTS_UDP_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

struct tw_udp_track {
    uint64_t seen, in_order, missing, late, duplicates, wild;
    uint64_t window; /* of the last 64 numbers below next, those seen */
    uint32_t next;
};

/* bits: 16 or 32. */
void tw_udp_track_take(struct tw_udp_track *track, uint32_t number, unsigned bits);

/* Does it count datagrams? */
bool tw_udp_track_counts(const struct tw_udp_track *track);
/* Does it count those of this flow alone? A number that the sender shares with its other flows has
 * a hole wherever they sent. */
bool tw_udp_track_is_own(const struct tw_udp_track *track);

#endif
