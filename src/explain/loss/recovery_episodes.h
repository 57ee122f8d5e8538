/* SPDX-License-Identifier: MIT */
/*
 * Recovery episodes of a direction and how they are joined: repairs of what was lost together are
 * one; inferred ones are kept apart from seen ones.
 */
#ifndef TW_EXPLAIN_LOSS_RECOVERY_EPISODES_H
#define TW_EXPLAIN_LOSS_RECOVERY_EPISODES_H

#include "explain/sender/sender_timeline.h"

enum tw_recovery_kind {
    TW_RECOVERY_FAST,  /* fast retransmit: duplicate ACKs or SACK (RFC 5681, RFC 6675, RFC 8985) */
    TW_RECOVERY_PROBE, /* tail loss probe (RFC 8985, section 7) */
    TW_RECOVERY_AFTER, /* other data in flight when the RTO fired, as ACKs came in (slow start) */
    TW_RECOVERY_RTO,   /* the RTO fired (RFC 6298) */
    TW_N_RECOVERY_KINDS,
};

struct tw_recovery_episode {
    tcpwhy_ns from_ns, to_ns;   /* at the vantage */
    enum tcpwhy_side sender;    /* whose data was lost */
    enum tw_recovery_kind kind; /* of its slowest retransmission */
    uint32_t first_record, repair_record, last_record;
    uint32_t repeats;
    uint32_t lacking;   /* unseen: packets of the sender that did not pass here before its repair */
    int64_t hole_bytes; /* of the hole, when it was first retransmitted */
    bool unseen;        /* the loss is before the vantage, and inferred */
    bool missing;       /* frames are missing from the capture here */
    bool arrived; /* the retransmitted data had passed at the receiver's host, may have arrived when
                     the capture ends, or was not acceptable */
    bool first;   /* the client's first data: the server may not have accepted it yet */
    bool black_hole; /* full-size segments are retransmitted and never acknowledged */
    bool too_large;  /* perhaps: one is, and none was acknowledged before */
};

struct tw_recovery {
    struct tw_recovery_episode *episode; /* in order, not overlapping */
    uint32_t n;
    uint32_t repairs[TW_N_RECOVERY_KINDS]; /* retransmissions by what caused them */
    uint32_t spurious;                     /* spurious ones */
};

/* Episodes while they are built. */
struct tw_recovery_episodes {
    struct tw_recovery *out;
    struct tw_scratch *scratch;
    uint32_t capacity; /* of out->episode */
};

/* Add a repair; they come in the order in which they were sent. */
void tw_recovery_episodes_add(struct tw_recovery_episodes *recovery_episodes,
                              const struct tw_recovery_episode *episode);

const struct tw_recovery_episode *tw_recovery_search(const struct tw_recovery *recovery,
                                                     tcpwhy_ns at_ns, tcpwhy_ns *next_ns);

/* The episode at this moment, or NULL; *next_ns is when the answer changes next. Most connections
 * have no loss. */
static inline const struct tw_recovery_episode *tw_recovery_at(const struct tw_recovery *recovery,
                                                               tcpwhy_ns at_ns, tcpwhy_ns *next_ns)
{
    *next_ns = INT64_MAX;
    return recovery->n ? tw_recovery_search(recovery, at_ns, next_ns) : NULL;
}

#endif
