/* SPDX-License-Identifier: MIT */
/*
 * The widths of a table's columns, and its rows drawn in them.
 */
#include "render/writers/table.h"

#include <assert.h>

#include "base/text.h"
#include "render/writers/text.h"

#define GAP 2u

/* In every table, so that bars can be compared. */
#define BAR 10u

struct layout {
    unsigned width[TW_TABLE_MAX_COLUMNS]; /* 0: left out */
};

static unsigned total_width(const struct tw_table *table, const struct layout *layout)
{
    unsigned total = table->indent;
    bool first = true;

    for (size_t c = 0; c < table->n_columns; c++) {
        if (layout->width[c] == 0)
            continue;
        total += layout->width[c] + (first ? 0 : GAP);
        first = false;
    }
    return total;
}

static void measure(const struct tw_layout *page, const struct tw_table *table, struct layout *to)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (size_t c = 0; c < table->n_columns; c++)
        to->width[c] = table->columns[c].bar
                           ? BAR
                           : MAX(tw_text_width(table->columns[c].title, page->ascii), 1);
    for (size_t r = 0; r < table->n_rows; r++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            enum tw_tone tone = TW_TONE_PLAIN;
            unsigned width;

            tw_string_truncate(text, 0);
            table->cell(page, table->data, r, c, text, &tone);
            width = tw_text_width(text->str, page->ascii);
            to->width[c] = MAX(to->width[c], width);
        }
    }
}

/* Take excess columns from the widest shrinkable column. @return false when none can give. */
static bool shrink(const struct tw_table *table, struct layout *layout)
{
    size_t widest = table->n_columns;

    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].min == 0 || layout->width[c] <= table->columns[c].min)
            continue;
        if (widest == table->n_columns || layout->width[c] > layout->width[widest])
            widest = c;
    }
    if (widest == table->n_columns)
        return false;
    layout->width[widest]--;
    return true;
}

/* Leave the least needed column out. @return false when every one is needed. */
static bool leave_out(const struct tw_table *table, struct layout *layout)
{
    size_t least = table->n_columns;

    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].leaves == 0 || layout->width[c] == 0)
            continue;
        if (least == table->n_columns || table->columns[c].leaves > table->columns[least].leaves)
            least = c;
    }
    if (least == table->n_columns)
        return false;
    layout->width[least] = 0;
    return true;
}

static void spare(const struct tw_layout *page, const struct tw_table *table, struct layout *layout)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].spare && total_width(table, layout) > page->columns)
            layout->width[c] = 0;
}

/* A wide column that left may have made room for narrower ones. */
static void take_back(const struct tw_layout *page, const struct tw_table *table,
                      const struct layout *natural, struct layout *layout)
{
    unsigned room = page->columns - MIN(total_width(table, layout), page->columns);

    for (unsigned leaves = 1; leaves <= TW_TABLE_MAX_COLUMNS; leaves++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            if (table->columns[c].leaves != leaves || layout->width[c] > 0 ||
                natural->width[c] + GAP > room)
                continue;
            layout->width[c] = natural->width[c];
            room -= natural->width[c] + GAP;
        }
    }
}

static void fit(const struct tw_layout *page, const struct tw_table *table, struct layout *layout)
{
    struct layout all, natural;

    measure(page, table, &all);
    natural = all;
    spare(page, table, &natural);
    *layout = natural;
    while (total_width(table, layout) > page->columns) {
        if (shrink(table, layout))
            continue;
        if (!leave_out(table, &natural))
            return;
        *layout = natural;
    }
    take_back(page, table, &all, layout);
}

static void put_cell(struct tw_layout *page, enum tw_tone tone, const char *text, unsigned at)
{
    tw_layout_tab(page, at);
    tw_layout_put(page, tone, text);
}

static void draw_cell(struct tw_layout *page, const struct tw_column *column, unsigned width,
                      const char *text, enum tw_tone tone, unsigned from)
{
    size_t plain = tw_text_plain(text);
    unsigned end = from + width;
    tw_string *fitted;

    /* As most texts are. */
    if (!text[plain] && plain <= width) {
        put_cell(page, tone, text, column->right ? end - (unsigned)plain : from);
        return;
    }
    fitted = tw_string_new(NULL);
    tw_text_fit(fitted, text, width, page->ascii);
    put_cell(page, tone, fitted->str,
             column->right ? end - tw_text_width(fitted->str, page->ascii) : from);
    tw_string_free(fitted, TRUE);
}

static void draw_row(struct tw_layout *page, const struct tw_table *table,
                     const struct layout *layout, bool titles, size_t row, tw_string *text)
{
    unsigned from = table->indent;

    for (size_t c = 0; c < table->n_columns; c++) {
        enum tw_tone tone = titles ? TW_TONE_QUIET : TW_TONE_PLAIN;

        if (layout->width[c] == 0)
            continue;
        tw_string_truncate(text, 0);
        if (titles)
            tw_string_append(text, table->columns[c].title);
        else
            table->cell(page, table->data, row, c, text, &tone);
        if (table->columns[c].bar && !titles)
            tw_layout_bar(page, text, table->share(table->data, row), layout->width[c]);
        draw_cell(page, &table->columns[c], layout->width[c], text->str, tone, from);
        from += layout->width[c] + GAP;
    }
    tw_layout_end_line(page);
}

void tw_table_draw(struct tw_layout *page, const struct tw_table *table)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    struct layout layout;

    assert(table->n_columns <= TW_TABLE_MAX_COLUMNS);
    fit(page, table, &layout);
    draw_row(page, table, &layout, true, 0, text);
    for (size_t r = 0; r < table->n_rows && !page->out->stopped; r++)
        draw_row(page, table, &layout, false, r, text);
}
