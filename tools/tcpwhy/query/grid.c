/* SPDX-License-Identifier: MIT */
#include "grid.h"

#include "answer.h"

#define GAP 2u

/* Of what a row continues with on its next line. */
#define INDENT 4u

/* All cells of an answer, a line after the other; the first line is the titles. */
struct grid {
    unsigned columns;
    GPtrArray *cells; /* char * */
    unsigned *width;
    bool *numbers;
};

static void add(struct grid *grid, unsigned column, char *cell)
{
    grid->width[column] = MAX(grid->width[column], (unsigned)g_utf8_strlen(cell, -1));
    g_ptr_array_add(grid->cells, cell);
}

static int fill(struct grid *grid, sqlite3_stmt *statement)
{
    int code;

    for (unsigned i = 0; i < grid->columns; i++)
        add(grid, i, answer_title(statement, (int)i));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (unsigned i = 0; i < grid->columns; i++) {
            add(grid, i, answer_cell(statement, (int)i));
            grid->numbers[i] |= answer_is_number(statement, (int)i);
        }
    }
    return code;
}

static void append_cell(GString *line, const char *cell, unsigned width, bool right)
{
    int blanks = (int)width - (int)g_utf8_strlen(cell, -1);

    if (right)
        g_string_append_printf(line, "%*s", blanks, "");
    g_string_append(line, cell);
    if (!right)
        g_string_append_printf(line, "%*s", blanks, "");
}

static void end_line(GString *row)
{
    while (row->len > 0 && row->str[row->len - 1] == ' ')
        g_string_truncate(row, row->len - 1);
    g_string_append_c(row, '\n');
}

/* A row that is wider goes on below; no cell is broken or cut, so that paths can be copied. */
static void append_row(GString *row, const struct grid *grid, guint at, unsigned width)
{
    unsigned used = 0;

    for (unsigned i = 0; i < grid->columns; i++) {
        unsigned gap = i > 0 ? GAP : 0;

        if (i > 0 && used + gap + grid->width[i] > width) {
            end_line(row);
            used = 0;
            gap = INDENT;
        }
        g_string_append_printf(row, "%*s", (int)gap, "");
        append_cell(row, g_ptr_array_index(grid->cells, at + i), grid->width[i], grid->numbers[i]);
        used += gap + grid->width[i];
    }
    end_line(row);
}

static void print(const struct grid *grid, const struct tcpwhy_render_options *style,
                  unsigned width, struct output *output)
{
    GString *row = g_string_new(NULL);
    bool more = true;

    for (guint at = 0; more && at < grid->cells->len; at += grid->columns) {
        bool title = at == 0 && style->color;

        g_string_assign(row, title ? "\033[1m" : "");
        append_row(row, grid, at, width);
        g_string_append(row, title ? "\033[0m" : "");
        more = output_text(output, row->str);
    }
    g_string_free(row, TRUE);
}

bool grid_print(sqlite3_stmt *statement, const struct tcpwhy_render_options *style, unsigned width,
                struct output *output)
{
    unsigned columns = (unsigned)sqlite3_column_count(statement);
    struct grid grid = { .columns = columns,
                         .cells = g_ptr_array_new_with_free_func(g_free),
                         .width = g_new0(unsigned, columns),
                         .numbers = g_new0(bool, columns) };
    int code = fill(&grid, statement);

    if (code == SQLITE_DONE && grid.cells->len == columns)
        output_text(output, "nothing\n");
    else if (code == SQLITE_DONE)
        print(&grid, style, width, output);
    g_ptr_array_free(grid.cells, TRUE);
    g_free(grid.width);
    g_free(grid.numbers);
    return code == SQLITE_DONE;
}
