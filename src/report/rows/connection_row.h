/* SPDX-License-Identifier: MIT */
/*
 * One connection's contribution to a report.
 */
#ifndef TW_REPORT_ROWS_CONNECTION_ROW_H
#define TW_REPORT_ROWS_CONNECTION_ROW_H

#include <tcpwhy/tcpwhy.h>

#include "failures/failures.h"
#include "report/facts/probes.h"
#include "report/facts/setup.h"
#include "report/findings/materiality.h"
#include "report/rows/asks.h"
#include "report/rows/connection_counters.h"

/* The lines that a short connection's ledger has, as a rule. */
#define TW_CONNECTION_ROW_LINES 8

/* The events that the setup of a connection has, as a rule. */
#define TW_CONNECTION_ROW_EVENTS 4

struct tw_connection_row {
    const struct tw_connection *connection;
    struct tw_log *log;          /* empty once the report took it */
    bool first;                  /* nothing was reported of this connection before */
    bool data_only;              /* as in struct tw_explanation */
    uint32_t n_leaps;            /* how often the clock was set forward */
    uint32_t first_leap;         /* the frame */
    struct tw_stream_row stream; /* the row; what it points to is owned here until a report takes
                                    it, except its ledger, which stays */
    struct tcpwhy_ledger_entry
        few[TW_CONNECTION_ROW_LINES]; /* the ledger when it has no more lines */
    size_t bytes;                     /* of what it points to */
    uint32_t n_latencies;             /* of complete exchanges */
    tcpwhy_ns latency;                /* when there is one */
    tcpwhy_ns *latencies;             /* when there are more; NULL otherwise */
    tcpwhy_ns *good;                  /* those without answers 5xx; NULL: all of them */
    uint32_t n_unheard;               /* requests without a byte of an answer */
    struct tw_before_asking before_asking;
    struct tw_named_address named;
    struct tw_weight weight; /* of its spans, which need not live on */
    struct tw_asks asks;     /* when its client waited */
    uint16_t only_status;    /* as in struct tcpwhy_report */
    struct tw_failure failure;
    const struct tcpwhy_report *per_connection; /* findings of this connection alone; alone's */
    struct tw_setup setup;                      /* the rest only when it is the first */
    struct tw_probe probe;
    int reset_by;      /* enum tcpwhy_side, or -1 */
    int closed_by;     /* the side that closed first and keeps the ports: enum tcpwhy_side; -1 */
    bool released;     /* a RST ended it, or both sides closed: its end is known */
    uint32_t n_errors; /* answers with a status of 500 and more; the first of them in error */
    struct tw_connection_row_error {
        tcpwhy_ns at_ns, took_ns; /* when its last byte came, since the request */
    } * error;                    /* NULL: none */
    uint32_t n_events;            /* of the setup, in all; and the first of them */
    struct tw_connection_row_event {
        enum tw_setup_event event;
        tcpwhy_ns at_ns;
    } event[TW_CONNECTION_ROW_EVENTS];
    struct tw_connection_counters counters;
};

void tw_connection_row_clear(struct tw_connection_row *conn);

/* Release what a row points to. */
void tw_row_clear(struct tw_stream_row *row);

/* A copy of a ledger, in few when that has room for it. */
const struct tcpwhy_ledger_entry *
tw_ledger_keep(const struct tcpwhy_ledger_entry *ledger, size_t n,
               struct tcpwhy_ledger_entry few[TW_CONNECTION_ROW_LINES]);

/* Report the events of the setup. */
void tw_connection_row_events(const struct tw_connection_row *conn, tw_setup_fn tell, void *user);

static inline const tcpwhy_ns *tw_connection_row_latencies(const struct tw_connection_row *conn)
{
    return conn->latencies ? conn->latencies : &conn->latency;
}

/* Merge more of a connection into its row and log (or NULL); *bytes are those that rows point
 * to. */
void tw_row_merge(struct tw_stream_row *row, struct tw_log *log,
                  const struct tw_connection_row *conn, size_t *bytes);

#endif
