/* SPDX-License-Identifier: MIT */
/*
 * A chain: what a program does without a person in between, one exchange after the other. It ends
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
    tcpwhy_ns way_ns;       /* in it, of the handshake and between turns */
    tcpwhy_ns connect_ns;   /* of that, of the handshake */
    tcpwhy_ns think_ns;     /* the server's own */
    tcpwhy_ns all_ns;       /* from its begin to its end */
};

/* The search stands here. */
struct tw_chain_search {
    const struct tw_context *context;
    const struct tw_explanation *explanation;
    uint32_t span, exchange; /* the next ones */
};

/* The next chain of the connection. @return false: there is none. */
bool tw_chain_next(struct tw_chain_search *search, struct tw_chain *out);

#endif
