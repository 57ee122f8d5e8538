/* SPDX-License-Identifier: MIT */
#ifndef TW_DISSECT_CHECKSUM_H
#define TW_DISSECT_CHECKSUM_H

#include "dissect/dissect.h"

/*
 * Does the checksum hold the sum of the pseudo header and no more? A host that leaves the rest to
 * its card captures what it sends like that, and so does one that has put frames with data together
 * as they came (Linux: CHECKSUM_PARTIAL; tcp4_gro_complete()).
 * @param segment  as dissected, with the frame's bytes still there; false where they are not.
 */
bool tw_checksum_is_begun(const struct tw_segment *segment);

#endif
