/* SPDX-License-Identifier: MIT */
#include "row_text.h"

#include <string.h>

#include "../harmless.h"

static void append_number(const struct rows *rows, int column, GString *out)
{
    char text[32];

    if (rows_kind(rows, column) == KIND_REAL) {
        real_text(rows_real(rows, column), text);
        g_string_append(out, text);
    } else {
        g_string_append_printf(out, "%" G_GINT64_FORMAT, rows_integer(rows, column));
    }
}

/*
 * Texts come from captures, and CSV goes to spreadsheets and terminals: what begins as a formula
 * gets an apostrophe, as spreadsheets mark text; what a terminal would obey is written out.
 */
static void append_csv_text(const char *text, int len, GString *out)
{
    bool formula = len > 0 && strchr("=+-@\t\r", text[0]);
    GString *safe = g_string_new(formula ? "'" : NULL);

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

void row_csv(const struct rows *rows, GString *out)
{
    const char *text;
    int len;

    for (int i = 0; i < rows->n_columns; i++) {
        if (i)
            g_string_append_c(out, ',');
        if (rows_null(rows, i))
            continue;
        switch (rows_kind(rows, i)) {
        case KIND_TEXT:
            text = rows_text(rows, i, &len);
            append_csv_text(text, len, out);
            break;
        case KIND_BOOLEAN:
            g_string_append(out, rows_integer(rows, i) ? "true" : "false");
            break;
        default:
            append_number(rows, i, out);
        }
    }
    g_string_append(out, "\r\n");
}

static void append_json_text(const char *text, int len, GString *out)
{
    g_string_append_c(out, '"');
    for (int i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\') {
            g_string_append_c(out, '\\');
            g_string_append_c(out, text[i]);
        } else if (c < 0x20 || c == 0x7F) {
            g_string_append_printf(out, "\\u%04x", c);
        } else {
            g_string_append_c(out, text[i]);
        }
    }
    g_string_append_c(out, '"');
}

void row_json(const struct rows *rows, GString *out)
{
    const char *text;
    int len;

    for (int i = 0; i < rows->n_columns; i++) {
        g_string_append_printf(out, "%s\"%s\": ", i ? ", " : "{", rows_name(rows, i));
        if (rows_null(rows, i)) {
            g_string_append(out, "null");
            continue;
        }
        switch (rows_kind(rows, i)) {
        case KIND_TEXT:
            text = rows_text(rows, i, &len);
            append_json_text(text, len, out);
            break;
        case KIND_BOOLEAN:
            g_string_append(out, rows_integer(rows, i) ? "true" : "false");
            break;
        default:
            append_number(rows, i, out);
        }
    }
    g_string_append(out, "}\n");
}
