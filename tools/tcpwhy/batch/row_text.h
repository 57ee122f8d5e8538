/* SPDX-License-Identifier: MIT */
/* A row as a line: comma-separated values (RFC 4180), or a JSON object (RFC 8259). */
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
void row_csv(const struct rows *rows, GString *out);

void row_json(const struct rows *rows, GString *out);

#endif
