/* SPDX-License-Identifier: MIT */
/* Fast path to TCP for most frames, with the same result as tw_dissect(). */
#ifndef TW_DISSECT_FAST_H
#define TW_DISSECT_FAST_H

#include "dissect/dissect.h"

/* @return false if the frame needs the general walk; then the segment is undefined. */
bool tw_dissect_fast(uint32_t link_type, struct tw_bytes bytes, uint32_t original_len,
                     struct tw_segment *segment);

#endif
