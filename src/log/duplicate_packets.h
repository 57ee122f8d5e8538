/* SPDX-License-Identifier: MIT */
/*
 * Which two records of a log are the same packet, captured at two points of its way. Its numbers,
 * timestamps, window and IP identification are the same; what is sent again has others, as a rule.
 */
#ifndef TW_LOG_DUPLICATE_PACKETS_H
#define TW_LOG_DUPLICATE_PACKETS_H

#include "log/log.h"

#define TW_NO_TWIN UINT32_MAX

struct tw_duplicate_packets {
    uint32_t *twin;     /* of each record, or TW_NO_TWIN */
    uint32_t n[2];      /* records, by sender ... */
    uint32_t pairs[2];  /* ... and those of them that are two of one packet, in pairs */
    tcpwhy_ns least[2]; /* time between the two, but for outliers; unknown without a pair */
    bool unsure;        /* of some segments another may be the twin */
};

void tw_duplicate_packets_find(const struct tw_log *log, struct tw_duplicate_packets *out);
void tw_duplicate_packets_clear(struct tw_duplicate_packets *duplicates);

#endif
