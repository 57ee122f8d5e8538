/* SPDX-License-Identifier: MIT */
/* The questions that "tcpwhy query" knows: data/queries/NAME.sql, put into a table by
 * tools/dev/queries.py.
 */
#ifndef QUERY_QUESTIONS_H
#define QUERY_QUESTIONS_H

struct question {
    const char *name; /* NULL ends the table */
    const char *what; /* what it answers, in a line */
    const char *note; /* what to know when reading the answer */
    const char *sql;
};

extern const struct question questions[];

/* What questions ask beside the archive's tables, unless it is made: which connections several
 * captures hold (a table), and each connection once (a view of both). */
extern const char copies_sql[], told_sql[];

/* The style of the report's page, line by line, ended by NULL. */
extern const char *const page_css[];

#endif
