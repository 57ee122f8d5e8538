/* SPDX-License-Identifier: MIT */
/*
 * Puts the values of a row into the columns of a record batch, in order. The kind of a value in the
 * table's list determines conversion and column type.
 */
#ifndef TW_TABLES_PUT_H
#define TW_TABLES_PUT_H

#include "base/array.h"
#include "tables/tables.h"

/* A growing column of a batch. */
struct tw_cells {
    enum tw_type type;
    tw_byte_array *valid;   /* validity bitmap, as in Arrow */
    tw_byte_array *values;  /* 8 bytes per row, 1 bit per row, or concatenated texts */
    tw_byte_array *offsets; /* TW_TEXT: 4 bytes per row, plus one entry */
    int64_t n, nulls;
};

struct tw_put {
    struct tw_cells *cells;
    size_t n_cells;
    size_t next;       /* column of the next value */
    size_t text_bytes; /* total of all columns */
};

/* Null for all remaining columns. */
void tw_put_nulls(struct tw_put *put);
/* Invalid UTF-8 becomes U+FFFD; NULL is null. */
void tw_put_text(struct tw_put *put, const char *text);
void tw_put_int(struct tw_put *put, int64_t value);
/* TCPWHY_NO_STREAM is null. */
void tw_put_stream(struct tw_put *put, uint32_t stream);
/* 0 is null: frame numbers, statuses and file sizes start at 1. */
void tw_put_nonzero(struct tw_put *put, int64_t value);
/* Negative is null: sequence numbers start at 0. */
void tw_put_number(struct tw_put *put, int64_t value);
/* NaN and infinity: null. */
void tw_put_real(struct tw_put *put, double value);
void tw_put_bool(struct tw_put *put, bool value);
/* Nanoseconds as milliseconds or microseconds; unknown is null. */
void tw_put_ms(struct tw_put *put, tcpwhy_ns ns);
void tw_put_us(struct tw_put *put, tcpwhy_ns ns);
/* Since the epoch; unknown is null. */
void tw_put_time(struct tw_put *put, int64_t utc_ns);
/* "10.9.0.2:8080", and "10.9.0.2" alone; no endpoint: null. */
void tw_put_endpoint(struct tw_put *put, const struct tcpwhy_endpoint *endpoint);
void tw_put_address(struct tw_put *put, const struct tcpwhy_endpoint *endpoint);
void tw_put_cause(struct tw_put *put, enum tcpwhy_cause cause);
/* NONE: null. */
void tw_put_rival(struct tw_put *put, enum tcpwhy_cause cause);
void tw_put_party(struct tw_put *put, enum tcpwhy_party party);
void tw_put_confidence(struct tw_put *put, enum tcpwhy_confidence confidence);

/* Convert a time since the capture's first frame to a time since the epoch. */
int64_t tw_utc_ns(const tcpwhy_report *report, tcpwhy_ns since_ns);

#define TW_TYPE_text       TW_TEXT
#define TW_TYPE_int        TW_INT
#define TW_TYPE_stream     TW_INT
#define TW_TYPE_nonzero    TW_INT
#define TW_TYPE_number     TW_INT
#define TW_TYPE_real       TW_REAL
#define TW_TYPE_bool       TW_BOOL
#define TW_TYPE_ms         TW_REAL
#define TW_TYPE_us         TW_REAL
#define TW_TYPE_time       TW_TIME
#define TW_TYPE_endpoint   TW_TEXT
#define TW_TYPE_address    TW_TEXT
#define TW_TYPE_cause      TW_TEXT
#define TW_TYPE_rival      TW_TEXT
#define TW_TYPE_party      TW_TEXT
#define TW_TYPE_confidence TW_TEXT

#define TW_NULLABLE true
#define TW_REQUIRED false

/* A list of columns is a macro LIST(X) of X(kind, NULLABLE or REQUIRED, name, value, what). */
#define TW_COLUMN(kind, null, name, value, what) { #name, TW_TYPE_##kind, TW_##null, what },
#define TW_PUT(kind, null, name, value, what)    tw_put_##kind(put, value);

#endif
