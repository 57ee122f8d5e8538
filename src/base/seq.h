/* SPDX-License-Identifier: MIT */
/*
 * 32-bit sequence arithmetic (RFC 9293, section 3.4) and its unwrapping to 64-bit offsets.
 */
#ifndef TW_BASE_SEQ_H
#define TW_BASE_SEQ_H

#include <stdbool.h>
#include <stdint.h>

/* a - b as a signed distance; meaningful while the two are less than 2^31 apart. */
static inline int32_t tw_seq_diff(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

static inline bool tw_seq_before(uint32_t a, uint32_t b)
{
    return tw_seq_diff(a, b) < 0;
}

static inline bool tw_seq_after(uint32_t a, uint32_t b)
{
    return tw_seq_diff(a, b) > 0;
}

/* The 64-bit offset of seq, given a nearby sequence number whose offset is known. */
static inline int64_t tw_seq_unwrap(uint32_t seq, uint32_t near_seq, int64_t near_offset)
{
    return near_offset + tw_seq_diff(seq, near_seq);
}

#endif
