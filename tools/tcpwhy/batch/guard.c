/* SPDX-License-Identifier: MIT */
/* Knows which of SQLite's doors no archive of ours needs (https://www.sqlite.org/security.html). */
#include "guard.h"

#include <stddef.h>

static const struct {
    int name, on;
} doors[] = {
    { SQLITE_DBCONFIG_DEFENSIVE, 1 },
    { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
    { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
    { SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0 },
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW /* 3.30 */
    { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA /* 3.31 */
    { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
#endif
};

/* Twice and more what our statements need: the widest table has some 60 columns, a row a path and
 * some texts, an INSERT 32 rows of them. */
static const struct {
    int id, most;
} limits[] = {
    { SQLITE_LIMIT_LENGTH, 16 << 20 },
    { SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
    { SQLITE_LIMIT_COLUMN, 200 },
    { SQLITE_LIMIT_EXPR_DEPTH, 100 },
    { SQLITE_LIMIT_COMPOUND_SELECT, 10 },
    { SQLITE_LIMIT_VDBE_OP, 1000000 },
    { SQLITE_LIMIT_FUNCTION_ARG, 16 },
    { SQLITE_LIMIT_ATTACHED, 0 },
    { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
    { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
    { SQLITE_LIMIT_WORKER_THREADS, 0 },
};

void guard_database(sqlite3 *db)
{
    for (size_t i = 0; i < sizeof(doors) / sizeof(doors[0]); i++)
        sqlite3_db_config(db, doors[i].name, doors[i].on, NULL);
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        sqlite3_limit(db, limits[i].id, limits[i].most);
}
