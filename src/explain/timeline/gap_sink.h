/* SPDX-License-Identifier: MIT */
/*
 * The sink for a connection's gaps, and what is remembered of the last one. Segments of a burst
 * follow as fast as the link takes them: what released the first released all, so only the gap
 * before a burst is explained.
 */
#ifndef TW_EXPLAIN_TIMELINE_GAP_SINK_H
#define TW_EXPLAIN_TIMELINE_GAP_SINK_H

#include "explain/model/gap.h"

/* The last gap. */
struct tw_burst {
    tcpwhy_ns longest_ns; /* segments further apart than this are of different bursts */
    tcpwhy_ns until_ns;   /* no recovery begins or ends between the last gap and this time */
    bool in_message;      /* the last gap was within a message; then these are its own */
    enum tcpwhy_side sender;
    const struct tw_round *round;
    const struct tw_recovery_episode *episode;
};

struct tw_gap_sink {
    void (*take)(struct tw_gap_sink *sink, struct tw_gap *gap); /* may change the gap */
    struct tw_explanation *out;
    struct tw_burst burst;
};

/* Does a gap within a message begin in the same recovery as the last one, or in none? */
static inline bool tw_burst_keeps_episode(const struct tw_burst *b, const struct tw_gap *gap)
{
    return b->in_message && gap->phase == TW_PHASE_MESSAGE && b->sender == gap->sender &&
           gap->from_ns < b->until_ns;
}

/* Does no part of it lie in a recovery? */
static inline bool tw_burst_is_of_no_episode(const struct tw_burst *b, const struct tw_gap *gap)
{
    return tw_burst_keeps_episode(b, gap) && !b->episode && gap->to_ns <= b->until_ns;
}

/* The longest gap within a message that still belongs to the last one's burst, if it has the same
 * round and recovery and no frames are missing; 0: none. */
static inline tcpwhy_ns tw_burst_longest_ns(const struct tw_burst *b, enum tcpwhy_side sender)
{
    return b->in_message && b->sender == sender ? b->longest_ns : 0;
}

#endif
