/* SPDX-License-Identifier: MIT */
/*
 * An archive as a SQLite database: a transaction a capture, in write-ahead mode, so that a process
 * that is killed leaves whole captures only. batch_files says which files are in it.
 *
 * Each row names its capture, and each row of the ledger its texts. Both are stored as numbers,
 * which takes a fourth off an archive: capture_id counts captures in the order in which a run
 * takes them, whichever is ready first, and what it is in other forms stands once, as
 * captures.capture_hash; the texts stand in ledger_kinds, and the ledger is a view.
 */
#include "archive.h"

#include <inttypes.h>
#include <string.h>

#include <sqlite3.h>

#include "../query/questions.h"
#include "guard.h"
#include "ledger_kinds.h"
#include "rows.h"

struct table {
    struct rows rows;                   /* walks what is written */
    sqlite3_stmt *insert, *insert_many; /* a row; n_many rows */
    int n_many;
};

struct database {
    sqlite3 *db;
    sqlite3_stmt *insert_file;
    struct table table[N_TABLES];
    struct ledger_kinds kinds;
    int64_t last_id;    /* the greatest capture_id before this run */
    int64_t capture_id; /* of the capture that is written */
    bool failed;        /* once, which has been said */
};

/* A statement for many rows does once what each does that is for one: a fifth of the time. */
#define ROWS_AT_ONCE 32

/* The longest that a reader may hold up what cannot be done beside it. */
#define READER_MS 5000

/* The log goes to disk and into the database every 64 MB. A capture's rows stand together: more
 * cache than 16 MB makes nothing faster. No file is written but the archive and its log. */
#define SETTINGS                                                                                   \
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16384; "  \
    "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY"

/* Keys that joins and deletes look for. A table with a key is stored in its order: indexes besides
 * were a third of an archive. The ledger is always read as a whole. */
static const char *const keys[N_TABLES] = {
    [TCPWHY_TABLE_CAPTURES] = "capture_id",
    [TCPWHY_TABLE_CONNECTIONS] = "capture_id, stream",
    [TCPWHY_TABLE_EXCHANGES] = "capture_id, stream, exchange",
    [TCPWHY_TABLE_FINDINGS] = "capture_id, finding",
    [TCPWHY_TABLE_FAILURES] = "capture_id, failure",
};

/* The tables beside those that the library describes. */
#define OTHER_TABLES                                                                               \
    "CREATE TABLE IF NOT EXISTS batch_files (path TEXT NOT NULL PRIMARY KEY, capture_id INTEGER "  \
    "NOT NULL, size_bytes INTEGER NOT NULL, modified_utc_ns INTEGER NOT NULL, failed BOOLEAN NOT " \
    "NULL); " LEDGER_KINDS_TABLE "; CREATE " LEDGER_VIEW

/* The connections that several captures hold, for the questions (copies.sql): kept as long as no
 * capture is added or removed. To find them takes 116 bytes a connection (measured with 312,000),
 * of memory that no bound of the user's counts: in larger archives each question finds them. */
#define COPIES_MOST 2000000
#define COPIES_TABLE                                                                               \
    "CREATE TABLE copies (capture_id INTEGER NOT NULL, stream INTEGER NOT NULL, told_by TEXT NOT " \
    "NULL, place INTEGER NOT NULL, PRIMARY KEY (capture_id, stream)) WITHOUT ROWID"

static bool fail(const struct archive *archive)
{
    struct database *d = archive->state;

    d->failed = true;
    return archive_refuse(archive, "SQLite: %s", sqlite3_errmsg(d->db));
}

static bool run(const struct archive *archive, const char *sql)
{
    const struct database *d = archive->state;

    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(archive);
}

static const char *type_word(enum kind kind)
{
    static const char *const words[] = { [KIND_TEXT] = "TEXT",
                                         [KIND_INTEGER] = "INTEGER",
                                         [KIND_REAL] = "REAL",
                                         [KIND_BOOLEAN] = "BOOLEAN" };

    return words[kind];
}

static const char *stored_name(enum tcpwhy_table table)
{
    return table == TCPWHY_TABLE_LEDGER ? "ledger_rows" : tcpwhy_table_name(table);
}

/* Is the column one of those that the number of a kind stands for? */
static bool is_in_kind(enum tcpwhy_table table, int column)
{
    return table == TCPWHY_TABLE_LEDGER && column >= KIND_FIRST_COLUMN &&
           column < KIND_FIRST_COLUMN + KIND_N_COLUMNS;
}

