/* SPDX-License-Identifier: MIT */
#include "ask.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "../batch/archive.h"
#include "../batch/guard.h"
#include "../batch/ledger_kinds.h"
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

/* The percentiles of exchanges, which take most, need 150 bytes each: 28 million. */
#define MOST_MEMORY (INT64_C(4) << 30)

/* Nobody waits longer for an answer who has not said so. */
#define MOST_NS TCPWHY_S(600)

/* Steps of SQLite's machine between two looks at the clock: a millisecond. */
#define STEPS 100000

/* In its header (https://www.sqlite.org/fileformat.html): the version of it that may be read, and
 * that one which has a write-ahead log. */
#define READ_VERSION_AT 19
#define WITH_LOG        2

static int is_over(void *end_us)
{
    return g_get_monotonic_time() > *(const int64_t *)end_us;
}

const char *ask_error(sqlite3 *db)
{
    switch (sqlite3_errcode(db)) {
    case SQLITE_INTERRUPT:
        return "the query takes too long: raise --timeout";
    case SQLITE_NOMEM:
        return "the query needs more than 4 GB of memory";
    default:
        return sqlite3_errmsg(db);
    }
}

/* The first value of the first row, to be freed; NULL when there is none. */
static char *value_of(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *get;
    char *value = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &get, NULL) != SQLITE_OK)
        return NULL;
    if (sqlite3_step(get) == SQLITE_ROW)
        value = g_strdup((const char *)sqlite3_column_text(get, 0));
    sqlite3_finalize(get);
    return value;
}

static bool has_table(sqlite3 *db, const char *name)
{
    char *sql = sqlite3_mprintf("SELECT name FROM main.sqlite_master WHERE name = %Q", name);
    g_autofree char *found = value_of(db, sql);

    sqlite3_free(sql);
    return found != NULL;
}

/* A database in write-ahead mode whose log is gone is whole as it stands; SQLite would make a new
 * log to read it. */
static bool stands_alone(const char *path)
{
    g_autofree char *log = g_strconcat(path, "-wal", NULL);
    char head[READ_VERSION_AT + 1] = "";
    FILE *file = fopen(path, "rbe");
    bool whole = file && fread(head, 1, sizeof(head), file) == sizeof(head);

    if (file)
        fclose(file);
    return whole && head[READ_VERSION_AT] == WITH_LOG && !g_file_test(log, G_FILE_TEST_EXISTS);
}

static sqlite3 *open_database(const char *path)
{
    g_autofree char *name = g_uri_escape_string(path, "/", TRUE);
    g_autofree char *uri =
        g_strdup_printf("file:%s%s", name, stands_alone(path) ? "?immutable=1" : "");
    sqlite3 *db = NULL;

    sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    return db;
}

/* Nothing goes to disk, and what a page says of itself is checked before it is believed. */
static bool prepare(sqlite3 *db)
{
    guard_database(db);
    return sqlite3_exec(db,
                        "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; "
                        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0",
                        NULL, NULL, NULL) == SQLITE_OK;
}

/* @return false when it is none; that has been said. */
static bool is_archive(sqlite3 *db, const char *path)
{
    g_autofree char *version = NULL;
    g_autofree char *expected = g_strdup_printf("%d", ARCHIVE_SQLITE_VERSION);

    if (sqlite3_errcode(db) != SQLITE_OK || !prepare(db) ||
        !(version = value_of(db, "PRAGMA user_version"))) {
        complain("%s: %s: give an archive from 'tcpwhy batch'", path, ask_error(db));
        return false;
    }
    if (strcmp(version, expected) != 0) {
        complain("%s: not an archive of this version: 'tcpwhy batch' writes one", path);
        return false;
    }
    return true;
}

static bool needs_told(const struct question *question)
{
    return strstr(question->sql, " told ") || strstr(question->sql, " copies ");
}

/* Does a question read the table? It names each that it reads, and told and copies are made of
 * connections. */
static bool reads(const struct question *question, const char *table)
{
    return strstr(question->sql, table) ||
           (needs_told(question) &&
            (strcmp(table, "connections") == 0 || strcmp(table, "copies") == 0));
}

static bool is_whole(sqlite3 *db, const char *path, const char *table)
{
    char *sql = sqlite3_mprintf("PRAGMA main.quick_check(%Q)", table);
    g_autofree char *check = value_of(db, sql);

    sqlite3_free(sql);
    if (g_strcmp0(check, "ok") == 0)
        return true;
    complain("%s: damaged: %s: write it again with 'tcpwhy batch'", path,
             check ? check : ask_error(db));
    return false;
}

bool ask_check(sqlite3 *db, const char *path, const struct question *question)
{
    static const struct {
        const char *named, *stored;
    } tables[] = { { "captures", "captures" },   { "connections", "connections" },
                   { "exchanges", "exchanges" }, { "ledger", "ledger_rows" },
                   { "ledger", "ledger_kinds" }, { "failures", "failures" },
                   { "copies", "copies" } };

    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        if ((!question || reads(question, tables[i].named)) && has_table(db, tables[i].stored) &&
            !is_whole(db, path, tables[i].stored))
            return false;
    return true;
}

static bool is_file(const char *path)
{
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        complain("%s: a folder: queries need a SQLite archive (tcpwhy batch ... -o "
                 "archive.sqlite)",
                 path);
    else if (!g_file_test(path, G_FILE_TEST_EXISTS))
        complain("%s: no such file: give an archive from 'tcpwhy batch'", path);
    else if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        complain("%s: a pipe or a device: give an archive from 'tcpwhy batch'", path);
    else
        return true;
    return false;
}

sqlite3 *ask_open(const char *path, tcpwhy_ns most_ns, int64_t *end_us)
{
    sqlite3 *db;

    if (!is_file(path))
        return NULL;
    sqlite3_hard_heap_limit64(MOST_MEMORY);
    db = open_database(path);
    if (!db) {
        complain("%s: not enough memory to open it", path);
        return NULL;
    }
    *end_us = g_get_monotonic_time() + (most_ns ? most_ns : MOST_NS) / 1000;
    sqlite3_progress_handler(db, STEPS, is_over, end_us);
    if (is_archive(db, path))
        return db;
    sqlite3_close(db);
    return NULL;
}

/* In memory beside the archive, which stays as it is. */
static bool make_views(sqlite3 *db, const struct question *question)
{
    return sqlite3_exec(db, "PRAGMA query_only = OFF; CREATE TEMP " LEDGER_VIEW, NULL, NULL,
                        NULL) == SQLITE_OK &&
           (!needs_told(question) ||
            ((has_table(db, "copies") ||
              sqlite3_exec(db, copies_sql, NULL, NULL, NULL) == SQLITE_OK) &&
             sqlite3_exec(db, told_sql, NULL, NULL, NULL) == SQLITE_OK)) &&
           sqlite3_exec(db, "PRAGMA query_only = ON", NULL, NULL, NULL) == SQLITE_OK;
}

sqlite3_stmt *ask(sqlite3 *db, const char *path, const struct question *question,
                  const struct parameters *p)
{
    sqlite3_stmt *statement;

    if (!make_views(db, question) ||
        sqlite3_prepare_v2(db, question->sql, -1, &statement, NULL) != SQLITE_OK) {
        complain("%s: %s", path, ask_error(db));
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
