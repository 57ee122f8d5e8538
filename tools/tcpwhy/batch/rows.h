/* SPDX-License-Identifier: MIT */
/*
 * Rows of a table, a batch at a time and one after the other, from the library's Arrow stream: the
 * one place that looks inside Arrow's structs, for whatever writes rows somewhere.
 */
#ifndef BATCH_ROWS_H
#define BATCH_ROWS_H

#include <tcpwhy/tcpwhy.h>

enum kind { KIND_TEXT, KIND_INTEGER, KIND_REAL, KIND_BOOLEAN };

struct rows {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;        /* released by rows_close(), unless it was taken out */
    const struct ArrowArray *shown; /* the one that is walked */
    int64_t at;                     /* its current row */
    int n_columns;
};

void rows_open(struct rows *rows, tcpwhy_report *report, enum tcpwhy_table table,
               const struct tcpwhy_table_options *options);
/* Go to the next batch, the first one to begin with. @return false at the end. */
bool rows_next_batch(struct rows *rows);
/* Go to the batch's next row, the first one to begin with. @return false at its end. */
bool rows_next(struct rows *rows);
/* Take the batch out; it is released by whoever has it. What memory it needs. */
size_t rows_take_batch(struct rows *rows, struct ArrowArray *batch);
/* Walk a batch that was taken out of the same table; it stays the caller's. */
void rows_show_batch(struct rows *rows, const struct ArrowArray *batch);
void rows_close(struct rows *rows);

const char *rows_name(const struct rows *rows, int column);
enum kind rows_kind(const struct rows *rows, int column);
bool rows_null(const struct rows *rows, int column);
/* Of the column's kind; a boolean is an integer, too. Text is borrowed and not terminated. */
int64_t rows_integer(const struct rows *rows, int column);
double rows_real(const struct rows *rows, int column);
const char *rows_text(const struct rows *rows, int column, int *len);

#endif
