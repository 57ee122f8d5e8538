/* SPDX-License-Identifier: MIT */
/*
 * A ledger: time by cause and owner, with its confidence. The milliseconds of its JSON carry every
 * nanosecond, so that they add up to the duration exactly; elsewhere it is a table, with bars as
 * text.
 */
#include <string.h>

#include <glib.h>

#include "base/ns.h"
#include "base/number.h"
#include "base/text.h"
#include "render/view/view.h"
#include "render/writers/fields.h"

/* An entry; in text, all those of a cause that the same party owns; or, at the end of a table, a
 * sum of several. */
struct row {
    struct tcpwhy_ledger_entry e;
    bool both;       /* sides are waited for */
    const char *sum; /* its name, of a sum */
    tcpwhy_ns total_ns;
    tcpwhy_ns certain_ns; /* how much of it is certain */
    tcpwhy_ns found_ns;   /* and how much the findings name */
    tcpwhy_ns whole_ns;   /* sets the unit */
    unsigned decimals;    /* of the number in its column that has most */
    double share, bar;
};

static struct row row_of(const struct tcpwhy_ledger_entry *e, tcpwhy_ns total_ns)
{
    double share = total_ns > 0 ? (double)e->ns / (double)total_ns : 0;

    return (struct row) { .e = *e,
                          .total_ns = total_ns,
                          .certain_ns = e->confidence == TCPWHY_CERTAIN ? e->ns : 0,
                          .share = share,
                          .bar = share };
}

static struct row sum_of(const char *name, tcpwhy_ns ns, tcpwhy_ns total_ns)
{
    const struct tcpwhy_ledger_entry e = { .ns = ns };
    struct row row = row_of(&e, total_ns);

    row.sum = name;
    return row;
}

static tcpwhy_ns total_of(const struct tcpwhy_ledger_entry *entry, size_t n)
{
    tcpwhy_ns total_ns = 0;

    for (size_t i = 0; i < n; i++)
        total_ns = tw_ns_add(total_ns, entry[i].ns);
    return total_ns;
}

/* ---- the fields ------------------------------------------------------------------------------ */

static bool is_entry(const void *row)
{
    return !((const struct row *)row)->sum;
}

static void cause_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    tw_string_append(text, r->sum ? r->sum : tw_name_cause(r->e.cause));
    *tone = r->sum ? TW_TONE_QUIET : tw_text_cause_tone(r->e.cause);
}

static void direction_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    tw_string_append(text, r->both ? "both" : tw_name_side(r->e.from));
    *tone = TW_TONE_PLAIN;
}

/* Digits behind the point; a point without any is as wide as one of them. */
static unsigned decimals_of(const char *number)
{
    const char *point = strchr(number, '.');

    return point ? (unsigned)strlen(point) : 0;
}

/* Points stand below each other. */
static void aligned(const struct row *r, tcpwhy_ns ns, tw_string *text)
{
    const struct tw_short_text number = tw_column(ns, r->whole_ns);

    tw_string_append_printf(text, "%s%*s", number.text,
                            (int)(r->decimals - decimals_of(number.text)), "");
}

static void time_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    aligned(r, r->e.ns, text);
    *tone = r->sum ? TW_TONE_QUIET : TW_TONE_PLAIN;
}

static void found_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    if (r->found_ns > 0)
        aligned(r, r->found_ns, text);
    *tone = TW_TONE_PLAIN;
}

static void share_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    tw_string_append(text, tw_percent(r->share).text);
    *tone = r->sum ? TW_TONE_QUIET : TW_TONE_PLAIN;
}

/* A row that is certain but for a rest is not shown as wholly certain. */
#define MOST_IN_PART 0.99

static void confidence_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;
    double share;

    *tone = r->certain_ns == r->e.ns ? TW_TONE_PLAIN : TW_TONE_WARN;
    if (r->certain_ns == 0 || r->certain_ns == r->e.ns) {
        tw_string_append(text, tw_name_confidence(r->e.confidence));
        return;
    }
    share = MIN((double)r->certain_ns / (double)r->e.ns, MOST_IN_PART);
    tw_string_append_printf(text, "%s certain", tw_percent(share).text);
}

static void bar_tone(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    (void)text;
    *tone = r->sum ? TW_TONE_QUIET : tw_text_cause_tone(r->e.cause);
}

