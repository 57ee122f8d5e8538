/* SPDX-License-Identifier: MIT */
/*
 * The setup of one connection: its SYNs, the answers to them and their senders, and whether the
 * client received an answer.
 */
#ifndef TW_REPORT_FACTS_SETUP_H
#define TW_REPORT_FACTS_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "log/log.h"

enum tw_setup_outcome {
    TW_SETUP_UNSEEN,    /* began before the capture */
    TW_SETUP_SILENT,    /* nobody answered */
    TW_SETUP_REFUSED,   /* RST, or an ICMP error */
    TW_SETUP_HALF_OPEN, /* answered, and the client never acknowledged that */
    TW_SETUP_OPEN,
};

/* Kinds of refusal. */
enum tw_refusal {
    TW_REFUSED_RESET,       /* RST: nobody listens, or a filter says so */
    TW_REFUSED_FILTER,      /* ICMP: a filter rejects */
    TW_REFUSED_UNREACHABLE, /* ICMP: a router knows no way, or finds nobody */
};

/* A SYN may have more than opens a connection, for which a box may drop it. A retransmission goes
 * without. */
enum tw_syn_extra {
    TW_SYN_ECN,  /* asks for ECN (RFC 3168, 6.1.1) */
    TW_SYN_DATA, /* carries data (Fast Open: RFC 7413) */
    TW_N_SYN_EXTRAS
};

struct tw_setup {
    enum tw_setup_outcome outcome;
    enum tw_refusal refusal;       /* with TW_SETUP_REFUSED */
    tcpwhy_ns syn_ns, last_syn_ns; /* of the client, before it was answered for good */
    tcpwhy_ns answer_ns;           /* the first SYN/ACK or RST; unknown */
    tcpwhy_ns spoke_ns;            /* the server's program: its first data, or FIN; unknown */
    uint32_t syns;                 /* copies of a captured frame left out */
    uint32_t unanswered;           /* SYNs with another after them and no answer between */
    uint32_t extra_syns[TW_N_SYN_EXTRAS];       /* of syns, those with that ... */
    uint32_t extra_unanswered[TW_N_SYN_EXTRAS]; /* ... and of unanswered */
    uint8_t last_extras;                        /* of the last SYN, by bit */
    bool stamped;                               /* the first SYN has a timestamp: */
    uint32_t syn_tsval;
    bool last_open;     /* the last SYN has no answer either, so far */
    bool answer_lost;   /* a SYN came again although it had been answered */
    bool overflow;      /* a SYN/ACK came again although it had been acknowledged */
    bool overflow_idle; /* and the client had sent no data by then */
    bool set_aside;     /* nothing came after an acknowledged SYN/ACK (log/set_aside.h) */
    bool challenged;    /* the server answered the SYN with an ACK of something older */
};

enum tw_setup_event {
    TW_EVENT_SYN,
    TW_EVENT_SYN_AGAIN,
    TW_EVENT_UNANSWERED,
    TW_EVENT_REFUSED,
    TW_EVENT_OPENED
};

/* Called for each event in order of discovery: an unanswered SYN is known at the next one. */
typedef void (*tw_setup_fn)(void *user, enum tw_setup_event event, tcpwhy_ns at_ns);

/* Read the start of a log; tell may be NULL. ip_version selects the ICMP codes. */
void tw_setup_read(const struct tw_log *log, uint8_t ip_version, struct tw_setup *out,
                   tw_setup_fn tell, void *user);

/* The side that sent the connection's first RST after its setup: enum tcpwhy_side, or -1. */
int tw_setup_reset_by(const struct tw_connection *connection, const struct tw_log *log,
                      const struct tw_setup *setup);

#endif
