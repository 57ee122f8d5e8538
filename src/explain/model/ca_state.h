/* SPDX-License-Identifier: MIT */
/*
 * Which state of congestion control the sender is in (Linux's icsk_ca_state; RFC 5681, 6675, 8985,
 * 3168, 5682), and what each ACK or repeat means for its congestion window.
 */
#ifndef TW_EXPLAIN_MODEL_CA_STATE_H
#define TW_EXPLAIN_MODEL_CA_STATE_H

#include "explain/model/pipe.h"

enum tw_ca {
    TW_CA_OPEN,
    TW_CA_DISORDER, /* duplicate ACKs or SACK came; nothing is deemed lost yet */
    TW_CA_CWR,      /* told of congestion by ECN */
    TW_CA_RECOVERY, /* fast recovery */
    TW_CA_LOSS,     /* the retransmission timer fired */
};

/* What becomes of the congestion window, in this order. */
#define TW_CA_UNDO         0x01 /* the reduction was for nothing (DSACK, timestamps, F-RTO) */
#define TW_CA_FINISH       0x02 /* the reduction is over: cwnd becomes ssthresh */
#define TW_CA_REDUCE       0x04 /* a reduction begins */
#define TW_CA_TIMEOUT      0x08 /* the timer fired: one segment is left ... */
#define TW_CA_REDUCES_TO   0x10 /* ... and ssthresh becomes what a reduction makes of cwnd */
#define TW_CA_MAY_TIME_OUT 0x20 /* it fired, or that of a tail probe did */

struct tw_ca_state {
    enum tw_ca state;
    int64_t high;      /* what was sent when the state began; it ends when that is acknowledged */
    int64_t undo_from; /* SND.UNA then; -1: nothing to undo */
    int64_t undo_repeats; /* repeats that no DSACK reported, since */
    int64_t probe_end;    /* what was sent when a tail probe went again; 0: none is out */
    uint32_t first_tsval; /* of the first repeat since the state began */
    bool repeated, stamped;
    bool frto; /* RFC 5682 is still to tell whether the timeout was needed */
};

/* An ACK, when the pipe took it in. */
struct tw_ca_ack {
    const struct tw_pipe_news *news;
    int64_t ack;
    uint32_t tsecr;
    bool stamped;   /* tsecr is there */
    bool ece;       /* ECN-Echo, on a connection that agreed on ECN */
    bool dsack;     /* it reports a duplicate ... */
    bool duplicate; /* it is one, of RFC 5681, section 2 */
};

void tw_ca_begin(struct tw_ca_state *ca);

/* @return TW_CA_* of an ACK. Finds losses by the way; reorder_ns is the window of reordering. */
unsigned tw_ca_hear(struct tw_ca_state *ca, struct tw_pipe *pipe, const struct tw_ca_ack *ack,
                    tcpwhy_ns at_ns, tcpwhy_ns reorder_ns, struct tw_pipe_news *news);

/* What let a repeat go. */
enum tw_ca_trigger {
    TW_CA_BY_ACKS,
    TW_CA_BY_PROBE_TIMER,
    TW_CA_BY_EITHER_TIMER, /* it may have been the probe's timer or the retransmission's */
    TW_CA_BY_RTO,
};

struct tw_ca_repeat {
    enum tw_ca_trigger trigger;
    int64_t packets;
    uint32_t tsval;
    bool stamped;
};

/* Data went again; before the pipe takes it in. @return TW_CA_*. */
unsigned tw_ca_repeat(struct tw_ca_state *ca, struct tw_pipe *pipe,
                      const struct tw_ca_repeat *repeat, tcpwhy_ns at_ns);

static inline bool tw_ca_reduces(const struct tw_ca_state *ca)
{
    return ca->state == TW_CA_CWR || ca->state == TW_CA_RECOVERY;
}

#endif
