/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/dissect: one frame to one flat segment. Each protocol is one file and one line
 * in this folder's meson.build.
 */
#ifndef TW_DISSECT_H
#define TW_DISSECT_H

#include <stdint.h>

#include "base/bytes.h"
#include "dissect/segment.h"

struct tw_defrag;

/*
 * Dissect one frame.
 * @param defrag        where IP fragments wait (see defrag.h, whose tw_defrag_begin() comes first);
 *                      the frame that completes a datagram is dissected as the whole of it. NULL:
 *                      fragments are told as such.
 * @param original_len  its length on the wire (bytes.len is what was captured).
 * @return out->kind. Nothing else is remembered.
 */
enum tw_frame_kind tw_dissect(struct tw_defrag *defrag, uint32_t link_type, struct tw_bytes bytes,
                              uint32_t original_len, struct tw_dissection *out);

#endif
