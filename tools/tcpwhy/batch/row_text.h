/* SPDX-License-Identifier: MIT */
/* Rows as lines: comma-separated values (RFC 4180), or JSON objects (RFC 8259). */
#ifndef BATCH_ROW_TEXT_H
#define BATCH_ROW_TEXT_H

#include <glib.h>

#include "rows.h"

/* One value. */
struct cell {
    enum kind kind;
    bool null;
    int64_t integer;
    double real;
    const char *text; /* not terminated */
    int len;
};

void cell_csv(const struct cell *cell, GString *out);
void cell_json(const struct cell *cell, GString *out);

/* Null is nothing, an empty text is "". */
void row_csv_header(const struct rows *rows, GString *out);

/* All rows of the batch that is walked. */
void rows_csv(struct rows *rows, GString *out);
void rows_json(struct rows *rows, GString *out);

#endif
