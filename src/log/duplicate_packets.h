/* SPDX-License-Identifier: MIT */
/*
 * Pairs of records that are the same packet, captured at two points. Sequence numbers, timestamps,
 * window and IP identification are equal, and usually differ in a retransmission.
 */
#ifndef TW_LOG_DUPLICATE_PACKETS_H
#define TW_LOG_DUPLICATE_PACKETS_H

#include "log/log.h"

#define TW_NO_TWIN UINT32_MAX

struct tw_duplicate_packets {
    uint32_t *twin;     /* per record, or TW_NO_TWIN */
    uint32_t n[2];      /* records, by sender ... */
    uint32_t pairs[2];  /* ... and those of them in pairs */
    tcpwhy_ns least[2]; /* distance of the pairs without outliers; unknown without a pair */
    bool unsure;        /* some segments have several candidates */
};

/* seed: of hashes, not known to whoever wrote the capture. */
void tw_duplicate_packets_find(const struct tw_log *log, uint64_t seed,
                               struct tw_duplicate_packets *out);
void tw_duplicate_packets_clear(struct tw_duplicate_packets *duplicates);

#endif
