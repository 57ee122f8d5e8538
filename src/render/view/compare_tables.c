/* SPDX-License-Identifier: MIT */
/*
 * The tables of a comparison: connections, requests and latencies; causes and their times, of which
 * columns that do not fit are the same times per another unit.
 */
#include "base/array.h"
#include "base/ns.h"
#include "base/number.h"
#include "base/text.h"
#include "render/view/compare.h"
#include "render/view/view.h"
#include "report/compare/compare.h"

/* ---- cells ----------------------------------------------------------------------------------- */

/* Beyond twice as much, a factor reads better than percents. */
#define FACTOR_FROM 2.0

void tw_compare_ratio(tw_string *to, double before, double after)
{
    if (before == after)
        tw_string_append(to, "=");
    else if (before <= 0 || after <= 0)
        tw_string_append(to, "");
    else if (after >= FACTOR_FROM * before)
        tw_string_append_printf(
            to, "\u00D7 %s",
            after < 10 * before ? tw_fixed((int64_t)(after / before * 10 + 0.5), 1, 1, true).text
                                : tw_count((uint64_t)(after / before + 0.5)).text);
    else
        tw_string_append_printf(
            to, "%s%s", after > before ? "+" : "-",
            tw_percent((after > before ? after - before : before - after) / before).text);
}

enum tw_tone tw_compare_tone(enum tcpwhy_change change)
{
    switch (change) {
    case TCPWHY_CHANGE_BETTER:
    case TCPWHY_CHANGE_GONE:
        return TW_TONE_GOOD;
    case TCPWHY_CHANGE_WORSE:
    case TCPWHY_CHANGE_NEW:
        return TW_TONE_BAD;
    default:
        return TW_TONE_QUIET;
    }
}

void tw_compare_put_ms(tw_string *text, tcpwhy_ns ns, tcpwhy_ns largest_ns)
{
    unsigned decimals = largest_ns < TCPWHY_US(100) ? 3 : largest_ns < TCPWHY_MS(100) ? 2 : 1;

    if (ns == 0 || ns == TCPWHY_NS_UNKNOWN)
        tw_string_append_c(text, '-');
    else
        tw_string_append(text, tw_ms(ns, decimals).text);
}

tcpwhy_ns tw_compare_lost_each(const struct tw_listener_change *l, enum tcpwhy_when when)
{
    uint64_t n = l->per == TCPWHY_PER_EXCHANGE ? l->latency[when].count : l->connections[when];

    return n ? l->lost_ns[when] / (tcpwhy_ns)n : TCPWHY_NS_UNKNOWN;
}

/* ---- connections, requests, latencies -------------------------------------------------------- */

enum { NAME, BEFORE, AFTER, RATIO };

static const struct tw_column measure_columns[] = {
    [NAME] = { .title = "" },
    [BEFORE] = { .title = "before", .right = true },
    [AFTER] = { .title = "after", .right = true },
    [RATIO] = { .title = "", .right = true },
};

enum unit { COUNT, MS, BYTES, A_SECOND };

/* One row; values of TCPWHY_NS_UNKNOWN are not known. */
struct measure {
    const char *name;
    enum unit unit;
    int64_t value[2];
};

/* In thousandths. */
static int64_t a_second(const struct tcpwhy_percentiles *p)
{
    return p->count > 0 && p->last_ns > p->first_ns
               ? tw_ns_from((double)p->count * 1e12 / (double)(p->last_ns - p->first_ns) + 0.5)
               : TCPWHY_NS_UNKNOWN;
}

static void put_value(tw_string *text, const struct measure *m, enum tcpwhy_when when)
{
    int64_t value = m->value[when];

    if (value == TCPWHY_NS_UNKNOWN)
        tw_string_append_c(text, '-');
    else if (m->unit == MS)
        tw_compare_put_ms(text, value, MAX(m->value[0], m->value[1]));
    else if (m->unit == BYTES)
        tw_string_append(text, tw_byte_size((uint64_t)value).text);
    else if (m->unit == A_SECOND)
        tw_string_append(text, tw_fixed(value, 3, value < 10000 ? 2 : 0, true).text);
    else
        tw_string_append(text, tw_count((uint64_t)value).text);
}

