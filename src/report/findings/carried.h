/* SPDX-License-Identifier: MIT */
/*
 * Connections that fill a path share it: each carries a part of its rate, all together the whole.
 */
#ifndef TW_REPORT_FINDINGS_CARRIED_H
#define TW_REPORT_FINDINGS_CARRIED_H

#include "explain/explanation.h"
#include "log/log.h"

struct tw_carried {
    uint64_t bytes;           /* of new data, from a stream's first wait on */
    tcpwhy_ns from_ns, to_ns; /* the first wait's begin, the last one's end */
    uint32_t streams;
    uint32_t stream, next_record; /* how far the current stream has been counted */
};

/* Add a wait; those of a stream come one after the other, in their order. */
void tw_carried_add(struct tw_carried *carried, uint32_t stream, const struct tw_log *log,
                    const struct tw_span *span);
void tw_carried_merge(struct tw_carried *into, const struct tw_carried *from);

/* Bytes per second; 0: of a single stream. */
double tw_carried_rate(const struct tw_carried *carried);

#endif