static int n_stored_columns(enum tcpwhy_table table, const struct rows *rows)
{
    switch (table) {
    case TCPWHY_TABLE_CAPTURES:
        return rows->n_columns + 1;
    case TCPWHY_TABLE_LEDGER:
        return rows->n_columns - KIND_N_COLUMNS + 1;
    default:
        return rows->n_columns;
    }
}

static void describe_column(GString *sql, enum tcpwhy_table table, const struct rows *rows, int i)
{
    bool nullable = rows->schema.children[i]->flags & ARROW_FLAG_NULLABLE;

    if (i == 0)
        g_string_append(sql, "capture_id INTEGER NOT NULL");
    else if (!is_in_kind(table, i))
        g_string_append_printf(sql, ", %s %s%s", rows_name(rows, i), type_word(rows_kind(rows, i)),
                               nullable ? "" : " NOT NULL");
    else if (i == KIND_FIRST_COLUMN)
        g_string_append(sql, ", kind INTEGER NOT NULL");
}

/* Make a table as the library describes it, with numbers where the archive has them. */
static bool create_table(struct archive *archive, enum tcpwhy_table table, const struct rows *rows)
{
    g_autoptr(GString) sql = g_string_new(NULL);

    g_string_printf(sql, "CREATE TABLE IF NOT EXISTS %s (", stored_name(table));
    for (int i = 0; i < rows->n_columns; i++)
        describe_column(sql, table, rows, i);
    if (table == TCPWHY_TABLE_CAPTURES)
        g_string_append(sql, ", capture_hash TEXT NOT NULL");
    if (keys[table])
        g_string_append_printf(sql, ", PRIMARY KEY (%s)) WITHOUT ROWID", keys[table]);
    else
        g_string_append_c(sql, ')');
    return run(archive, sql->str);
}

/* An INSERT of so many rows. One that cannot be ends the run: SQLite need not remember how to undo
 * the statement alone, for which it would write a file. */
static bool prepare_insert(const struct archive *archive, enum tcpwhy_table table, int n_rows,
                           sqlite3_stmt **insert)
{
    struct database *d = archive->state;
    int n_columns = n_stored_columns(table, &d->table[table].rows);
    g_autoptr(GString) sql = g_string_new(NULL);

    g_string_printf(sql, "INSERT OR ROLLBACK INTO %s VALUES ", stored_name(table));
    for (int row = 0; row < n_rows; row++) {
        g_string_append(sql, row ? ", (?" : "(?");
        for (int i = 1; i < n_columns; i++)
            g_string_append(sql, ", ?");
        g_string_append_c(sql, ')');
    }
    return sqlite3_prepare_v2(d->db, sql->str, -1, insert, NULL) == SQLITE_OK || fail(archive);
}

static bool open_table(struct archive *archive, enum tcpwhy_table which)
{
    const struct tcpwhy_table_options nothing = { .struct_size = sizeof(nothing),
                                                  .path = "",
                                                  .integer_times = true };
    struct database *d = archive->state;
    struct table *table = &d->table[which];
    int most = sqlite3_limit(d->db, SQLITE_LIMIT_VARIABLE_NUMBER, -1);

    rows_open(&table->rows, NULL, which, &nothing);
    table->n_many = MIN(ROWS_AT_ONCE, most / n_stored_columns(which, &table->rows));
    return create_table(archive, which, &table->rows) &&
           prepare_insert(archive, which, 1, &table->insert) &&
           prepare_insert(archive, which, table->n_many, &table->insert_many);
}

/* The first number that a statement gives. @return false when SQLite could not. */
static bool get_number(const struct archive *archive, const char *sql, int64_t *number)
{
    const struct database *d = archive->state;
    sqlite3_stmt *get;
    bool done;

    *number = 0;
    if (sqlite3_prepare_v2(d->db, sql, -1, &get, NULL) != SQLITE_OK)
        return fail(archive);
    done = sqlite3_step(get) == SQLITE_ROW;
    if (done)
        *number = sqlite3_column_int64(get, 0);
    sqlite3_finalize(get);
    return done || fail(archive);
}

static bool read_known(struct archive *archive)
{
    struct database *d = archive->state;
    sqlite3_stmt *files;
    int code;

    if (sqlite3_prepare_v2(
            d->db,
            "SELECT f.path, c.capture_hash, f.size_bytes, f.modified_utc_ns, f.failed "
            "FROM batch_files AS f JOIN captures AS c ON c.capture_id = f.capture_id",
            -1, &files, NULL) != SQLITE_OK)
        return fail(archive);
    while ((code = sqlite3_step(files)) == SQLITE_ROW)
        archive_know(archive, (const char *)sqlite3_column_text(files, 0),
                     (const char *)sqlite3_column_text(files, 1), sqlite3_column_int64(files, 2),
                     sqlite3_column_int64(files, 3), sqlite3_column_int(files, 4) != 0);
    sqlite3_finalize(files);
    return code == SQLITE_DONE || fail(archive);
}

