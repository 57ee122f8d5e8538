/* SPDX-License-Identifier: MIT */
/*
 * A ledger as a table with bars: time by cause and owner, with its confidence.
 */
#include <string.h>

#include <glib.h>

#include "base/ns.h"
#include "base/number.h"
#include "render/writers/table.h"
#include "render/view/text_parts.h"

enum { COL_CAUSE, COL_PARTY, COL_SENDER, COL_TIME, COL_SHARE, COL_TIMES, COL_SURE, COL_BAR };

static const struct tw_column columns[] = {
    [COL_CAUSE] = { .title = "cause" },
    [COL_PARTY] = { .title = "owner" },
    [COL_SENDER] = { .title = "waiting for", .leaves = 3 },
    [COL_TIME] = { .title = "s", .right = true },
    [COL_SHARE] = { .title = "share", .right = true },
    [COL_TIMES] = { .title = "count", .right = true },
    [COL_SURE] = { .title = "confidence", .leaves = 2 },
    [COL_BAR] = { .title = "", .leaves = 1, .bar = true },
};

struct ledger {
    const struct tcpwhy_ledger_entry *entry;
    size_t shown, n;
    tcpwhy_ns total_ns;
};

static tcpwhy_ns rest_ns(const struct ledger *l)
{
    tcpwhy_ns ns = 0;

    for (size_t i = l->shown; i < l->n; i++)
        ns += l->entry[i].ns;
    return ns;
}

static double share_of(const struct ledger *l, tcpwhy_ns ns)
{
    return l->total_ns > 0 ? (double)ns / (double)l->total_ns : 0;
}

/* Time and share, which every row has. */
static void amount(const struct ledger *l, tcpwhy_ns ns, size_t column, GString *text)
{
    char number[TW_NUMBER_TEXT];

    if (column == COL_TIME)
        g_string_append(text, tw_number_column(ns, l->total_ns, number));
    else if (column == COL_SHARE)
        g_string_append(text, tw_number_percent(share_of(l, ns), number));
}

static void entry_cell(const struct tcpwhy_ledger_entry *e, size_t column, GString *text,
                       enum tw_tone *tone)
{
    char number[TW_NUMBER_TEXT];

    switch (column) {
    case COL_CAUSE:
        g_string_append(text, tcpwhy_cause_info(e->cause)->name);
        *tone = tw_text_cause_tone(e->cause);
        break;
    case COL_PARTY:
        g_string_append(text, e->party == TCPWHY_PARTY_NONE ? "-" : tcpwhy_party_name(e->party));
        break;
    case COL_SENDER:
        g_string_append(text, e->from == TCPWHY_SERVER ? "server" : "client");
        break;
    case COL_TIMES:
        g_string_append(text, tw_number_count(e->count, number));
        break;
    case COL_SURE:
        g_string_append(text, tcpwhy_confidence_name(e->confidence));
        *tone = e->confidence == TCPWHY_CERTAIN ? TW_TONE_PLAIN : TW_TONE_WARN;
        break;
    case COL_BAR:
        *tone = tw_text_cause_tone(e->cause);
        break;
    default:
        break;
    }
}

static tcpwhy_ns row_ns(const struct ledger *l, size_t row)
{
    if (row < l->shown)
        return l->entry[row].ns;
    return row == l->shown && l->shown < l->n ? rest_ns(l) : l->total_ns;
}

static bool is_total(const struct ledger *l, size_t row)
{
    return row == l->shown + (l->shown < l->n);
}

static double share(const void *data, size_t row)
{
    const struct ledger *l = data;

    return is_total(l, row) ? 0 : share_of(l, row_ns(l, row));
}

static void cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 GString *text, enum tw_tone *tone)
{
    const struct ledger *l = data;

    (void)page;
    amount(l, row_ns(l, row), column, text);
    if (row < l->shown) {
        entry_cell(&l->entry[row], column, text, tone);
        return;
    }
    *tone = TW_TONE_QUIET;
    if (column == COL_CAUSE)
        g_string_append(text, is_total(l, row) ? "total" : "other");
}

/* A row shows no rival: entries that differ by nothing else are one. */
static bool looks_like(const struct tcpwhy_ledger_entry *a, const struct tcpwhy_ledger_entry *b)
{
    return a->cause == b->cause && a->party == b->party && a->from == b->from &&
           a->confidence == b->confidence;
}

/* A row that has grown goes up to where it belongs. */
static void rise(struct tcpwhy_ledger_entry *row, size_t at)
{
    for (; at > 0 && row[at - 1].ns < row[at].ns; at--) {
        struct tcpwhy_ledger_entry less = row[at - 1];

        row[at - 1] = row[at];
        row[at] = less;
    }
}

/* The rows, costliest first, as the entries are. @return how many; they are as many as those at
 * most. */
static size_t join(const struct tcpwhy_ledger_entry *ledger, size_t n,
                   struct tcpwhy_ledger_entry *row)
{
    size_t rows = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = 0;

        while (at < rows && !looks_like(&row[at], &ledger[i]))
            at++;
        if (at == rows) {
            row[rows++] = ledger[i];
            continue;
        }
        row[at].ns = tw_ns_add(row[at].ns, ledger[i].ns);
        row[at].count += ledger[i].count;
        row[at].first_ns = MIN(row[at].first_ns, ledger[i].first_ns);
        rise(row, at);
    }
    return rows;
}

void tw_text_ledger(struct tw_layout *page, const struct tcpwhy_ledger_entry *ledger, size_t n,
                    size_t max_rows)
{
    g_autofree struct tcpwhy_ledger_entry *rows = g_new(struct tcpwhy_ledger_entry, n);
    struct ledger l = { .entry = rows };
    struct tw_column own_columns[G_N_ELEMENTS(columns)];
    struct tw_table table = { .columns = own_columns,
                              .n_columns = G_N_ELEMENTS(columns),
                              .indent = 2,
                              .data = &l,
                              .cell = cell,
                              .share = share };

    n = l.n = l.shown = join(ledger, n, rows);
    for (size_t i = 0; i < n; i++)
        l.total_ns = tw_ns_add(l.total_ns, rows[i].ns);
    memcpy(own_columns, columns, sizeof(columns));
    own_columns[COL_TIME].title = tw_number_column_unit(l.total_ns);
    if (max_rows > 0 && n > max_rows)
        l.shown = max_rows - 1;
    table.n_rows = max_rows > 0 ? MIN(n, max_rows) : n + 1;
    tw_table_draw(page, &table);
}
