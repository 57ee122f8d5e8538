/* SPDX-License-Identifier: MIT */
/** @file
 * A report as five tables, for databases and data frames. Rows are read through the Arrow C stream
 * interface (https://arrow.apache.org/docs/format/CStreamInterface.html), which Python, DuckDB,
 * polars and Spark read without copies. Columns are described in docs/schema.md and, with the same
 * words, in each field's metadata.
 */
#ifndef TCPWHY_TABLES_H
#define TCPWHY_TABLES_H

#include <tcpwhy/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The structs of Arrow's C data and C stream interfaces. Whoever else declares them uses the same
 * guards, and their layout never changes.
 */
/** @cond described at https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/** @endcond */

/** Version of the columns: it rises if one changes its meaning, type or name. */
#define TCPWHY_TABLES_VERSION 1

/** Tables, by what a row stands for. */
enum tcpwhy_table {
    TCPWHY_TABLE_CAPTURES = 0,    /**< a capture; rotated files that were read as one are one. */
    TCPWHY_TABLE_CONNECTIONS = 1, /**< a connection. */
    TCPWHY_TABLE_EXCHANGES = 2,   /**< a request and its response (needs keep_exchanges). */
    TCPWHY_TABLE_FINDINGS = 3,    /**< a cause at an endpoint, with the frames that prove it. */
    TCPWHY_TABLE_LEDGER = 4,      /**< the time of one connection that one cause and party took. */
    TCPWHY_TABLE_FAILURES = 5,    /**< a connection that failed, with frames and clues. */
};

/** "captures", "connections" ... Static storage. */
TCPWHY_API const char *tcpwhy_table_name(enum tcpwhy_table table);

/** Number of tables; they are numbered from 0. Threads: any. */
TCPWHY_API size_t tcpwhy_table_count(void);

/**
 * Look up a table by its name. @param out  set if there is one, else unchanged. @return whether
 * there is one. Threads: any.
 */
TCPWHY_API bool tcpwhy_table_by_name(const char *name, enum tcpwhy_table *out);

/** Length of the text of tcpwhy_capture_id() with its NUL. */
#define TCPWHY_CAPTURE_ID_TEXT 17

/**
 * The value of capture_id for a capture of that path: the first 16 hexadecimal digits of the
 * path's SHA-256, so that every tool that knows the path knows the id, without reading the file.
 *
 * @param text  at least TCPWHY_CAPTURE_ID_TEXT bytes.
 * @return text; NULL when one of the two is NULL.
 */
TCPWHY_API char *tcpwhy_capture_id(const char *path, char *text);

/** Options of a table: what its report does not know of the capture. Start from TCPWHY_TABLE_INIT.
 */
struct tcpwhy_table_options {
    size_t struct_size; /**< sizeof(struct tcpwhy_table_options). */
    const char
        *path; /**< path of the file, from which capture_id follows; NULL: as in the report. */
    const char *error;   /**< why there is no report; ignored if there is one. */
    int64_t size_bytes;  /**< size of the file; 0: unknown. */
    int64_t modified_ns; /**< last change of the file, since the epoch, UTC; 0: unknown. */
    uint32_t files;      /**< number of files that were read as one; 0: 1. */
    uint32_t batch_rows; /**< most rows of a record batch; 0: 8192. */
    bool integer_times; /**< write times as int64 instead of timestamp[ns, UTC], for readers without
                           nanoseconds such as Spark. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_TABLE_INIT                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_table_options)                                         \
    }

/**
 * Open a table of a report as a stream of record batches.
 *
 * @param report   may be released before the stream is: the stream holds on to it. NULL for a
 *                 capture that could not be analysed, which has one row in captures, with
 *                 options->error, and none elsewhere.
 * @param options  NULL for defaults (not without a report); copied.
 * @param out      set on success; the caller releases it with out->release(out). What it hands out
 *                 is released by itself, as Arrow says, also after the stream.
 * @return 0, TCPWHY_ERR_MEMORY (the stream itself returns ENOMEM, and goes on with the same rows
 * when it is asked again), TCPWHY_ERR_ARGUMENT when there is no such table, or neither report nor
 * path; TCPWHY_ERR_USAGE when out is NULL.
 *
 * Threads: a stream belongs to one thread at a time; several streams of a report are independent.
 */
TCPWHY_API int tcpwhy_table_stream(tcpwhy_report *report, enum tcpwhy_table table,
                                   const struct tcpwhy_table_options *options,
                                   struct ArrowArrayStream *out);

#ifdef __cplusplus
}
#endif

#endif
