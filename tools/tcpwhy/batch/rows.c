/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <assert.h>
#include <errno.h>

#include "../complain.h"

/* An array's structs, and what the allocator makes of its buffers. */
#define COLUMN_BYTES 512

/* A stream of ours knows no other error. */
static void check_stream(int error)
{
    if (error == ENOMEM)
        complain_of_memory();
}

void rows_open(struct rows *rows, tcpwhy_report *report, enum tcpwhy_table table,
               const struct tcpwhy_table_options *options)
{
    int refused;

    *rows = (struct rows) { .n_columns = 0 };
    refused = check_memory(tcpwhy_table_stream(report, table, options, &rows->stream));
    assert(!refused);
    (void)refused;
    check_stream(rows->stream.get_schema(&rows->stream, &rows->schema));
    rows->n_columns = (int)rows->schema.n_children;
}

static void release_batch(struct rows *rows)
{
    if (rows->batch.release)
        rows->batch.release(&rows->batch);
}

bool rows_next_batch(struct rows *rows)
{
    release_batch(rows);
    check_stream(rows->stream.get_next(&rows->stream, &rows->batch));
    rows_show_batch(rows, &rows->batch);
    return rows->batch.release != NULL;
}

bool rows_next(struct rows *rows)
{
    return ++rows->at < rows->shown->length;
}

static size_t column_bytes(const struct rows *rows, int column)
{
    const struct ArrowArray *array = rows->batch.children[column];

    if (rows_kind(rows, column) == KIND_TEXT)
        return (size_t)array->length * sizeof(int32_t) +
               (size_t)((const int32_t *)array->buffers[1])[array->length];
    return (size_t)array->length * sizeof(int64_t);
}

size_t rows_take_batch(struct rows *rows, struct ArrowArray *batch)
{
    size_t bytes = 0;

    for (int i = 0; i < rows->n_columns; i++)
        bytes += COLUMN_BYTES + column_bytes(rows, i);
    *batch = rows->batch;
    rows->batch.release = NULL;
    return bytes;
}

void rows_show_batch(struct rows *rows, const struct ArrowArray *batch)
{
    rows->shown = batch;
    rows->at = -1;
}

void rows_close(struct rows *rows)
{
    release_batch(rows);
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
    return !bit(rows->shown->children[column]->buffers[0], rows->at);
}

int64_t rows_integer(const struct rows *rows, int column)
{
    const void *values = rows->shown->children[column]->buffers[1];

    if (rows_kind(rows, column) == KIND_BOOLEAN)
        return bit(values, rows->at);
    return ((const int64_t *)values)[rows->at];
}

double rows_real(const struct rows *rows, int column)
{
    return ((const double *)rows->shown->children[column]->buffers[1])[rows->at];
}

const char *rows_text(const struct rows *rows, int column, int *len)
{
    const struct ArrowArray *array = rows->shown->children[column];
    const int32_t *offsets = array->buffers[1];

    *len = offsets[rows->at + 1] - offsets[rows->at];
    return (const char *)array->buffers[2] + offsets[rows->at];
}
