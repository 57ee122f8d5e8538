/* SPDX-License-Identifier: MIT */
/*
 * Stores, reports and releases what a connection's row points to.
 */
#include "report/rows/connection_row.h"

#include <string.h>

#include "base/memory.h"

const struct tcpwhy_ledger_entry *
tw_ledger_keep(const struct tcpwhy_ledger_entry *ledger, size_t n,
               struct tcpwhy_ledger_entry few[TW_CONNECTION_ROW_LINES])
{
    if (n > TW_CONNECTION_ROW_LINES)
        return tw_memdup2(ledger, n * sizeof *ledger);
    memcpy(few, ledger, n * sizeof *few);
    return few;
}

void tw_connection_row_events(const struct tw_connection_row *conn, tw_setup_fn tell, void *user)
{
    struct tw_setup setup;

    if (conn->n_events > TW_CONNECTION_ROW_EVENTS) {
        tw_setup_read(conn->log, conn->connection->tuple.version, &setup, tell, user);
        return;
    }
    for (uint32_t i = 0; i < conn->n_events; i++)
        tell(user, conn->event[i].event, conn->event[i].at_ns);
}

/* Most are NULL, and not worth the call. */
static void release(const void *block)
{
    if (block)
        tw_free((gpointer)(uintptr_t)block);
}

void tw_row_clear(struct tw_stream_row *row)
{
    release(row->ledger);
    release(row->exchanges);
    release(row->spans);
    release(row->weighings);
    release(row->facts);
    release(row->called);
    row->ledger = NULL;
    row->exchanges = NULL;
    row->spans = NULL;
    row->weighings = NULL;
    row->facts = NULL;
    row->called = NULL;
}

void tw_connection_row_clear(struct tw_connection_row *conn)
{
    if (conn->stream.ledger == conn->few)
        conn->stream.ledger = NULL;
    tw_row_clear(&conn->stream);
    tw_weight_clear(&conn->weight);
    tw_asks_clear(&conn->asks);
    tw_connection_counters_clear(&conn->counters);
    release(conn->latencies);
    release(conn->error);
    release(conn->good);
}
