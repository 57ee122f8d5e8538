/* SPDX-License-Identifier: MIT */
/* Link type and clock of a capture interface. */
#ifndef TW_SOURCE_INTERFACE_H
#define TW_SOURCE_INTERFACE_H

#include <stdint.h>

/* Time of a record without a timestamp. */
#define TW_NO_TIME INT64_MIN

/* The difference of any two times must fit in 63 bits: 146 years before and after 1970. */
#define TW_FURTHEST_S INT64_C(4600000000)

/* libpcap's MAXIMUM_SNAPLEN. */
#define TW_FRAME_LEN_MAX 262144u

struct tw_interface {
    uint32_t link_type;     /* LINKTYPE_, canonical */
    uint32_t snap_len;      /* UINT32_MAX if unlimited */
    uint8_t fcs_bytes;      /* trailing FCS bytes of each frame according to the file; 0: unknown */
    uint32_t max_len;       /* maximum frame length of this link type */
    uint64_t units_per_s;   /* timestamp resolution */
    uint64_t ns_per_unit;   /* 0 if not an integer */
    int64_t offset_s;       /* added to timestamps */
    uint64_t dropped_total; /* from interface statistics */
    uint64_t dropped_between; /* from packet records, summed */
};

/*
 * Interface of a savefile with microsecond timestamps. The upper 16 bits of the link-type field
 * hold FCS flags; snap length 0 means none.
 */
struct tw_interface tw_interface(uint32_t link_type_field, uint32_t snap_len);

/*
 * Set the resolution from pcapng's if_tsresol: 10^-n s, or 2^-n s if the highest bit is set. Units
 * too fine for 64 bits become the finest possible.
 */
void tw_interface_set_clock(struct tw_interface *interface, uint8_t tsresol);

/* Nanoseconds since the epoch; TW_NO_TIME if too far off for safe subtraction. */
int64_t tw_interface_time(const struct tw_interface *interface, uint64_t units);

#endif
