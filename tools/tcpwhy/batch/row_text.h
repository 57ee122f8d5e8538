/* SPDX-License-Identifier: MIT */
/* A row as a line: comma-separated values (RFC 4180), or a JSON object (RFC 8259). */
#ifndef BATCH_ROW_TEXT_H
#define BATCH_ROW_TEXT_H

#include <glib.h>

#include "rows.h"

/* Null is nothing, an empty text is "". */
void row_csv_header(const struct rows *rows, GString *out);
void row_csv(const struct rows *rows, GString *out);

void row_json(const struct rows *rows, GString *out);

#endif
