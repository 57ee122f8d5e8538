/* SPDX-License-Identifier: MIT */
/* The way to TCP that nearly all frames take, without the walk from layer to layer; what it finds,
 * tw_dissect() finds too. */
#ifndef TW_DISSECT_FAST_H
#define TW_DISSECT_FAST_H

#include "dissect/dissect.h"

/* @return false when the frame is none of the plain ones: then the segment holds nothing of use. */
bool tw_dissect_fast(uint32_t link_type, struct tw_bytes bytes, uint32_t original_len,
                     struct tw_segment *segment);

#endif
