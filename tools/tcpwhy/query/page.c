/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <string.h>

#include "../complain.h"
#include "../harmless.h"
#include "answer.h"

/* Nothing but its own style: a path in a capture's name cannot load or run anything. */
#define HEAD                                                                                       \
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"                      \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "        \
    "'unsafe-inline'\">\n"                                                                         \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"

/* The contents of an archive, a number and its name each. */
static const struct {
    const char *name, *sql;
} tiles[] = {
    { "captures", "SELECT COUNT(*) FROM captures" },
    { "with problems", "SELECT COUNT(*) FROM captures WHERE verdict_cause <> 'none'" },
    { "unreadable", "SELECT COUNT(*) FROM captures WHERE error IS NOT NULL" },
    { "connections", "SELECT COUNT(*) FROM connections" },
    { "requests answered", "SELECT COALESCE(SUM(exchanges), 0) FROM connections" },
    { "from (UTC)", "SELECT MIN(first_utc_ns) AS first_utc_ns FROM captures" },
    { "to", "SELECT MAX(last_utc_ns) AS last_utc_ns FROM captures" },
};

static void put_escaped(struct output *output, const char *text)
{
    GString *safe = g_string_new(NULL);
    g_autofree char *markup = NULL;

    append_harmless(safe, text, -1, false);
    markup = g_markup_escape_text(safe->str, (gssize)safe->len);
    output_text(output, markup);
    g_string_free(safe, TRUE);
}

static void put_tile(sqlite3 *db, size_t i, struct output *output)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(db, tiles[i].sql, -1, &statement, NULL) != SQLITE_OK)
        return;
    if (sqlite3_step(statement) == SQLITE_ROW) {
        g_autofree char *value = answer_cell(statement, 0);

        output_text(output, "<div><dt>");
        output_text(output, tiles[i].name);
        output_text(output, "</dt><dd>");
        put_escaped(output, value);
        output_text(output, "</dd></div>\n");
    }
    sqlite3_finalize(statement);
}

/* The classes of the causes, as the report's page has them, and what this page alone has. */
static void put_style(struct output *output)
{
    for (int dark = 0; dark < 2; dark++) {
        output_text(output, dark ? "@media screen and (prefers-color-scheme: dark) {\n" : "");
        for (size_t c = 0; c < tcpwhy_cause_count(); c++) {
            g_autofree char *line =
                g_strdup_printf(".c-%s{--c:%s}\n", tcpwhy_cause_info((enum tcpwhy_cause)c)->name,
                                tcpwhy_cause_color((enum tcpwhy_cause)c, dark));

            output_text(output, line);
        }
    }
    output_text(output,
                "}\nh2::first-letter { text-transform: uppercase; }\n"
                ".tiles dd { font-size: 21px; }\n"
                "td.cost { background: linear-gradient(var(--c), var(--c)) no-repeat 0 100% "
                "/ var(--w) 4px; print-color-adjust: exact; "
                "-webkit-print-color-adjust: exact; }\n");
}

void page_begin(sqlite3 *db, const char *path, struct output *output)
{
    output_text(output, HEAD "<title>");
    put_escaped(output, path);
    output_text(output, "</title>\n<style>\n");
    for (const char *const *line = page_css; *line; line++)
        output_text(output, *line);
    put_style(output);
    output_text(output, "</style>\n</head>\n<body>\n<main>\n<h1>");
    put_escaped(output, path);
    output_text(output, "</h1>\n<dl class=\"tiles\">\n");
    for (size_t i = 0; i < G_N_ELEMENTS(tiles); i++)
        put_tile(db, i, output);
    output_text(output, "</dl>\n");
}

/* The columns that a table's cells are drawn with, or -1. */
struct drawing {
    int cause, cost;
    double greatest_cost;
};

static int column_of(sqlite3_stmt *statement, const char *name)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        if (strcmp(sqlite3_column_name(statement, i), name) == 0)
            return i;
    return -1;
}

/* Goes through the rows once, and back to their beginning. */
static struct drawing drawing_of(sqlite3_stmt *statement)
{
    struct drawing d = { column_of(statement, "cause"), column_of(statement, "lost_ms"), 0 };

    while (d.cause >= 0 && d.cost >= 0 && sqlite3_step(statement) == SQLITE_ROW)
        d.greatest_cost = MAX(d.greatest_cost, sqlite3_column_double(statement, d.cost));
    sqlite3_reset(statement);
    return d;
}

/* The name of the row's cause when it is one of ours, for its class. */
static const char *cause_of(sqlite3_stmt *statement, const struct drawing *d)
{
    const char *name =
        d->cause >= 0 ? (const char *)sqlite3_column_text(statement, d->cause) : NULL;
    enum tcpwhy_cause cause;

    return name && tcpwhy_cause_by_name(name, &cause) ? tcpwhy_cause_info(cause)->name : NULL;
}

static void put_cell(sqlite3_stmt *statement, int column, const struct drawing *d,
                     struct output *output)
{
    g_autofree char *cell = answer_cell(statement, column);
    g_autofree char *drawn = NULL;
    const char *cause = cause_of(statement, d);

    if (cause && column == d->cause)
        drawn = g_strdup_printf("<td class=\"name\"><i class=\"c-%s\"></i>", cause);
    else if (cause && column == d->cost && d->greatest_cost > 0)
        drawn = g_strdup_printf(
            "<td class=\"n cost c-%s\" style=\"--w:%.0f%%\">", cause,
            CLAMP(100 * sqlite3_column_double(statement, column) / d->greatest_cost, 0, 100));
    output_text(output, drawn                                 ? drawn
                        : answer_is_number(statement, column) ? "<td class=\"n\">"
                                                              : "<td>");
    put_escaped(output, cell);
    output_text(output, "</td>");
}

static int put_rows(sqlite3_stmt *statement, struct output *output)
{
    struct drawing drawing = drawing_of(statement);
    int columns = sqlite3_column_count(statement), code = sqlite3_step(statement);

    if (code == SQLITE_DONE) {
        output_text(output, "<p>nothing</p>\n");
        return code;
    }
    output_text(output, "<div class=\"wide\"><table>\n<thead><tr>");
    for (int i = 0; i < columns; i++) {
        g_autofree char *title = answer_title(statement, i);

        output_text(output, "<th scope=\"col\">");
        put_escaped(output, title);
        output_text(output, "</th>");
    }
    output_text(output, "</tr></thead>\n<tbody>\n");
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
        output_text(output, "<tr>");
        for (int i = 0; i < columns; i++)
            put_cell(statement, i, &drawing, output);
        output_text(output, "</tr>\n");
    }
    output_text(output, "</tbody></table></div>\n");
    return code;
}

bool page_answer(sqlite3 *db, const char *path, const struct question *question,
                 const struct parameters *parameters, struct output *output)
{
    sqlite3_stmt *statement = ask(db, path, question, parameters);
    int code;

    if (!statement)
        return false;
    output_text(output, "<section><h2>");
    put_escaped(output, question->what);
    output_text(output, "</h2>\n<p class=\"q\">");
    put_escaped(output, question->note);
    output_text(output, " <code>tcpwhy query ARCHIVE ");
    put_escaped(output, question->name);
    output_text(output, "</code></p>\n");
    code = put_rows(statement, output);
    output_text(output, "</section>\n");
    if (code != SQLITE_DONE)
        complain("%s: %s", path, ask_error(db));
    sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

void page_end(struct output *output)
{
    output_text(output, "</main>\n<footer>tcpwhy ");
    output_text(output, tcpwhy_version());
    output_text(output, "</footer>\n</body>\n</html>\n");
}