/* The version is SQLite's user_version; 0 is a new database. */
static bool check_version(struct archive *archive)
{
    g_autofree char *set = g_strdup_printf("PRAGMA user_version = %d", ARCHIVE_SQLITE_VERSION);
    int64_t version;

    if (!get_number(archive, "PRAGMA user_version", &version))
        return false;
    if (version != 0 && version != ARCHIVE_SQLITE_VERSION)
        return archive_refuse(archive,
                              "is of version %" PRId64
                              ", this tcpwhy writes version %d: write a new archive",
                              version, ARCHIVE_SQLITE_VERSION);
    return run(archive, set);
}

static void finalize(struct database *d)
{
    for (int t = 0; t < N_TABLES; t++) {
        sqlite3_finalize(d->table[t].insert);
        sqlite3_finalize(d->table[t].insert_many);
        d->table[t].insert = d->table[t].insert_many = NULL;
    }
    sqlite3_finalize(d->insert_file);
    d->insert_file = NULL;
    ledger_kinds_close(&d->kinds);
}

static void free_database(struct database *d)
{
    finalize(d);
    for (int t = 0; t < N_TABLES; t++)
        if (d->table[t].rows.schema.release)
            rows_close(&d->table[t].rows);
    sqlite3_close(d->db);
    g_free(d);
}

/* Find which connections several captures hold, unless that stands. */
static bool keep_copies(struct archive *archive)
{
    int64_t stands, n_connections;
    bool done = get_number(archive, "SELECT COUNT(*) FROM main.sqlite_master WHERE name = 'copies'",
                           &stands) &&
                get_number(archive, "SELECT COUNT(*) FROM connections", &n_connections);

    if (!done || stands || n_connections > COPIES_MOST)
        return done;
    return run(archive, copies_sql) && run(archive, "BEGIN; " COPIES_TABLE) &&
           run(archive, "INSERT INTO main.copies SELECT capture_id, stream, told_by, place FROM "
                        "temp.copies ORDER BY capture_id, stream; DROP TABLE temp.copies; COMMIT");
}

static bool close_database(struct archive *archive)
{
    struct database *d = archive->state;
    bool kept = d->failed || keep_copies(archive);
    int code;

    finalize(d);
    /* Back to one file, which can be copied; whoever reads it now has the log beside it stay. */
    code = sqlite3_exec(d->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED)
        fail(archive);
    else
        code = SQLITE_OK;
    free_database(d);
    return kept && code == SQLITE_OK;
}

