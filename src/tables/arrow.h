/* SPDX-License-Identifier: MIT */
/* Columns and cells as structs of the Arrow C data interface. */
#ifndef TW_TABLES_ARROW_H
#define TW_TABLES_ARROW_H

#include "tables/put.h"

/* The schema of a table: a struct with columns as fields, and descriptions as metadata. */
void tw_arrow_schema(const struct tw_table *table, bool integer_times, struct ArrowSchema *out);

/* A batch of n rows; takes ownership of the cells' buffers. */
void tw_arrow_batch(struct tw_cells *cells, size_t n_cells, int64_t n, struct ArrowArray *out);

#endif
