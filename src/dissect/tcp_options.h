/* SPDX-License-Identifier: MIT */
/* The options of a TCP header. */
#ifndef TW_DISSECT_TCP_OPTIONS_H
#define TW_DISSECT_TCP_OPTIONS_H

#include "dissect/dissect.h"

/* Parse the captured options into the segment. */
void tw_tcp_options(struct tw_bytes options, struct tw_segment *segment);

#endif
