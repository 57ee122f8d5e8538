/* SPDX-License-Identifier: MIT */
/*
 * A table that fits its page: columns are as wide as their widest cell, those to spare give way
 * first, then the shrinkable ones, then the least needed leave; bars take the room that is left.
 * Rows are asked for twice and never stored.
 */
#ifndef TW_RENDER_WRITERS_TABLE_H
#define TW_RENDER_WRITERS_TABLE_H

#include <stddef.h>

#include "base/text.h"
#include "render/writers/terminal_layout.h"

struct tw_column {
    const char *title;
    bool right;      /* aligned to the right, as numbers are */
    unsigned min;    /* may shrink to this; 0: never shrinks */
    bool spare;      /* left out before another shrinks */
    unsigned leaves; /* the larger, the sooner it is left out; 0: never */
    bool bar;        /* drawn from the row's share; its cell gives the tone only */
};

#define TW_TABLE_MAX_COLUMNS 16

struct tw_table {
    const struct tw_column *columns;
    size_t n_columns;
    size_t n_rows;
    unsigned indent;
    const void *data;
    /* Append a cell's text; *tone begins as plain. */
    void (*cell)(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 tw_string *text, enum tw_tone *tone);
    /* Of a row, for bars; NULL without a bar column. */
    double (*share)(const void *data, size_t row);
};

/* Draws a table: as text the one below, or another that takes what a page writes to. */
typedef void tw_table_fn(struct tw_layout *page, const struct tw_table *table);

void tw_table_draw(struct tw_layout *page, const struct tw_table *table);

#endif
