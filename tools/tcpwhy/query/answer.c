/* SPDX-License-Identifier: MIT */
#include "answer.h"

#include <string.h>

#include "../batch/row_text.h"
#include "../harmless.h"
#include "../output.h"

/* SQLite that has no memory left has no text. */
static struct cell text_cell(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    return (struct cell) { .kind = KIND_TEXT,
                           .text = text ? text : "",
                           .len = text ? sqlite3_column_bytes(statement, column) : 0 };
}

static struct cell cell_of(sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return (struct cell) { .null = true };
    case SQLITE_INTEGER:
        return (struct cell) { .kind = KIND_INTEGER,
                               .integer = sqlite3_column_int64(statement, column) };
    case SQLITE_FLOAT:
        return (struct cell) { .kind = KIND_REAL,
                               .real = sqlite3_column_double(statement, column) };
    default:
        return text_cell(statement, column);
    }
}

typedef void (*write_row)(sqlite3_stmt *statement, GString *out);

static void csv_row(sqlite3_stmt *statement, GString *out)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        struct cell cell = cell_of(statement, i);

        if (i)
            g_string_append_c(out, ',');
        cell_csv(&cell, out);
    }
    g_string_append(out, "\r\n");
}

static void ndjson_row(sqlite3_stmt *statement, GString *out)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        struct cell cell = cell_of(statement, i);

        g_string_append_printf(out, "%s\"%s\": ", i ? ", " : "{",
                               sqlite3_column_name(statement, i));
        cell_json(&cell, out);
    }
    g_string_append(out, "}\n");
}

static bool each_row(sqlite3_stmt *statement, write_row write, struct output *output)
{
    GString *line = g_string_new(NULL);
    bool more = true;
    int code = SQLITE_DONE;

    while (more && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        g_string_truncate(line, 0);
        write(statement, line);
        more = output_text(output, line->str);
    }
    g_string_free(line, TRUE);
    return code == SQLITE_DONE || !more;
}

bool answer_csv(sqlite3_stmt *statement, struct output *output)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        output_text(output, i ? "," : "");
        output_text(output, sqlite3_column_name(statement, i));
    }
    output_text(output, "\r\n");
    return each_row(statement, csv_row, output);
}

bool answer_ndjson(sqlite3_stmt *statement, struct output *output)
{
    return each_row(statement, ndjson_row, output);
}

/* A comma every three digits before the point. */
static char *with_commas(const char *number)
{
    size_t digits = strspn(number + (number[0] == '-'), "0123456789");
    GString *text = g_string_new(number);

    for (gssize at = (gssize)digits - 3; at > 0; at -= 3)
        g_string_insert_c(text, at + (number[0] == '-'), ',');
    return g_string_free(text, FALSE);
}

static char *time_text(gint64 utc_ns)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(utc_ns / 1000000000);

    return time ? g_date_time_format(time, "%Y-%m-%d %H:%M:%S") : g_strdup("-");
}

static char *real_cell(const char *name, double value)
{
    g_autofree char *text = NULL;

    if (strcmp(name, "share") == 0)
        return g_strdup_printf("%.1f%%", value * 100);
    text = g_strdup_printf("%.1f", value);
    return with_commas(text);
}

static char *shown(const char *text)
{
    GString *out = g_string_new(NULL);

    append_harmless(out, text, -1, false);
    return g_string_free(out, FALSE);
}

char *answer_cell(sqlite3_stmt *statement, int column)
{
    const char *name = sqlite3_column_name(statement, column);
    g_autofree char *text = NULL;

    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return g_strdup("-");
    case SQLITE_INTEGER:
        if (g_str_has_suffix(name, "_utc_ns"))
            return time_text(sqlite3_column_int64(statement, column));
        text =
            g_strdup_printf("%" G_GINT64_FORMAT, (gint64)sqlite3_column_int64(statement, column));
        return with_commas(text);
    case SQLITE_FLOAT:
        return real_cell(name, sqlite3_column_double(statement, column));
    default:
        return shown(text_cell(statement, column).text);
    }
}

char *answer_title(sqlite3_stmt *statement, int column)
{
    char *title = g_strdup(sqlite3_column_name(statement, column));

    if (g_str_has_suffix(title, "_utc_ns"))
        title[strlen(title) - strlen("_utc_ns")] = '\0';
    return g_strdelimit(title, "_", ' ');
}

bool answer_is_number(sqlite3_stmt *statement, int column)
{
    int type = sqlite3_column_type(statement, column);

    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}
