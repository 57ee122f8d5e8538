/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void rows_open(struct rows *rows, tcpwhy_report *report, enum tcpwhy_table table,
               const struct tcpwhy_table_options *options)
{
    int refused;

    *rows = (struct rows) { .at = -1 };
    refused = tcpwhy_table_stream(report, table, options, &rows->stream);
    assert(!refused);
    (void)refused;
    rows->stream.get_schema(&rows->stream, &rows->schema);
    rows->n_columns = (int)rows->schema.n_children;
}

bool rows_next(struct rows *rows)
{
    if (rows->batch.release && ++rows->at < rows->batch.length)
        return true;
    if (rows->batch.release)
        rows->batch.release(&rows->batch);
    rows->stream.get_next(&rows->stream, &rows->batch);
    rows->at = 0;
    return rows->batch.release != NULL;
}

void rows_close(struct rows *rows)
{
    if (rows->batch.release)
        rows->batch.release(&rows->batch);
    rows->schema.release(&rows->schema);
    rows->stream.release(&rows->stream);
}

const char *rows_name(const struct rows *rows, int column)
{
    return rows->schema.children[column]->name;
}

enum kind rows_kind(const struct rows *rows, int column)
{
    switch (rows->schema.children[column]->format[0]) {
    case 'u':
        return KIND_TEXT;
    case 'g':
        return KIND_REAL;
    case 'b':
        return KIND_BOOLEAN;
    default:
        return KIND_INTEGER;
    }
}

static bool bit(const void *bits, int64_t at)
{
    return ((const uint8_t *)bits)[at / 8] >> at % 8 & 1;
}

bool rows_null(const struct rows *rows, int column)
{
    return !bit(rows->batch.children[column]->buffers[0], rows->at);
}

int64_t rows_integer(const struct rows *rows, int column)
{
    const void *values = rows->batch.children[column]->buffers[1];

    if (rows_kind(rows, column) == KIND_BOOLEAN)
        return bit(values, rows->at);
    return ((const int64_t *)values)[rows->at];
}

double rows_real(const struct rows *rows, int column)
{
    return ((const double *)rows->batch.children[column]->buffers[1])[rows->at];
}

const char *rows_text(const struct rows *rows, int column, int *len)
{
    const struct ArrowArray *array = rows->batch.children[column];
    const int32_t *offsets = array->buffers[1];

    *len = offsets[rows->at + 1] - offsets[rows->at];
    return (const char *)array->buffers[2] + offsets[rows->at];
}

void real_text(double value, char *text)
{
    snprintf(text, 32, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, 32, "%.17g", value);
}
