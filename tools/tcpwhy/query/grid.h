/* SPDX-License-Identifier: MIT */
/*
 * The rows that answer a question as a table for people: a row a line, or as many as it needs.
 */
#ifndef QUERY_GRID_H
#define QUERY_GRID_H

#include <sqlite3.h>

#include <tcpwhy/tcpwhy.h>

#include "../output.h"

/* Step the statement to its end. @return false when SQLite refuses to go on. */
bool grid_print(sqlite3_stmt *statement, const struct tcpwhy_render_options *style, unsigned width,
                struct output *output);

#endif
