/* SPDX-License-Identifier: MIT */
#include "ledger_kinds.h"

/* Between texts: none of ours holds it. A missing one is empty, as none is. */
#define SEPARATOR '\n'

static void know(struct ledger_kinds *kinds, char *texts, int64_t number)
{
    g_hash_table_insert(kinds->numbers, texts, GSIZE_TO_POINTER((gsize)number));
}

/* The texts of a stored kind as one, to be freed. */
static char *stored_texts(sqlite3_stmt *stored)
{
    GString *texts = g_string_new(NULL);

    for (int i = 1; i <= KIND_N_COLUMNS; i++) {
        const char *text = (const char *)sqlite3_column_text(stored, i);

        g_string_append(texts, text ? text : "");
        g_string_append_c(texts, SEPARATOR);
    }
    return g_string_free(texts, FALSE);
}

bool ledger_kinds_open(struct ledger_kinds *kinds, sqlite3 *db)
{
    sqlite3_stmt *stored;
    int code;

    kinds->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (sqlite3_prepare_v2(db, "INSERT INTO ledger_kinds VALUES (?, ?, ?, ?, ?, ?)", -1,
                           &kinds->insert, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT * FROM ledger_kinds", -1, &stored, NULL) != SQLITE_OK)
        return false;
    while ((code = sqlite3_step(stored)) == SQLITE_ROW)
        know(kinds, stored_texts(stored), sqlite3_column_int64(stored, 0));
    sqlite3_finalize(stored);
    return code == SQLITE_DONE;
}

/* The texts of the current row's kind as one, to be freed. */
static char *row_texts(const struct rows *ledger)
{
    GString *texts = g_string_new(NULL);

    for (int i = KIND_FIRST_COLUMN; i < KIND_FIRST_COLUMN + KIND_N_COLUMNS; i++) {
        int len = 0;
        const char *text = rows_null(ledger, i) ? "" : rows_text(ledger, i, &len);

        g_string_append_len(texts, text, len);
        g_string_append_c(texts, SEPARATOR);
    }
    return g_string_free(texts, FALSE);
}

static bool store(struct ledger_kinds *kinds, const struct rows *ledger, int64_t number)
{
    bool done;

    sqlite3_bind_int64(kinds->insert, 1, number);
    for (int i = 0; i < KIND_N_COLUMNS; i++) {
        int len, column = KIND_FIRST_COLUMN + i;

        if (rows_null(ledger, column)) {
            sqlite3_bind_null(kinds->insert, i + 2);
        } else {
            const char *text = rows_text(ledger, column, &len);

            sqlite3_bind_text(kinds->insert, i + 2, text, len, SQLITE_STATIC);
        }
    }
    done = sqlite3_step(kinds->insert) == SQLITE_DONE;
    sqlite3_reset(kinds->insert);
    return done;
}

int64_t ledger_kinds_number(struct ledger_kinds *kinds, const struct rows *ledger)
{
    char *texts = row_texts(ledger);
    int64_t number = (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(kinds->numbers, texts));

    if (number > 0) {
        g_free(texts);
        return number;
    }
    number = (int64_t)g_hash_table_size(kinds->numbers) + 1;
    if (!store(kinds, ledger, number)) {
        g_free(texts);
        return -1;
    }
    know(kinds, texts, number);
    return number;
}

void ledger_kinds_close(struct ledger_kinds *kinds)
{
    sqlite3_finalize(kinds->insert);
    kinds->insert = NULL;
    if (kinds->numbers)
        g_hash_table_destroy(kinds->numbers);
    kinds->numbers = NULL;
}
