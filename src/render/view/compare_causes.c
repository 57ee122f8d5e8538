/* SPDX-License-Identifier: MIT */
/*
 * Causes and their times, before and after. Columns that do not fit are the same times per another
 * unit.
 */
#include "render/view/compare.h"
#include "render/view/view.h"

/* Widths from which times per connection fit besides those per request, and below which totals
 * do not fit. */
#define WIDE_COLUMNS   100
#define NARROW_COLUMNS 76

/* Rows; the JSON has all. */
#define MAX_CAUSES 14

/* The value of a column, and of which capture. */
enum show { CAUSE, WHOSE, CHANGE, TOTAL, PER_EXCHANGE, PER_CONNECTION, PER_MEGABYTE };

struct shown {
    enum show show;
    enum tcpwhy_when when;
};

struct causes {
    const struct tw_listener_change *listener;
    struct tw_column columns[TW_TABLE_MAX_COLUMNS];
    struct shown shown[TW_TABLE_MAX_COLUMNS];
    size_t n;
    tcpwhy_ns most_ns, most_per_exchange_ns, most_per_connection_ns;
    char total[16]; /* the head of the totals */
};

static void column(struct causes *c, enum show show, enum tcpwhy_when when, const char *title)
{
    c->columns[c->n] = (struct tw_column) { .title = title,
                                            .right = show >= TOTAL,
                                            .min = show == CAUSE ? 16 : 0,
                                            .spare = show == WHOSE };
    c->shown[c->n++] = (struct shown) { show, when };
}

static void pair(struct causes *c, enum show show, const char *before, const char *after)
{
    column(c, show, TCPWHY_BEFORE, before);
    column(c, show, TCPWHY_AFTER, after);
}

static void choose_columns(struct causes *c, const struct tw_layout *page)
{
    enum tcpwhy_per per = c->listener->per;

    g_snprintf(c->total, sizeof(c->total), "%s before", tw_column_unit(c->most_ns));
    column(c, CAUSE, TCPWHY_BEFORE, "cause");
    column(c, WHOSE, TCPWHY_BEFORE, "owner");
    column(c, CHANGE, TCPWHY_BEFORE, "change");
    if (page->columns >= NARROW_COLUMNS)
        pair(c, TOTAL, c->total, "after");
    if (per == TCPWHY_PER_EXCHANGE)
        pair(c, PER_EXCHANGE, "ms per request", "now");
    else if (per == TCPWHY_PER_MEGABYTE)
        pair(c, PER_MEGABYTE, "ms per MB", "now");
    if (per == TCPWHY_PER_CONNECTION || page->columns >= WIDE_COLUMNS)
        pair(c, PER_CONNECTION, "ms per connection", "now");
}

static void cause_cell(const struct tw_layout *page, const void *data, size_t row, size_t at,
                       tw_string *text, enum tw_tone *tone)
{
    const struct causes *all = data;
    const struct tcpwhy_cause_change *c = &all->listener->causes[row];
    enum tcpwhy_when when = all->shown[at].when;

    (void)page;
    switch (all->shown[at].show) {
    case CAUSE:
        tw_string_append(text, tcpwhy_cause_info(c->cause)->name);
        *tone = tw_text_cause_tone(c->cause) == TW_TONE_QUIET ? TW_TONE_QUIET : TW_TONE_PLAIN;
        break;
    case WHOSE:
        tw_string_append(text, c->party == TCPWHY_PARTY_NONE ? "-" : tcpwhy_party_name(c->party));
        break;
    case CHANGE:
        tw_string_append(text, c->change == TCPWHY_CHANGE_NONE      ? "="
                               : c->change == TCPWHY_CHANGE_UNKNOWN ? "?"
                               : c->change == TCPWHY_CHANGE_OTHER   ? "differs"
                                                                  : tcpwhy_change_name(c->change));
        *tone = tw_compare_tone(c->change);
        break;
    case TOTAL:
        tw_string_append(text, c->ns[when] > 0 ? tw_column(c->ns[when], all->most_ns).text : "-");
        break;
    case PER_EXCHANGE:
        tw_compare_put_ms(text, c->per_exchange_ns[when], all->most_per_exchange_ns);
        break;
    case PER_CONNECTION:
        tw_compare_put_ms(text, c->per_connection_ns[when], all->most_per_connection_ns);
        break;
    case PER_MEGABYTE:
        tw_compare_put_ms(text, c->per_megabyte_ns[when], TCPWHY_S(1));
        break;
    }
}

void tw_compare_causes_table(struct tw_layout *page, const struct tw_listener_change *l,
                             tw_table_fn *draw)
{
    struct causes causes = { .listener = l };
    struct tw_table table = {
        .indent = 2, .n_rows = MIN(l->n_causes, MAX_CAUSES), .data = &causes, .cell = cause_cell
    };

    for (size_t i = 0; i < l->n_causes; i++) {
        const struct tcpwhy_cause_change *c = &l->causes[i];

        for (int when = 0; when < 2; when++) {
            causes.most_ns = MAX(causes.most_ns, c->ns[when]);
            causes.most_per_exchange_ns =
                MAX(causes.most_per_exchange_ns, c->per_exchange_ns[when]);
            causes.most_per_connection_ns =
                MAX(causes.most_per_connection_ns, c->per_connection_ns[when]);
        }
    }
    choose_columns(&causes, page);
    table.columns = causes.columns;
    table.n_columns = causes.n;
    draw(page, &table);
}

#define OF(member) TW_AT(struct tcpwhy_cause_change, member)

const struct tw_field tw_compare_cause_fields[] = {
    { "cause", TW_NAME, OF(cause), .name = tw_name_cause },
    { "party", TW_NAME, OF(party), .name = tw_name_party },
    { "change", TW_NAME, OF(change), .name = tw_name_change },
    { "by", TW_NAME, OF(by), .name = tw_name_per },
    { "ms", TW_MS, OF(ns), .pair = true },
    { "count", TW_UINT, OF(count), .pair = true },
    { "per_exchange_ms", TW_MS, OF(per_exchange_ns), .pair = true },
    { "per_connection_ms", TW_MS, OF(per_connection_ns), .pair = true },
    { "per_megabyte_ms", TW_MS, OF(per_megabyte_ns), .pair = true },
    { "share", TW_REAL, OF(share), .pair = true },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence, .pair = true },
    TW_FIELDS_END,
};

#undef OF
