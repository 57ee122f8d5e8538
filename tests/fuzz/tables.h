/* SPDX-License-Identifier: MIT */
/* Every table of a report, to its last record batch. */
#ifndef TW_TESTS_FUZZ_TABLES_H
#define TW_TESTS_FUZZ_TABLES_H

#include <assert.h>
#include <stdlib.h>

#include <tcpwhy/tables.h>

static void read_table(tcpwhy_report *report, enum tcpwhy_table table, uint8_t batch_rows)
{
    struct tcpwhy_table_options options = TCPWHY_TABLE_INIT;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;

    options.batch_rows = batch_rows;
    if (tcpwhy_table_stream(report, table, &options, &stream) < 0)
        abort();
    if (stream.get_schema(&stream, &schema) != 0)
        abort();
    for (;;) {
        if (stream.get_next(&stream, &array) != 0)
            abort();
        if (!array.release)
            break;
        assert(array.n_children == schema.n_children);
        array.release(&array);
    }
    schema.release(&schema);
    stream.release(&stream);
}

static inline void read_tables(tcpwhy_report *report, uint8_t batch_rows)
{
    for (size_t i = 0; i < tcpwhy_table_count(); i++)
        read_table(report, (enum tcpwhy_table)i, batch_rows);
}

#endif
