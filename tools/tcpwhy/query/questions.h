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

/* Statements that make, beside the archive's tables and unless they are there, a table of the
 * connections that several captures hold, and a view of each connection once. */
extern const char copies_sql[], told_sql[];

/* The style of the report's page, line by line, ended by NULL. */
extern const char *const page_css[];

#endif
