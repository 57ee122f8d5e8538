/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/tables: each table is one file with one list of columns, which defines names,
 * types, descriptions and values.
 */
#ifndef TW_TABLES_H
#define TW_TABLES_H

#include <tcpwhy/tables.h>

#include "report/report.h"

/* Arrow types in use; few, so that every database supports them. */
enum tw_type { TW_TEXT, TW_INT, TW_REAL, TW_BOOL, TW_TIME };

struct tw_column {
    const char *name;
    enum tw_type type;
    bool nullable;
    const char *what; /* description, with the unit unless the name has it */
};

/* The capture of all rows. Texts belong to the stream. */
struct tw_identity {
    char id[TCPWHY_CAPTURE_ID_TEXT];
    const char *path, *error;
    int64_t size_bytes, modified_ns;
    uint32_t files;
};

/* Row position: i-th stream, and j-th item of the table in it. */
struct tw_row {
    const tcpwhy_report *report; /* NULL: the analysis failed */
    const struct tw_identity *capture;
    size_t i, j;
};

static inline const struct tw_stream_row *tw_row_stream(const struct tw_row *row)
{
    size_t n;

    return &tw_report_streams(row->report, &n)[row->i];
}

struct tw_put;

struct tw_table {
    const char *name;
    const struct tw_column *columns;
    size_t n_columns;
    bool of_streams; /* rows belong to streams: count gives the number for the i-th */
    size_t (*count)(const struct tw_row *row);
    void (*put)(const struct tw_row *row, struct tw_put *put);
};

/* In the order of enum tcpwhy_table. */
extern const struct tw_table tw_table_captures, tw_table_connections, tw_table_exchanges,
    tw_table_findings, tw_table_ledger, tw_table_failures;

const struct tw_table *tw_table(enum tcpwhy_table table);

#endif
