/* SPDX-License-Identifier: MIT */
/* Columns and their cells as the structs of Arrow's C data interface. */
#ifndef TW_TABLES_ARROW_H
#define TW_TABLES_ARROW_H

#include "tables/put.h"

/* The schema of a table: a struct whose fields are its columns, described in their metadata. */
void tw_arrow_schema(const struct tw_table *table, bool integer_times, struct ArrowSchema *out);

/* A batch of n rows; the cells' buffers move into it. */
void tw_arrow_batch(struct tw_cells *cells, size_t n_cells, int64_t n, struct ArrowArray *out);

#endif
