/* SPDX-License-Identifier: MIT */
/* What a capture tells of the place where its frames were taken: link type and clock. */
#ifndef TW_SOURCE_INTERFACE_H
#define TW_SOURCE_INTERFACE_H

#include <stdint.h>

/* Time of a record that carries none. */
#define TW_NO_TIME INT64_MIN

struct tw_interface {
    uint32_t link_type;       /* LINKTYPE_, canonical */
    uint32_t snap_len;        /* UINT32_MAX when there is none */
    uint8_t fcs_bytes;        /* at each frame's end, as a savefile says; 0: not told */
    uint32_t max_len;         /* longest frame that this link type can have */
    uint64_t units_per_s;     /* of its timestamps */
    uint64_t ns_per_unit;     /* 0 when it is not a whole number */
    int64_t offset_s;         /* to be added to its timestamps */
    uint64_t dropped_total;   /* as its statistics say */
    uint64_t dropped_between; /* as its packets say, summed */
};

/*
 * Interface of a savefile's link-type field, whose upper 16 bits speak of other things (FCS), and
 * its snap length, where 0 is none. Its clock counts microseconds.
 */
struct tw_interface tw_interface(uint32_t link_type_field, uint32_t snap_len);

/*
 * As pcapng's if_tsresol says: units of 10^-n s, or 2^-n s with the highest bit set. A unit too
 * fine for 64 bits is taken as the finest.
 */
void tw_interface_set_clock(struct tw_interface *interface, uint8_t tsresol);

/* Nanoseconds since the epoch; TW_NO_TIME when they are too far off to be subtracted safely. */
int64_t tw_interface_time(const struct tw_interface *interface, uint64_t units);

#endif
