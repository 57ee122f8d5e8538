/* SPDX-License-Identifier: MIT */
/* A segment that the program has parsed, as dissection would have made it. */
#ifndef TW_ENGINE_PARSED_H
#define TW_ENGINE_PARSED_H

#include <tcpwhy/parsed.h>

#include "dissect/segment.h"

/* @return false if it cannot be: then out is not filled. */
bool tw_parsed_segment(const struct tcpwhy_parsed *parsed, struct tw_segment *out);

/* Length of its frame on the wire. */
uint32_t tw_parsed_frame_len(const struct tcpwhy_parsed *parsed);

#endif
