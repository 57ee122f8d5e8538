/* SPDX-License-Identifier: MIT */
/*
 * Rows of a table, one after the other, from the library's Arrow stream: the one place that looks
 * inside Arrow's structs, for whatever writes rows somewhere.
 */
#ifndef BATCH_ROWS_H
#define BATCH_ROWS_H

#include <tcpwhy/tcpwhy.h>

enum kind { KIND_TEXT, KIND_INTEGER, KIND_REAL, KIND_BOOLEAN };

struct rows {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int64_t at; /* the current row of the batch */
    int n_columns;
};

void rows_open(struct rows *rows, tcpwhy_report *report, enum tcpwhy_table table,
               const struct tcpwhy_table_options *options);
/* Go to the next row, the first one to begin with. @return false at the end. */
bool rows_next(struct rows *rows);
void rows_close(struct rows *rows);

const char *rows_name(const struct rows *rows, int column);
enum kind rows_kind(const struct rows *rows, int column);
bool rows_null(const struct rows *rows, int column);
/* Of the column's kind; a boolean is an integer, too. Text is borrowed and not terminated. */
int64_t rows_integer(const struct rows *rows, int column);
double rows_real(const struct rows *rows, int column);
const char *rows_text(const struct rows *rows, int column, int *len);

/* The shortest decimal that reads back as the same number; text has room for 32 bytes. */
void real_text(double value, char *text);

#endif
