/* SPDX-License-Identifier: MIT */
/*
 * What each retransmission of a side repeats, and which event let it go: what the receiver said,
 * the probe timer or the retransmission timer. The state of congestion control is followed (RFC
 * 5681, 6675, 8985), since in recovery and after a timeout the same event means another kind.
 */
#ifndef TW_EXPLAIN_LOSS_REPAIRS_H
#define TW_EXPLAIN_LOSS_REPAIRS_H

#include "explain/loss/recovery_episodes.h"
#include "explain/loss/retransmit_evidence.h"

struct tw_repair {
    tcpwhy_ns silence_ns; /* since it sent anything or heard an ACK of more */
    int64_t sent;         /* offset after what had been sent by then */
    uint32_t send;        /* its index */
    uint32_t origin;      /* the record that brought the same first */
    enum tw_recovery_kind kind;
    bool told;       /* the receiver had told of a loss since */
    bool answers;    /* it left just after an ACK */
    bool overdue;    /* a timer let it go, after as long as a timeout takes */
    bool too_big;    /* a router had said that the segment was too big */
    bool unprompted; /* no ACK and no timer let it go: it tells of no loss */
};

struct tw_repairs {
    struct tw_repair *repair; /* one for each retransmission, in order */
    bool probes;              /* the side sends tail loss probes */
    tcpwhy_ns timeout_ns;     /* after less silence its retransmission timer does not fire */
};

void tw_repairs_find(const struct tw_sender_timeline *sends, const struct tw_vantage *vantage,
                     struct tw_retransmit_evidence *evidence, struct tw_repairs *out);

#endif
