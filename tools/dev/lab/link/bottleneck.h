/* SPDX-License-Identifier: MIT */
#ifndef LAB_BOTTLENECK_H
#define LAB_BOTTLENECK_H

#include "pipe.h"

/* Bytes queued before the bottleneck. */
double bottleneck_bytes(const struct pipe *pipe, int64_t now_ns);

/* When the bottleneck has sent the frame; -1 when its queue has no room. */
int64_t bottleneck_pass(struct pipe *pipe, int64_t now_ns, size_t length);

/* Whether CoDel (RFC 8289) hits the frame that comes now: it is marked or dropped. */
bool bottleneck_codel_hits(struct pipe *pipe, int64_t now_ns);

#endif
