/* SPDX-License-Identifier: MIT */
/*
 * Losses and their repair: an episode runs from the lost segment's turn until its repair is
 * acknowledged. Losses that lie before the vantage show as holes, or as a step of the sender's IP
 * identification where nothing else is left of them.
 */
#ifndef TW_EXPLAIN_LOSS_RECOVERY_H
#define TW_EXPLAIN_LOSS_RECOVERY_H

#include "explain/sender/sender_timeline.h"

enum tw_recovery_kind {
    TW_RECOVERY_FAST,  /* duplicate ACKs or SACK told (RFC 5681, RFC 6675, RFC 8985) */
    TW_RECOVERY_PROBE, /* tail loss probe (RFC 8985, section 7) */
    TW_RECOVERY_AFTER, /* what else was out when the timer fired, as ACKs came in (slow start) */
    TW_RECOVERY_RTO,   /* the retransmission timer fired (RFC 6298) */
    TW_N_RECOVERY_KINDS,
};

struct tw_recovery_episode {
    tcpwhy_ns from_ns, to_ns;   /* at the vantage */
    enum tcpwhy_side sender;    /* whose data was lost */
    enum tw_recovery_kind kind; /* of its slowest repair */
    uint32_t first_record, repair_record, last_record;
    uint32_t repeats;
    int64_t hole_bytes; /* that the loss left in what we saw, when it was first repaired */
    bool unseen;        /* the loss lies before the vantage and is inferred */
    bool missing;       /* the capture lacks frames in it */
    bool arrived;    /* what was repeated had passed at the receiver's own host, or may have arrived
                        when the capture ends, or was not acceptable */
    bool first;      /* the client's first data: the server may not have accepted it yet */
    bool black_hole; /* full-size segments are repeated and never acknowledged */
    bool too_large;  /* perhaps: one is, and none was acknowledged before */
};

struct tw_recovery {
    struct tw_recovery_episode *episode; /* in order, not overlapping */
    uint32_t n;
    uint32_t repairs[TW_N_RECOVERY_KINDS]; /* retransmissions by what caused them */
    uint32_t spurious;                     /* of them, those of what had arrived */
};

/* Find the episodes; sends that repeated what had arrived are marked spurious. */
void tw_recovery_build(const struct tw_log *log, struct tw_sender_timeline *sends,
                       const struct tw_vantage *vantage, struct tw_scratch *scratch,
                       struct tw_recovery *out);

const struct tw_recovery_episode *tw_recovery_search(const struct tw_recovery *recovery,
                                                     tcpwhy_ns at_ns, tcpwhy_ns *next_ns);

/* The episode that holds this moment, or NULL; *next_ns is when that answer changes, which is
 * later. Most connections lost nothing. */
static inline const struct tw_recovery_episode *tw_recovery_at(const struct tw_recovery *recovery,
                                                               tcpwhy_ns at_ns, tcpwhy_ns *next_ns)
{
    *next_ns = INT64_MAX;
    return recovery->n ? tw_recovery_search(recovery, at_ns, next_ns) : NULL;
}

#endif
