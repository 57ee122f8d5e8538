/* SPDX-License-Identifier: MIT */
/*
 * The sender's congestion-control state (Linux's icsk_ca_state; RFC 5681, 6675, 8985, 3168, 5682),
 * and what each ACK or retransmission means for cwnd.
 */
#ifndef TW_EXPLAIN_MODEL_CA_STATE_H
#define TW_EXPLAIN_MODEL_CA_STATE_H

#include "explain/model/pipe.h"

enum tw_ca {
    TW_CA_OPEN,
    TW_CA_DISORDER, /* duplicate ACKs or SACK; nothing is considered lost yet */
    TW_CA_CWR,      /* ECN-Echo reported congestion */
    TW_CA_RECOVERY, /* fast recovery */
    TW_CA_LOSS,     /* the retransmission timer fired */
};

/* Changes of cwnd, in this order. */
#define TW_CA_UNDO         0x01 /* the reduction was spurious (DSACK, timestamps, F-RTO) */
#define TW_CA_FINISH       0x02 /* the reduction is over: cwnd becomes ssthresh */
#define TW_CA_REDUCE       0x04 /* a reduction begins */
#define TW_CA_TIMEOUT      0x08 /* the RTO fired: cwnd is one segment ... */
#define TW_CA_REDUCES_TO   0x10 /* ... and ssthresh is set as by a reduction */
#define TW_CA_MAY_TIME_OUT 0x20 /* the RTO fired, or a tail loss probe did */

struct tw_ca_state {
    enum tw_ca state;
    int64_t high;         /* SND.NXT when the state began; it ends when that is acknowledged */
    int64_t undo_from;    /* SND.UNA then; -1: nothing to undo */
    int64_t undo_repeats; /* retransmissions since then that no DSACK reported */
    int64_t probe_end;    /* SND.NXT when a tail loss probe was sent; 0: none is outstanding */
    uint32_t first_tsval; /* of the first retransmission since the state began */
    bool repeated, stamped;
    bool frto; /* F-RTO (RFC 5682) has yet to decide whether the timeout was spurious */
};

/* An ACK that the pipe has processed. */
struct tw_ca_ack {
    const struct tw_pipe_news *news;
    int64_t ack;
    uint32_t tsecr;
    bool stamped;   /* tsecr is present */
    bool ece;       /* ECN-Echo, on a connection that agreed on ECN */
    bool dsack;     /* it reports a duplicate ... */
    bool duplicate; /* it is a duplicate ACK (RFC 5681, 2) */
};

void tw_ca_begin(struct tw_ca_state *ca);

/* Process an ACK, and detect losses; reorder_ns is the reordering window. @return TW_CA_*. */
unsigned tw_ca_hear(struct tw_ca_state *ca, struct tw_pipe *pipe, const struct tw_ca_ack *ack,
                    tcpwhy_ns at_ns, tcpwhy_ns reorder_ns, struct tw_pipe_news *news);

/* The trigger of a retransmission. */
enum tw_ca_trigger {
    TW_CA_BY_ACKS,
    TW_CA_BY_PROBE_TIMER,
    TW_CA_BY_EITHER_TIMER, /* the RTO or a tail loss probe */
    TW_CA_BY_RTO,
};

struct tw_ca_repeat {
    enum tw_ca_trigger trigger;
    int64_t packets;
    uint32_t tsval;
    bool stamped;
};

/* Data was retransmitted; call before the pipe processes it. @return TW_CA_*. */
unsigned tw_ca_repeat(struct tw_ca_state *ca, struct tw_pipe *pipe,
                      const struct tw_ca_repeat *repeat, tcpwhy_ns at_ns);

static inline bool tw_ca_reduces(const struct tw_ca_state *ca)
{
    return ca->state == TW_CA_CWR || ca->state == TW_CA_RECOVERY;
}

#endif
