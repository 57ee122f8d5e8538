/* SPDX-License-Identifier: MIT */
/* The rows that answer a question, and how they are shown: their cells for people, as CSV, as JSON
 * lines. */
#ifndef QUERY_ANSWER_H
#define QUERY_ANSWER_H

#include <glib.h>
#include <sqlite3.h>

#include "../args.h"

/* Step the statement to its end. @return false when SQLite or the output refuses to go on. */
bool answer_csv(sqlite3_stmt *statement, struct output *output);
bool answer_ndjson(sqlite3_stmt *statement, struct output *output);

/* A value as a table shows it: "1,234.5", "2026-11-20 05:00:00", "-"; what a terminal would
 * obey is written out. */
char *answer_cell(sqlite3_stmt *statement, int column);
/* "lost ms": the column's name for people. */
char *answer_title(sqlite3_stmt *statement, int column);
bool answer_is_number(sqlite3_stmt *statement, int column);

#endif
