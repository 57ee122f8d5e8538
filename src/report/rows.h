/* SPDX-License-Identifier: MIT */
/*
 * The streams of a report in the making: all of them, or those that lost most. A row is found again
 * by its number when more is told of its connection.
 */
#ifndef TW_REPORT_ROWS_H
#define TW_REPORT_ROWS_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "log/log.h"

struct tw_rows {
    GArray *stream;   /* struct tcpwhy_stream, which own what they point to */
    GArray *number;   /* uint32_t of each: rising */
    GPtrArray *log;   /* struct tw_log of each; empty when none is kept */
    size_t most;      /* rows kept; 0: all */
    size_t bytes;     /* of what they point to */
    uint32_t n;       /* rows so far, dropped ones among them */
    uint64_t dropped; /* by tw_rows_drop() */
};

void tw_rows_init(struct tw_rows *rows, size_t most);
void tw_rows_copy(struct tw_rows *to, const struct tw_rows *from);
void tw_rows_clear(struct tw_rows *rows);
size_t tw_rows_bytes(const struct tw_rows *rows);

/* Take a row, what it points to (so many bytes), and its log or NULL. It gets the next number. */
void tw_rows_add(struct tw_rows *rows, struct tcpwhy_stream *stream, size_t bytes,
                 struct tw_log *log);
/* NULL when it was not kept. */
struct tcpwhy_stream *tw_rows_find(const struct tw_rows *rows, uint32_t number);

/* The log of a row that is kept; NULL when logs are not. */
struct tw_log *tw_rows_log(const struct tw_rows *rows, const struct tcpwhy_stream *row);

/* Drop the half that lost least. */
void tw_rows_drop(struct tw_rows *rows);

/* No more rows: put them in the order of streams. */
void tw_rows_close(struct tw_rows *rows);

/* Release what one row points to. */
void tw_row_clear(struct tcpwhy_stream *row);

#endif