static void measure_cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                         tw_string *text, enum tw_tone *tone)
{
    const struct measure *m = &tw_array_index((const tw_array *)data, struct measure, row);
    bool known = m->value[0] != TCPWHY_NS_UNKNOWN && m->value[1] != TCPWHY_NS_UNKNOWN;

    (void)page;
    if (column == NAME)
        tw_string_append(text, m->name);
    else if (column != RATIO)
        put_value(text, m, column == AFTER ? TCPWHY_AFTER : TCPWHY_BEFORE);
    else if (known)
        tw_compare_ratio(text, (double)m->value[0], (double)m->value[1]);
    if (column == RATIO)
        *tone = known && m->unit == MS
                    ? tw_compare_tone(tw_compare_values(m->value[0], m->value[1], TW_SAME_NS))
                    : TW_TONE_QUIET;
}

static void add(tw_array *rows, const char *name, enum unit unit, int64_t before, int64_t after)
{
    const struct measure m = { name, unit, { before, after } };

    tw_array_append_val(rows, m);
}

/* The nearest rank of fewer requests is the slowest, which comes last. */
static void add_percentile(tw_array *rows, const char *name, bool tells, tcpwhy_ns before,
                           tcpwhy_ns after)
{
    if (tells)
        add(rows, name, MS, before, after);
}

/* Answers 5xx, requests without an answer, and good answers where there are others. */
static void add_failures(tw_array *rows, const struct tw_listener_change *l)
{
    if (l->unheard[0] + l->unheard[1] > 0)
        add(rows, "never answered", COUNT, (int64_t)l->unheard[0], (int64_t)l->unheard[1]);
    if (l->status[0].n[5] + l->status[1].n[5] == 0)
        return;
    add(rows, "failed (5xx)", COUNT, (int64_t)l->status[0].n[5], (int64_t)l->status[1].n[5]);
    add(rows, "good answers", COUNT, (int64_t)l->good[0].count, (int64_t)l->good[1].count);
}

/* Latencies are those of good answers. */
static void add_latencies(tw_array *rows, const struct tw_listener_change *l)
{
    const struct tcpwhy_percentiles *p = l->good;
    const uint64_t most = MAX(p[0].count, p[1].count);

    add(rows, "requests answered", COUNT, (int64_t)l->latency[0].count,
        (int64_t)l->latency[1].count);
    add(rows, "requests/s", A_SECOND, a_second(&l->latency[0]), a_second(&l->latency[1]));
    add_failures(rows, l);
    add(rows, "median ms", MS, p[0].p50_ns, p[1].p50_ns);
    add_percentile(rows, "p75 ms", most >= 4, p[0].p75_ns, p[1].p75_ns);
    add_percentile(rows, "p90 ms", most >= 10, p[0].p90_ns, p[1].p90_ns);
    add_percentile(rows, "p99 ms", most >= 100, p[0].p99_ns, p[1].p99_ns);
    add(rows, "max ms", MS, p[0].max_ns, p[1].max_ns);
}

void tw_compare_measures(struct tw_layout *page, const struct tw_listener_change *l,
                         tw_table_fn *draw)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct measure));
    struct tw_table table = { .columns = measure_columns,
                              .n_columns = G_N_ELEMENTS(measure_columns),
                              .indent = 2,
                              .data = rows,
                              .cell = measure_cell };

    add(rows, "connections", COUNT, (int64_t)l->connections[0], (int64_t)l->connections[1]);
    if (l->unanswered[0] + l->unanswered[1] > 0)
        add(rows, "unanswered", COUNT, (int64_t)l->unanswered[0], (int64_t)l->unanswered[1]);
    if (l->refused[0] + l->refused[1] > 0)
        add(rows, "refused", COUNT, (int64_t)l->refused[0], (int64_t)l->refused[1]);
    if (l->latency[0].count + l->latency[1].count > 0)
        add_latencies(rows, l);
    add(rows, l->per == TCPWHY_PER_EXCHANGE ? "lost ms per request" : "lost ms per connection", MS,
        tw_compare_lost_each(l, TCPWHY_BEFORE), tw_compare_lost_each(l, TCPWHY_AFTER));
    add(rows, "payload", BYTES, (int64_t)l->payload_bytes[0], (int64_t)l->payload_bytes[1]);
    table.n_rows = rows->len;
    draw(page, &table);
    tw_array_free(rows, TRUE);
}

/* ---- causes ---------------------------------------------------------------------------------- */

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