#define OF(member) TW_AT(struct row, member)

static const struct tw_field ledger_fields[] = {
    { "cause", TW_NAME, OF(e.cause), .name = tw_name_cause, .title = "cause", .cell = cause_cell },
    { "party", TW_NAME, OF(e.party), .name = tw_name_party, .title = "owner", .shown = is_entry },
    { "direction", TW_NAME, OF(e.from), .name = tw_name_side, .title = "waiting for", .leaves = 3,
      .shown = is_entry, .cell = direction_cell },
    { "confidence", TW_NAME, OF(e.confidence), .name = tw_name_confidence, .title = "confidence",
      .leaves = 2, .shown = is_entry, .cell = confidence_cell, .column = 4 },
    { "rival", TW_NAME, OF(e.rival), .name = tw_name_rival },
    { "ms", TW_MS, OF(e.ns), .title = "ms", .cell = time_cell, .column = 1 },
    { NULL, TW_MS, OF(found_ns), .title = "findings", .leaves = 1, .cell = found_cell,
      .column = 1 },
    { "share", TW_REAL, OF(share), .title = "share", .cell = share_cell, .column = 2 },
    { "count", TW_UINT, OF(e.count), .title = "count", .shown = is_entry, .column = 3 },
    { NULL, TW_REAL, OF(bar), .title = "", .leaves = 1, .bar = true, .cell = bar_tone,
      .column = 5 },
    TW_FIELDS_END,
};

#undef OF

/* ---- JSON ------------------------------------------------------------------------------------ */

void tw_json_ledger(struct tw_json *json, const struct tcpwhy_ledger_entry *entry, size_t n)
{
    tcpwhy_ns total_ns = total_of(entry, n);

    tw_json_array(json, "ledger");
    for (size_t i = 0; i < n; i++) {
        const struct row row = row_of(&entry[i], total_ns);

        tw_json_record(json, NULL, ledger_fields, &row);
    }
    tw_json_end(json);
}

#define SPAN(member) TW_AT(struct tcpwhy_span, member)

static const struct tw_field charge_fields[] = {
    { "cause", TW_NAME, SPAN(cause), .name = tw_name_cause },
    { "party", TW_NAME, SPAN(party), .name = tw_name_party },
    { "direction", TW_NAME, SPAN(from), .name = tw_name_side },
    { "confidence", TW_NAME, SPAN(confidence), .name = tw_name_confidence },
    { "rival", TW_NAME, SPAN(rival), .name = tw_name_rival },
    TW_FIELDS_END,
};

void tw_json_charge(struct tw_json *json, const struct tcpwhy_span *span)
{
    tw_json_members(json, charge_fields, span);
}

void tw_json_spans(struct tw_json *json, const struct tw_stream_row *stream)
{
    tw_json_array(json, "spans");
    for (size_t i = 0; i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];

        tw_json_object(json, NULL);
        tw_json_ms(json, "from_ms", s->from_ns);
        tw_json_ms(json, "to_ms", s->to_ns);
        tw_json_charge(json, s);
        tw_json_frame(json, "first_frame", s->first_frame);
        tw_json_frame(json, "last_frame", s->last_frame);
        tw_json_end(json);
    }
    tw_json_end(json);
}

/* ---- a table --------------------------------------------------------------------------------- */

/* A cause has one row for each party that owns it, which shows how much of it is certain. */
static bool is_part_of(const struct tcpwhy_ledger_entry *entry, const struct row *row)
{
    return entry->cause == row->e.cause && entry->party == row->e.party;
}

static void add(struct row *row, const struct tcpwhy_ledger_entry *entry)
{
    /* the first entry is the largest, except for the certain part, which its share shows */
    if (row->certain_ns == row->e.ns && entry->confidence != TCPWHY_CERTAIN)
        row->e.confidence = entry->confidence;
    row->both = row->both || entry->from != row->e.from;
    row->e.ns = tw_ns_add(row->e.ns, entry->ns);
    row->e.count += entry->count;
    row->e.first_ns = MIN(row->e.first_ns, entry->first_ns);
    if (entry->confidence == TCPWHY_CERTAIN)
        row->certain_ns = tw_ns_add(row->certain_ns, entry->ns);
}

