/* SPDX-License-Identifier: MIT */
/*
 * Finds what each retransmission of a side repeats, and which event triggered it: the receiver's
 * report, the probe timer or the RTO. Follows the congestion-control state (RFC 5681, 6675, 8985),
 * since in recovery and after a timeout the same event makes another kind.
 */
#ifndef TW_EXPLAIN_LOSS_REPAIRS_H
#define TW_EXPLAIN_LOSS_REPAIRS_H

#include "explain/loss/recovery_episodes.h"
#include "explain/loss/retransmit_evidence.h"

struct tw_repair {
    tcpwhy_ns silence_ns; /* time since it sent anything or heard an ACK of more */
    int64_t sent;         /* SND.NXT then */
    uint32_t send;        /* its index */
    uint32_t origin;      /* index of the send that carried the data first */
    enum tw_recovery_kind kind;
    bool told;       /* the receiver had reported a loss since */
    bool answers;    /* it left just after an ACK */
    bool overdue;    /* a timer released it, after as long as an RTO */
    bool too_big;    /* a router had reported that the segment was, and this is shorter */
    bool unprompted; /* neither an ACK nor a timer released it: it shows no loss */
};

struct tw_repairs {
    struct tw_repair *repair; /* one for each retransmission, in order */
    bool probes;              /* the side sends tail loss probes */
    tcpwhy_ns timeout_ns;     /* its RTO does not fire after less silence */
};

void tw_repairs_find(const struct tw_sender_timeline *sends, const struct tw_vantage *vantage,
                     struct tw_retransmit_evidence *evidence, struct tw_repairs *out);

#endif
