/* SPDX-License-Identifier: MIT */
/*
 * The streams of a report while it is built: all, or those that lost most. A row is found by its
 * number when its connection continues. If all are kept they are packed.
 */
#ifndef TW_REPORT_ROWS_ROWS_H
#define TW_REPORT_ROWS_ROWS_H

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/causes.h"
#include "base/slab.h"
#include "report/rows/top_rows.h"
#include "report/rows/connection_row.h"

struct tw_rows {
    tw_array *top;        /* struct tw_top_rows: numbers rise until the close, streams after it */
    struct tw_slab plain; /* rows that are not packed */
    tw_byte_array *room;  /* for packing */
    tw_array *ledger;     /* for unpacking */
    size_t most;          /* rows kept; 0: all */
    size_t bytes;         /* of what they point to */
    uint32_t n;           /* rows so far, dropped ones among them */
    bool logs;            /* rows have logs */
    bool hangs;           /* exchanges, spans, weighings or facts exist besides rows */
    uint64_t dropped;     /* by tw_rows_drop() */
};

/* options say how many rows are kept, and what of each. */
void tw_rows_init(struct tw_rows *rows, const struct tcpwhy_options *options);
void tw_rows_copy(struct tw_rows *to, const struct tw_rows *from);
void tw_rows_clear(struct tw_rows *rows);
/* Their size when given to a report's readers. */
size_t tw_rows_bytes(const struct tw_rows *rows);

/* Add a row with what it points to (its ledger is copied), and its log or NULL. It gets the next
 * number. */
void tw_rows_add(struct tw_rows *rows, struct tw_connection_row *conn, struct tw_log *log);
/* NULL when it was not kept. */
struct tw_top_rows *tw_rows_find(const struct tw_rows *rows, uint32_t number);
/* A bit for each enum tcpwhy_cause in its ledger. */
tw_causes tw_rows_causes(struct tw_rows *rows, const struct tw_top_rows *top);
/* Merge a later part of a connection into its row. */
void tw_rows_merge(struct tw_rows *rows, struct tw_top_rows *top,
                   const struct tw_connection_row *conn);

/* Drop the half that lost least. */
void tw_rows_drop(struct tw_rows *rows);

/* No more rows: put them in the order of streams. */
void tw_rows_close(struct tw_rows *rows);

/* A row; its ledger may be what ledger (struct tcpwhy_ledger_entry) then holds. */
struct tw_stream_row tw_rows_at(const struct tw_rows *rows, guint at, tw_array *ledger);
/* Their logs, when they have any. */
void tw_rows_take_logs(struct tw_rows *rows, tw_ptr_array *logs);
/* Hand all over (struct tw_stream_row, which own what they point to), and release the rows. */
void tw_rows_give(struct tw_rows *rows, tw_array *streams);

#endif