static bool open_database(struct archive *archive)
{
    struct database *d = g_new0(struct database, 1);
    bool done;

    archive->state = d;
    /* One thread at a time uses it; counting its memory would cost each allocation a lock. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    done = sqlite3_open_v2(archive->path, &d->db,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                           NULL) == SQLITE_OK ||
           fail(archive);
    if (done) {
        guard_database(d->db);
        sqlite3_busy_timeout(d->db, READER_MS);
    }
    done = done && run(archive, SETTINGS) && check_version(archive);
    for (int t = 0; done && t < N_TABLES; t++)
        done = open_table(archive, (enum tcpwhy_table)t);
    done = done && run(archive, OTHER_TABLES) &&
           (ledger_kinds_open(&d->kinds, d->db) || fail(archive)) &&
           get_number(archive, "SELECT MAX(capture_id) FROM captures", &d->last_id);
    done = done && (sqlite3_prepare_v2(d->db, "INSERT INTO batch_files VALUES (?, ?, ?, ?, ?)", -1,
                                       &d->insert_file, NULL) == SQLITE_OK ||
                    fail(archive));
    if (done && read_known(archive))
        return true;
    free_database(d);
    return false;
}

/* Begin to change what captures there are: what is known of several of them no longer holds. */
static bool begin(const struct archive *archive)
{
    return run(archive, "BEGIN; DROP TABLE IF EXISTS main.copies");
}

/* The captures as a table for the moment, so that each table is searched once. */
static bool list_forgotten(struct archive *archive, GHashTable *ids)
{
    GHashTableIter iter;
    gpointer id;
    bool done = run(archive, "CREATE TEMP TABLE hashes (hash TEXT PRIMARY KEY) WITHOUT ROWID");

    g_hash_table_iter_init(&iter, ids);
    while (done && g_hash_table_iter_next(&iter, &id, NULL)) {
        char *sql = sqlite3_mprintf("INSERT INTO hashes VALUES (%Q)", id);

        done = run(archive, sql);
        sqlite3_free(sql);
    }
    return done && run(archive, "CREATE TEMP TABLE forgotten AS SELECT capture_id FROM captures "
                                "WHERE capture_hash IN hashes; DROP TABLE hashes");
}

static bool forget(struct archive *archive, GHashTable *ids)
{
    bool done = begin(archive) && list_forgotten(archive, ids);

    for (int t = 0; done && t <= N_TABLES; t++) {
        const char *table = t < N_TABLES ? stored_name((enum tcpwhy_table)t) : "batch_files";
        char *sql = sqlite3_mprintf("DELETE FROM %s WHERE capture_id IN forgotten", table);

        done = run(archive, sql);
        sqlite3_free(sql);
    }
    return done && run(archive, "DROP TABLE forgotten") && run(archive, "COMMIT");
}

static void bind(sqlite3_stmt *insert, int parameter, const struct rows *rows, int column)
{
    int len;

    if (rows_null(rows, column)) {
        sqlite3_bind_null(insert, parameter);
        return;
    }
    switch (rows_kind(rows, column)) {
    case KIND_TEXT: {
        const char *text = rows_text(rows, column, &len);

        sqlite3_bind_text(insert, parameter, text, len, SQLITE_STATIC);
        break;
    }
    case KIND_REAL:
        sqlite3_bind_double(insert, parameter, rows_real(rows, column));
        break;
    default:
        sqlite3_bind_int64(insert, parameter, rows_integer(rows, column));
    }
}

/* The current row as the n-th of a statement. @return false when SQLite could not. */
static bool bind_row(struct database *d, enum tcpwhy_table table, sqlite3_stmt *insert, int n)
{
    const struct rows *rows = &d->table[table].rows;
    int parameter = n * n_stored_columns(table, rows);
    int64_t kind = 0;

    sqlite3_bind_int64(insert, ++parameter, d->capture_id);
    for (int i = 1; i < rows->n_columns && kind >= 0; i++) {
        if (!is_in_kind(table, i)) {
            bind(insert, ++parameter, rows, i);
        } else if (i == KIND_FIRST_COLUMN) {
            kind = ledger_kinds_number(&d->kinds, rows);
            sqlite3_bind_int64(insert, ++parameter, kind);
        }
    }
    if (table == TCPWHY_TABLE_CAPTURES)
        bind(insert, ++parameter, rows, 0);
    return kind >= 0;
}

static bool step(const struct archive *archive, sqlite3_stmt *statement)
{
    bool done = sqlite3_step(statement) == SQLITE_DONE;

    if (!done)
        fail(archive);
    sqlite3_reset(statement);
    return done;
}

static void pack(const struct archive *archive, struct rows *rows, struct piece *piece)
{
    (void)archive;
    piece->bytes = sizeof(*piece) + rows_take_batch(rows, &piece->batch);
}

static bool write_piece(struct archive *archive, const struct piece *piece)
{
    struct database *d = archive->state;
    struct table *table = &d->table[piece->table];
    int64_t left = piece->batch.length;
    bool done = true;

    if (sqlite3_get_autocommit(d->db)) {
        done = begin(archive);
        d->capture_id = d->last_id + 1 + piece->place;
    }
    rows_show_batch(&table->rows, &piece->batch);
    while (done && left > 0) {
        int n = left >= table->n_many ? table->n_many : 1;
        sqlite3_stmt *insert = n > 1 ? table->insert_many : table->insert;

        for (int i = 0; done && i < n && rows_next(&table->rows); i++)
            done = bind_row(d, piece->table, insert, i) || fail(archive);
        done = done && step(archive, insert);
        left -= n;
    }
    return done;
}

static bool put_files(struct archive *archive, const struct job *job, bool failed)
{
    const struct database *d = archive->state;
    sqlite3_stmt *insert = d->insert_file;
    bool done = true;

    for (guint i = 0; done && i < job->files->len; i++) {
        const struct file *file = job_file(job, i);

        sqlite3_bind_text(insert, 1, file->path, -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, d->capture_id);
        sqlite3_bind_int64(insert, 3, file->size_bytes);
        sqlite3_bind_int64(insert, 4, file->modified_ns);
        sqlite3_bind_int(insert, 5, failed);
        done = step(archive, insert);
    }
    return done;
}

static bool commit_capture(struct archive *archive, const struct job *job, bool failed)
{
    return put_files(archive, job, failed) && run(archive, "COMMIT");
}

const struct archive_kind archive_sqlite = {
    .open = open_database,
    .forget = forget,
    .pack = pack,
    .write = write_piece,
    .commit = commit_capture,
    .close = close_database,
};
