/* SPDX-License-Identifier: MIT */
/*
 * Rows of a report in the making by what they are ordered by: which of them lost most, and their
 * order in the report.
 */
#ifndef TW_REPORT_ROWS_TOP_ROWS_H
#define TW_REPORT_ROWS_TOP_ROWS_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/array.h"

struct tw_log;

struct tw_top_rows {
    void *row;          /* a struct tw_packed, or as it is where only some are kept */
    struct tw_log *log; /* or NULL */
    tcpwhy_ns loss_ns;  /* to what somebody could change */
    uint32_t stream, number;
};

static inline struct tw_top_rows *tw_top_rows_at(const tw_array *top, guint at)
{
    return &tw_array_index(top, struct tw_top_rows, at);
}

/* The one that lost more first, and among equals the first stream. */
int tw_top_rows_by_loss(const struct tw_top_rows *a, const struct tw_top_rows *b);

/* The last, by loss, of the n that lost most: at least 1, at most all. */
struct tw_top_rows tw_top_rows_last_of_worst(const tw_array *top, guint n);

/* Into the order of streams. */
void tw_top_rows_sort(tw_array *top);

#endif
