/* SPDX-License-Identifier: MIT */
/*
 * Values of a row into the columns of a record batch, in the order of the columns. A table's list
 * names the kind of each value; the kind says how the value is put, and which type its column has.
 */
#ifndef TW_TABLES_PUT_H
#define TW_TABLES_PUT_H

#include "tables/tables.h"

/* The growing column of a batch. */
struct tw_cells {
    enum tw_type type;
    GByteArray *valid;   /* a bit a row, as Arrow wants it */
    GByteArray *values;  /* 8 bytes a row, a bit a row, or the bytes of all texts */
    GByteArray *offsets; /* TW_TEXT: 4 bytes a row and one more */
    int64_t n, nulls;
};

struct tw_put {
    struct tw_cells *cells;
    size_t n_cells;
    size_t next;       /* the column whose value is put next */
    size_t text_bytes; /* in all columns */
};

/* null for every column that is left. */
void tw_put_nulls(struct tw_put *put);
/* What is no UTF-8 becomes U+FFFD. NULL is null. */
void tw_put_text(struct tw_put *put, const char *text);
void tw_put_int(struct tw_put *put, int64_t value);
/* 0: null. Frame numbers begin at 1, so do statuses and sizes of files. */
void tw_put_nonzero(struct tw_put *put, int64_t value);
/* NaN and infinity: null. */
void tw_put_real(struct tw_put *put, double value);
void tw_put_bool(struct tw_put *put, bool value);
/* Nanoseconds in milliseconds or microseconds; not known: null. */
void tw_put_ms(struct tw_put *put, tcpwhy_ns ns);
void tw_put_us(struct tw_put *put, tcpwhy_ns ns);
/* Since the epoch; not known: null. */
void tw_put_time(struct tw_put *put, int64_t utc_ns);
/* "10.9.0.2:8080", and "10.9.0.2" alone; no endpoint: null. */
void tw_put_endpoint(struct tw_put *put, const struct tcpwhy_endpoint *endpoint);
void tw_put_address(struct tw_put *put, const struct tcpwhy_endpoint *endpoint);
void tw_put_cause(struct tw_put *put, enum tcpwhy_cause cause);
/* NONE: null. */
void tw_put_rival(struct tw_put *put, enum tcpwhy_cause cause);
void tw_put_party(struct tw_put *put, enum tcpwhy_party party);
void tw_put_confidence(struct tw_put *put, enum tcpwhy_confidence confidence);

/* A time of the report, since the capture's first frame, as a time since the epoch. */
int64_t tw_utc_ns(const tcpwhy_report *report, tcpwhy_ns since_ns);

#define TW_TYPE_text       TW_TEXT
#define TW_TYPE_int        TW_INT
#define TW_TYPE_nonzero    TW_INT
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
