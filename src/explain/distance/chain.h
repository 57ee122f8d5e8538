/* SPDX-License-Identifier: MIT */
/*
 * A chain: exchanges that a program does one after another without a person in between. It ends
 * where the client pauses for longer than a program does.
 */
#ifndef TW_EXPLAIN_DISTANCE_CHAIN_H
#define TW_EXPLAIN_DISTANCE_CHAIN_H

#include "explain/model/context.h"

struct tw_chain {
    uint32_t first, end;    /* its spans */
    uint32_t exchanges;     /* that begin in it */
    uint32_t tls_exchanges; /* of those, of a TLS handshake */
    bool connects;          /* it begins with the handshake */
    tcpwhy_ns way_ns;       /* propagation within it: handshake and turns */
    tcpwhy_ns connect_ns;   /* the handshake's part of that */
    tcpwhy_ns think_ns;     /* the server's think time */
    tcpwhy_ns pace_ns;      /* in which a sender spread an answer over the round trip */
    tcpwhy_ns all_ns;       /* from its begin to its end */
};

/* The state of the search. */
struct tw_chain_search {
    const struct tw_context *context;
    const struct tw_explanation *explanation;
    uint32_t span, exchange; /* the next span and exchange */
};

/* The next chain of the connection. @return false: there is none. */
bool tw_chain_next(struct tw_chain_search *search, struct tw_chain *out);

#endif
