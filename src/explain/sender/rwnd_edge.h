/* SPDX-License-Identifier: MIT */
/*
 * The right edge of a receive window as its sender hears of it, step by step, to ask later when
 * there was room for a segment.
 */
#ifndef TW_EXPLAIN_SENDER_RWND_EDGE_H
#define TW_EXPLAIN_SENDER_RWND_EDGE_H

#include "base/scratch.h"
#include "log/log.h"

struct tw_rwnd_edge_step {
    int64_t edge;
    tcpwhy_ns at_ns; /* unknown of the first that is heard: it may have been there before */
    bool was_closed; /* the window was 0 until then */
};

struct tw_rwnd_edges {
    struct tw_scratch *scratch;
    int64_t edge;                          /* the newest; INT64_MAX: unknown */
    struct tw_rwnd_edge_step *step, *end;  /* rising */
    const struct tw_rwnd_edge_step *limit; /* where the room for them ends */
    const struct tw_rwnd_edge_step
        *next; /* those before it had no room for what was asked for last */
    uint32_t capacity;
    uint32_t mss_bytes;
    int8_t wscale; /* of windows whose scale the SYNs do not tell; less than 0: unknown */
    bool left;     /* there were steps before the first */
    bool closed;   /* the window is 0 */
};

static inline struct tw_rwnd_edges tw_rwnd_edges_none(struct tw_scratch *scratch,
                                                      uint32_t mss_bytes, int8_t wscale)
{
    return (struct tw_rwnd_edges) {
        .scratch = scratch, .edge = INT64_MAX, .mss_bytes = mss_bytes, .wscale = wscale
    };
}

/* The sender hears of a window, in that record of the receiver. @return did that make room? */
bool tw_rwnd_edges_hear(struct tw_rwnd_edges *rwnd_edges, const struct tw_record *record,
                        tcpwhy_ns at_ns);

/* The step with which the window first had room up to an offset, higher ones than were asked for
 * before; NULL where it has none. */
const struct tw_rwnd_edge_step *tw_rwnd_edges_room(struct tw_rwnd_edges *rwnd_edges, int64_t end);

#endif
