/* SPDX-License-Identifier: MIT */
/*
 * An attempt to connect that was not opened: its SYNs, and what came instead of SYN/ACK and ACK.
 */
#ifndef TW_FAILURES_ATTEMPT_H
#define TW_FAILURES_ATTEMPT_H

#include "failures/cut.h"

struct tw_attempt {
    uint32_t syns, syn_acks; /* copies not counted */
    uint32_t first, last;    /* SYNs */
    uint32_t syn_ack;        /* the first, or TW_NO_RECORD */
    uint32_t syns_after;     /* SYNs after it */
    uint32_t challenge;      /* the server's first ACK without SYN before any SYN/ACK ... */
    uint32_t n_challenges;   /* ... and how many */
    uint32_t refusal;        /* the server's RST before any SYN/ACK, or TW_NO_RECORD */
    uint32_t unacceptable;   /* its last RST that acknowledges something else, or TW_NO_RECORD */
    bool opened;             /* the client acknowledged a SYN/ACK, or goes on without */
};

/* @return false where the connection does not begin with the client's SYN. */
bool tw_attempt_read(const struct tw_cut *cut, struct tw_attempt *out);

#endif
