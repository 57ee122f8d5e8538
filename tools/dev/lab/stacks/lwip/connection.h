/* SPDX-License-Identifier: MIT */
#ifndef LAB_CONNECTION_H
#define LAB_CONNECTION_H

#include <lwip/api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "plan.h"

#define COLUMNS 12
/* Rows and notes of one connection at most. */
#define MOST_ROWS  20000
#define MOST_NOTES 20000

struct row {
    int64_t from_ns, until_ns, value[COLUMNS];
};

struct note {
    const char *what;
    int64_t from_ns, until_ns;
    long n;
};

/* A netconn, what its program did, and what lwIP thought of it. */
struct connection {
    pthread_mutex_t lock; /* of conn: NULL once the program has closed it */
    struct netconn *conn;
    struct connection *next;
    char name[64];
    const char *problem;
    bool done;           /* with its steps, or by a problem */
    struct pbuf *unread; /* of what lwIP has handed over */
    u16_t unread_at;
    int64_t begun_ns;
    struct note *notes;
    size_t n_notes;
    struct row *rows;
    size_t n_rows;
};

int64_t now_ns(void);

struct connection *connection_new(struct netconn *conn, const char *name);

/* Go through the steps and close. */
void connection_live(struct connection *c, const struct flow *flow);

/* Note what lwIP thinks of it now, when that is new. */
void connection_sample(struct connection *c);

/* The lines that foreign.py reads. */
void connection_tell_columns(FILE *out);
void connection_tell(struct connection *c, unsigned number, FILE *out);

#endif
