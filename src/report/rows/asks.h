/* SPDX-License-Identifier: MIT */
/*
 * When a connection's client waited for its server: what the client's host may have been doing
 * while somebody else waited for that host.
 */
#ifndef TW_REPORT_ROWS_ASKS_H
#define TW_REPORT_ROWS_ASKS_H

#include "app/app.h"
#include "log/log.h"
#include "report/facts/setup.h"

/* Times at the vantage: one that sees both connections of a proxy sees them in their causal order.
 */
struct tw_ask {
    tcpwhy_ns from_ns;  /* the request, or the first SYN */
    tcpwhy_ns first_ns; /* the first byte of the answer, or what ended the wait for one */
    tcpwhy_ns to_ns;    /* its last byte */
};

struct tw_asks {
    struct tw_ask *ask; /* in their order; NULL without any */
    uint32_t n, capacity;
};

/*
 * Waits that are long enough to matter. Short ones that follow each other closely count as one:
 * queries one after the other.
 */
void tw_asks_read(const struct tw_log *log, const struct tw_exchanges *exchanges,
                  const struct tw_setup *setup, struct tw_asks *out);
void tw_asks_clear(struct tw_asks *asks);

#endif
