/* SPDX-License-Identifier: MIT */
/*
 * Statements of SQL, shortened, and without the values in them: what remains names the operation.
 */
#ifndef TW_APP_SQL_H
#define TW_APP_SQL_H

#include "base/bytes.h"

/* Longest result, without the NUL; as long as reports show. */
#define TW_SQL_TEXT 200

/* A dialect's strings and comments. */
struct tw_sql_dialect {
    bool backslash;     /* escapes in all strings, not only in E'...' */
    bool quoted_text;   /* "..." is a string, not a name */
    bool hash_comments; /* # begins a comment */
};

/*
 * Write the statement to text, which has room for TW_SQL_TEXT + 4: literals become "?", lists of
 * them one, comments and line ends a space. @param more the statement is longer than sql.
 * @return the length without the NUL.
 */
size_t tw_sql_shorten(char *text, struct tw_bytes sql, struct tw_sql_dialect dialect, bool more);

#endif
