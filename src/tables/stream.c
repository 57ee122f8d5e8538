/* SPDX-License-Identifier: MIT */
/* A table as a stream of record batches, one in memory at a time. */
#include <errno.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/options.h"
#include "base/text.h"
#include "tables/arrow.h"

#define DEFAULT_ROWS 8192
/* Text limit of a batch, for 32-bit offsets. */
#define MOST_TEXT_BYTES (8U << 20)

struct stream {
    const struct tw_table *table;
    tcpwhy_report *report;
    struct tw_identity capture;
    char *path, *error;
    bool integer_times;
    bool failed; /* the last call */
    int64_t batch_rows;
    struct tw_row at; /* next row */
};

static size_t n_groups(const struct stream *s)
{
    size_t n = 0;

    if (!s->table->of_streams)
        return 1;
    if (s->report)
        tw_report_streams(s->report, &n);
    return n;
}

/* Advance to an existing row. */
static bool seek(struct stream *s)
{
    for (size_t n = n_groups(s); s->at.i < n; s->at.i++, s->at.j = 0)
        if (s->at.j < s->table->count(&s->at))
            return true;
    return false;
}

/* Preallocate: arrays must not be NULL, and offsets start with 0. */
static void begin_cells(struct tw_cells *cells, enum tw_type type)
{
    static const guint8 zero[4] = { 0 };

    *cells = (struct tw_cells) {
        .type = type,
        .valid = tw_byte_array_sized_new(64),
        .values = tw_byte_array_sized_new(64),
    };
    if (type == TW_TEXT)
        cells->offsets = tw_byte_array_append(tw_byte_array_sized_new(64), zero, sizeof(zero));
}

static void put_batch(struct stream *s, struct ArrowArray *out)
{
    size_t n_cells = s->table->n_columns;
    struct tw_put put = { .n_cells = n_cells };
    int64_t n;

    put.cells = tw_new(struct tw_cells, n_cells);
    for (size_t i = 0; i < n_cells; i++)
        begin_cells(&put.cells[i], s->table->columns[i].type);
    for (n = 0; n < s->batch_rows && put.text_bytes < MOST_TEXT_BYTES && seek(s); n++) {
        put.next = 0;
        s->table->put(&s->at, &put);
        s->at.j++;
    }
    tw_arrow_batch(put.cells, n_cells, n, out);
    tw_free(put.cells);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct stream *s = stream->private_data;
    const struct tw_row at = s->at;
    struct tw_guard guard;

    memset(out, 0, sizeof(*out));
    s->failed = false;
    if (TW_FAILED(guard)) {
        memset(out, 0, sizeof(*out));
        s->at = at;
        s->failed = true;
        return ENOMEM;
    }
    tw_call_begin(&guard);
    if (seek(s)) /* a released array marks the end */
        put_batch(s, out);
    tw_call_end(&guard);
    return 0;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    struct stream *s = stream->private_data;
    struct tw_guard guard;

    s->failed = false;
    if (TW_FAILED(guard)) {
        memset(out, 0, sizeof(*out));
        s->failed = true;
        return ENOMEM;
    }
    tw_call_begin(&guard);
    tw_arrow_schema(s->table, s->integer_times, out);
    tw_call_end(&guard);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const struct stream *s = stream->private_data;

    return s->failed ? tcpwhy_strerror(TCPWHY_ERR_MEMORY) : NULL;
}

static void release(struct ArrowArrayStream *stream)
{
    struct stream *s = stream->private_data;

    tcpwhy_report_free(s->report);
    tw_free(s->path);
    tw_free(s->error);
    tw_free(s);
    stream->release = NULL;
}

static int64_t known_time(int64_t ns)
{
    return ns ? ns : TCPWHY_NS_UNKNOWN;
}

static struct stream *new_stream(tcpwhy_report *report, const struct tw_table *table,
                                 const struct tcpwhy_table_options *how)
{
    struct stream *s = tw_new0(struct stream, 1);

    s->table = table;
    s->report = report;
    s->path = tw_strdup(how->path ? how->path : report->capture.file);
    s->error = report ? NULL : tw_strdup(how->error ? how->error : "not analysed");
    s->integer_times = how->integer_times;
    s->batch_rows = how->batch_rows ? how->batch_rows : DEFAULT_ROWS;
    s->capture = (struct tw_identity) {
        .path = s->path,
        .error = s->error,
        .size_bytes = how->size_bytes,
        .modified_ns = known_time(how->modified_ns),
        .files = how->files ? how->files : 1,
    };
    tcpwhy_capture_id(s->path, s->capture.id);
    s->at = (struct tw_row) { .report = report, .capture = &s->capture };
    return s;
}

int tcpwhy_table_stream(tcpwhy_report *report, enum tcpwhy_table table,
                        const struct tcpwhy_table_options *options, struct ArrowArrayStream *out)
{
    struct tcpwhy_table_options how;
    struct tw_guard guard;

    if (!out)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&how, sizeof how, options) || !tw_table(table) || (!report && !how.path))
        return TCPWHY_ERR_ARGUMENT;
    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    *out = (struct ArrowArrayStream) {
        .get_schema = get_schema,
        .get_next = get_next,
        .get_last_error = get_last_error,
        .release = release,
        .private_data = new_stream(report, tw_table(table), &how),
    };
    tw_report_hold(report);
    tw_call_end(&guard);
    return 0;
}
