/* SPDX-License-Identifier: MIT */
/*
 * The payload of a side's full segments, from what it sent.
 */
#ifndef TW_EXPLAIN_MODEL_FULL_SEGMENT_H
#define TW_EXPLAIN_MODEL_FULL_SEGMENT_H

#include "log/log.h"

int64_t tw_full_segment_find(const struct tw_log *log, enum tcpwhy_side from);

#endif
