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

/* Makes the tables that questions ask beside the archive's own, unless they are made. */
extern const char told_sql[];

/* The style of the report's page, line by line, ended by NULL. */
extern const char *const page_css[];

#endif
