/* SPDX-License-Identifier: MIT */
#include "row_text.h"

#include <string.h>

#include "../harmless.h"
#include "numbers.h"

static void append_number(const struct cell *cell, GString *out)
{
    if (cell->kind == KIND_REAL)
        append_real(cell->real, out);
    else
        append_integer(cell->integer, out);
}

static struct cell cell_of(const struct rows *rows, int column)
{
    struct cell cell = { .kind = rows_kind(rows, column), .null = rows_null(rows, column) };

    if (cell.kind == KIND_TEXT)
        cell.text = rows_text(rows, column, &cell.len);
    else if (cell.kind == KIND_REAL)
        cell.real = rows_real(rows, column);
    else
        cell.integer = rows_integer(rows, column);
    return cell;
}

/*
 * Texts come from captures, and CSV goes to spreadsheets and terminals: what begins as a formula
 * gets an apostrophe, as spreadsheets mark text; what a terminal would obey is written out.
 */
static void append_csv_text(const char *text, int len, GString *out)
{
    bool formula = len > 0 && strchr("=+-@\t\r", text[0]);
    GString *safe;

    if (len > 0 && !formula && plain_ascii(text, text + len, ",\"") == (size_t)len) {
        g_string_append_len(out, text, len);
        return;
    }
    safe = g_string_new(formula ? "'" : NULL);
    append_harmless(safe, text, len, true);
    if (safe->len > 0 && !strpbrk(safe->str, ",\"\n")) {
        g_string_append_len(out, safe->str, (gssize)safe->len);
    } else {
        g_string_append_c(out, '"');
        for (gsize i = 0; i < safe->len; i++) {
            if (safe->str[i] == '"')
                g_string_append_c(out, '"');
            g_string_append_c(out, safe->str[i]);
        }
        g_string_append_c(out, '"');
    }
    g_string_free(safe, TRUE);
}

void row_csv_header(const struct rows *rows, GString *out)
{
    for (int i = 0; i < rows->n_columns; i++) {
        if (i)
            g_string_append_c(out, ',');
        g_string_append(out, rows_name(rows, i));
    }
    g_string_append(out, "\r\n");
}

void cell_csv(const struct cell *cell, GString *out)
{
    if (cell->null)
        return;
    if (cell->kind == KIND_TEXT)
        append_csv_text(cell->text, cell->len, out);
    else if (cell->kind == KIND_BOOLEAN)
        g_string_append(out, cell->integer ? "true" : "false");
    else
        append_number(cell, out);
}

static void row_csv(const struct rows *rows, GString *out)
{
    for (int i = 0; i < rows->n_columns; i++) {
        struct cell cell = cell_of(rows, i);

        if (i)
            g_string_append_c(out, ',');
        cell_csv(&cell, out);
    }
    g_string_append(out, "\r\n");
}

void rows_csv(struct rows *rows, GString *out)
{
    while (rows_next(rows))
        row_csv(rows, out);
}

/* Text in an archive is UTF-8; what a terminal obeys is escaped beyond what JSON asks for. */
static void append_json_text(const char *text, int len, GString *out)
{
    const char *end = text + len;

    g_string_append_c(out, '"');
    for (;;) {
        gsize plain = plain_ascii(text, end, "\"\\");
        gunichar c;
        bool valid;

        g_string_append_len(out, text, (gssize)plain);
        text += plain;
        if (text == end)
            break;
        c = g_utf8_get_char_validated(text, end - text);
        valid = c != (gunichar)-1 && c != (gunichar)-2;
        if (!valid)
            g_string_append_unichar(out, 0xFFFD);
        else if (c < 0x10000 && !is_harmless(c))
            g_string_append_printf(out, "\\u%04x", c);
        else
            g_string_append_printf(out, c == '"' || c == '\\' ? "\\%.*s" : "%.*s",
                                   g_utf8_skip[(guchar)*text], text);
        text += valid ? g_utf8_skip[(guchar)*text] : 1;
    }
    g_string_append_c(out, '"');
}

void cell_json(const struct cell *cell, GString *out)
{
    if (cell->null)
        g_string_append(out, "null");
    else if (cell->kind == KIND_TEXT)
        append_json_text(cell->text, cell->len, out);
    else if (cell->kind == KIND_BOOLEAN)
        g_string_append(out, cell->integer ? "true" : "false");
    else
        append_number(cell, out);
}

/* The text before each value of a row. */
static GPtrArray *json_keys(const struct rows *rows)
{
    GPtrArray *keys = g_ptr_array_new_with_free_func(g_free);

    for (int i = 0; i < rows->n_columns; i++)
        g_ptr_array_add(keys, g_strdup_printf("%s\"%s\": ", i ? ", " : "{", rows_name(rows, i)));
    return keys;
}

static void row_json(const struct rows *rows, const GPtrArray *keys, GString *out)
{
    for (int i = 0; i < rows->n_columns; i++) {
        struct cell cell = cell_of(rows, i);

        g_string_append(out, g_ptr_array_index(keys, (guint)i));
        cell_json(&cell, out);
    }
    g_string_append(out, "}\n");
}

void rows_json(struct rows *rows, GString *out)
{
    GPtrArray *keys = json_keys(rows);

    while (rows_next(rows))
        row_json(rows, keys, out);
    g_ptr_array_free(keys, TRUE);
}
