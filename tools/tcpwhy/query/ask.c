/* SPDX-License-Identifier: MIT */
#include "ask.h"

#include <string.h>

#include <glib.h>

#include "../complain.h"

const struct question *question_by_name(const char *name)
{
    for (const struct question *q = questions; q->name; q++)
        if (strcmp(q->name, name) == 0)
            return q;
    return NULL;
}

bool question_needs_date(const struct question *question)
{
    return strstr(question->sql, "$date_utc_ns") != NULL;
}

bool question_takes_cause(const struct question *question)
{
    return strstr(question->sql, "$cause") != NULL;
}

static int user_version(sqlite3 *db)
{
    sqlite3_stmt *get;
    int version = -1;

    if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &get, NULL) != SQLITE_OK)
        return -1;
    if (sqlite3_step(get) == SQLITE_ROW)
        version = sqlite3_column_int(get, 0);
    sqlite3_finalize(get);
    return version;
}

sqlite3 *ask_open(const char *path)
{
    sqlite3 *db = NULL;

    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        complain("%s: a folder: queries need a SQLite archive (tcpwhy batch ... -o archive.sqlite)",
                 path);
        return NULL;
    }
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        complain("%s: no such file: give an archive from 'tcpwhy batch'", path);
        return NULL;
    }
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        user_version(db) < 0) {
        complain("%s: %s: give an archive from 'tcpwhy batch'", path, sqlite3_errmsg(db));
    } else if (user_version(db) != TCPWHY_TABLES_VERSION) {
        complain("%s: not an archive of this version: 'tcpwhy batch' writes one", path);
    } else {
        return db;
    }
    sqlite3_close(db);
    return NULL;
}

sqlite3_stmt *ask(sqlite3 *db, const char *path, const struct question *question,
                  const struct parameters *p)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(db, question->sql, -1, &statement, NULL) != SQLITE_OK) {
        complain("%s: %s", path, sqlite3_errmsg(db));
        return NULL;
    }
    /* A name that the question does not have is parameter 0, which is refused and does no harm. */
    sqlite3_bind_int64(statement, sqlite3_bind_parameter_index(statement, "$limit"), p->limit);
    sqlite3_bind_int64(statement, sqlite3_bind_parameter_index(statement, "$date_utc_ns"),
                       p->date_utc_ns);
    sqlite3_bind_text(statement, sqlite3_bind_parameter_index(statement, "$cause"), p->cause, -1,
                      SQLITE_STATIC);
    return statement;
}