/* A row that has grown goes up to where it belongs. */
static void rise(struct row *row, size_t at)
{
    for (; at > 0 && row[at - 1].e.ns < row[at].e.ns; at--) {
        struct row less = row[at - 1];

        row[at - 1] = row[at];
        row[at] = less;
    }
}

/* The rows, costliest first, as the entries are. @return how many; they are as many as those at
 * most. */
static size_t join(const struct tcpwhy_ledger_entry *ledger, size_t n, struct row *row)
{
    tcpwhy_ns total_ns = total_of(ledger, n);
    size_t rows = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = 0;

        while (at < rows && !is_part_of(&ledger[i], &row[at]))
            at++;
        if (at == rows) {
            row[rows++] = row_of(&ledger[i], total_ns);
            continue;
        }
        add(&row[at], &ledger[i]);
        rise(row, at);
    }
    for (size_t i = 0; i < rows && total_ns > 0; i++)
        row[i].share = row[i].bar = (double)row[i].e.ns / (double)total_ns;
    return rows;
}

/* Do the entries share the time of all that the report is about, as its findings do? */
static bool is_whole(const tcpwhy_report *report, tcpwhy_ns total_ns)
{
    size_t n;
    const struct tcpwhy_ledger_entry *e = tw_report_ledger(report, &n);

    return total_ns == total_of(e, n);
}

/* What the findings name of a row that they are about. */
static void find(struct row *row, const tcpwhy_report *report)
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].cause == row->e.cause && f[i].party == row->e.party)
            row->found_ns = tw_ns_add(row->found_ns, f[i].cost_ns);
}

/* Give the rows their unit. @return whether a finding has another number than its row. */
static bool measure(struct row *row, size_t n, tcpwhy_ns whole_ns)
{
    unsigned decimals = 0;
    bool differs = false;

    for (size_t i = 0; i < n; i++) {
        const struct tw_short_text of_row = tw_column(row[i].e.ns, whole_ns);
        const struct tw_short_text of_finding = tw_column(row[i].found_ns, whole_ns);

        differs = differs || (row[i].found_ns > 0 && strcmp(of_row.text, of_finding.text) != 0);
        decimals = MAX(decimals, decimals_of(of_row.text));
        if (row[i].found_ns > 0)
            decimals = MAX(decimals, decimals_of(of_finding.text));
    }
    for (size_t i = 0; i < n; i++) {
        row[i].whole_ns = whole_ns;
        row[i].decimals = decimals;
    }
    return differs;
}

void tw_ledger_table(const struct tw_form *form, struct tw_layout *page,
                     const tcpwhy_report *report, const struct tcpwhy_ledger_entry *ledger,
                     size_t n, size_t max_rows)
{
    struct row *rows = tw_new(struct row, n + 2);
    size_t n_joined = join(ledger, n, rows);
    size_t n_rows = max_rows > 0 && n_joined > max_rows ? max_rows - 1 : n_joined;
    tcpwhy_ns total_ns = total_of(ledger, n), rest_ns = 0;
    tcpwhy_ns whole_ns = report ? tw_report_whole(report) : total_ns;
    struct tw_field own[G_N_ELEMENTS(ledger_fields)];
    size_t n_fields = 0;
    bool differ;

    if (report && is_whole(report, total_ns))
        for (size_t i = 0; i < n_rows; i++)
            find(&rows[i], report);
    for (size_t i = n_rows; i < n_joined; i++)
        rest_ns = tw_ns_add(rest_ns, rows[i].e.ns);
    if (n_rows < n_joined)
        rows[n_rows++] = sum_of("other", rest_ns, total_ns);
    if (max_rows == 0) {
        rows[n_rows] = sum_of("total", total_ns, total_ns);
        rows[n_rows++].bar = 0;
    }
    differ = measure(rows, n_rows, whole_ns);
    for (size_t i = 0; i < G_N_ELEMENTS(ledger_fields); i++) {
        if (ledger_fields[i].cell == found_cell && !differ)
            continue;
        own[n_fields++] = ledger_fields[i];
        if (ledger_fields[i].cell == time_cell)
            own[n_fields - 1].title = tw_column_unit(whole_ns);
    }
    tw_fields_draw(page, own, rows, n_rows, sizeof(*rows), 2, form->table);
    tw_free(rows);
}
