/* SPDX-License-Identifier: MIT */
/*
 * The right edge of a receive window as the sender learns of it, step by step, to find when there
 * was room for a segment.
 */
#ifndef TW_EXPLAIN_SENDER_RWND_EDGE_H
#define TW_EXPLAIN_SENDER_RWND_EDGE_H

#include "base/scratch.h"
#include "log/log.h"

struct tw_rwnd_edge_step {
    int64_t edge;
    tcpwhy_ns at_ns; /* unknown for the first step: it may be older */
    bool was_closed; /* the window was 0 until then */
};

struct tw_rwnd_edges {
    struct tw_scratch *scratch;
    int64_t edge;                          /* the newest; INT64_MAX: unknown */
    struct tw_rwnd_edge_step *step, *end;  /* rising */
    const struct tw_rwnd_edge_step *limit; /* the step that ends their room */
    const struct tw_rwnd_edge_step *next;  /* earlier steps had no room for the last offset */
    uint32_t capacity;
    uint32_t mss_bytes;
    int8_t wscale; /* shift of windows whose scale the SYNs do not show; below 0: unknown */
    bool left;     /* there were earlier steps */
    bool closed;   /* the window is 0 */
};

static inline struct tw_rwnd_edges tw_rwnd_edges_none(struct tw_scratch *scratch,
                                                      uint32_t mss_bytes, int8_t wscale)
{
    return (struct tw_rwnd_edges) {
        .scratch = scratch, .edge = INT64_MAX, .mss_bytes = mss_bytes, .wscale = wscale
    };
}

/* The sender learns of a window from this record of the receiver. @return true if it has more
 * room. */
bool tw_rwnd_edges_hear(struct tw_rwnd_edges *rwnd_edges, const struct tw_record *record,
                        tcpwhy_ns at_ns);

/* The step that first made room up to an offset; NULL if none did. Offsets must not decrease from
 * call to call. */
const struct tw_rwnd_edge_step *tw_rwnd_edges_room(struct tw_rwnd_edges *rwnd_edges, int64_t end);

#endif
