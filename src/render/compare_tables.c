/* SPDX-License-Identifier: MIT */
/*
 * Before and after in columns. What does not fit 80 columns is what can be left out: the same times
 * divided another way.
 */
#include "render/compare_tables.h"

#include "base/ns.h"
#include "render/compare_words.h"
#include "render/number.h"
#include "render/table.h"
#include "render/text_parts.h"
#include "report/compare.h"

/* From here on there is room for times a connection beside those a request; and below this, not
 * even for those in all. */
#define WIDE_COLUMNS   100
#define NARROW_COLUMNS 76

/* Rows; the JSON has all. */
#define MAX_CAUSES 14

/* Beyond twice as much, a factor reads better than percents. */
#define FACTOR_FROM 2.0

void tw_compare_ratio(GString *to, double before, double after)
{
    char number[TW_NUMBER_TEXT];

    if (before == after)
        g_string_append(to, "=");
    else if (before <= 0 || after <= 0)
        g_string_append(to, "");
    else if (after >= FACTOR_FROM * before)
        g_string_append_printf(
            to, "\u00D7 %s",
            after < 10 * before
                ? tw_number_fixed((int64_t)(after / before * 10 + 0.5), 1, 1, true, number)
                : tw_number_count((uint64_t)(after / before + 0.5), number));
    else
        g_string_append_printf(
            to, "%s%s", after > before ? "+" : "-",
            tw_number_percent((after > before ? after - before : before - after) / before, number));
}

static enum tw_tone tone_of(enum tcpwhy_change change)
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

/* Milliseconds with as many decimals as the largest beside them needs; "-" for none. */
static void put_ms(GString *text, tcpwhy_ns ns, tcpwhy_ns largest_ns)
{
    char number[TW_NUMBER_TEXT];

    if (ns == 0 || ns == TCPWHY_NS_UNKNOWN)
        g_string_append_c(text, '-');
    else
        g_string_append(text, tw_number_ms(ns, largest_ns < TCPWHY_MS(100) ? 2 : 1, number));
}

/* ---- measures -------------------------------------------------------------------------------- */

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

static tcpwhy_ns lost_each(const struct tcpwhy_listener_change *l, enum tcpwhy_when when)
{
    uint64_t n = l->per == TCPWHY_PER_EXCHANGE ? l->latency[when].count : l->connections[when];

    return n ? l->lost_ns[when] / (tcpwhy_ns)n : TCPWHY_NS_UNKNOWN;
}

static void put_value(GString *text, const struct measure *m, enum tcpwhy_when when)
{
    int64_t value = m->value[when];
    char number[TW_NUMBER_TEXT];

    if (value == TCPWHY_NS_UNKNOWN)
        g_string_append_c(text, '-');
    else if (m->unit == MS)
        put_ms(text, value, MAX(m->value[0], m->value[1]));
    else if (m->unit == BYTES)
        g_string_append(text, tw_number_bytes((uint64_t)value, number));
    else if (m->unit == A_SECOND)
        g_string_append(text, tw_number_fixed(value, 3, value < 10000 ? 2 : 0, true, number));
    else
        g_string_append(text, tw_number_count((uint64_t)value, number));
}

static void measure_cell(const struct tw_page *page, const void *data, size_t row, size_t column,
                         GString *text, enum tw_tone *tone)
{
    const struct measure *m = &g_array_index((const GArray *)data, struct measure, row);
    bool known = m->value[0] != TCPWHY_NS_UNKNOWN && m->value[1] != TCPWHY_NS_UNKNOWN;

    (void)page;
    if (column == NAME)
        g_string_append(text, m->name);
    else if (column != RATIO)
        put_value(text, m, column == AFTER ? TCPWHY_AFTER : TCPWHY_BEFORE);
    else if (known)
        tw_compare_ratio(text, (double)m->value[0], (double)m->value[1]);
    if (column == RATIO)
        *tone = known && m->unit == MS
                    ? tone_of(tw_compare_values(m->value[0], m->value[1], TW_SAME_NS))
                    : TW_TONE_QUIET;
}

static void add(GArray *rows, const char *name, enum unit unit, int64_t before, int64_t after)
{
    const struct measure m = { name, unit, { before, after } };

    g_array_append_val(rows, m);
}

static void add_latencies(GArray *rows, const struct tcpwhy_percentiles p[2])
{
    add(rows, "requests answered", COUNT, (int64_t)p[0].count, (int64_t)p[1].count);
    add(rows, "requests a second", A_SECOND, a_second(&p[0]), a_second(&p[1]));
    add(rows, "median ms", MS, p[0].p50_ns, p[1].p50_ns);
    add(rows, "p75 ms", MS, p[0].p75_ns, p[1].p75_ns);
    add(rows, "p90 ms", MS, p[0].p90_ns, p[1].p90_ns);
    add(rows, "p99 ms", MS, p[0].p99_ns, p[1].p99_ns);
    add(rows, "slowest ms", MS, p[0].max_ns, p[1].max_ns);
}

void tw_compare_measures(struct tw_page *page, const struct tcpwhy_listener_change *l,
                         tw_compare_draw *draw)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct measure));
    struct tw_table table = { .columns = measure_columns,
                              .n_columns = G_N_ELEMENTS(measure_columns),
                              .indent = 2,
                              .data = rows,
                              .cell = measure_cell };

    add(rows, "connections", COUNT, (int64_t)l->connections[0], (int64_t)l->connections[1]);
    if (l->unanswered[0] + l->unanswered[1] > 0)
        add(rows, "not answered", COUNT, (int64_t)l->unanswered[0], (int64_t)l->unanswered[1]);
    if (l->refused[0] + l->refused[1] > 0)
        add(rows, "refused", COUNT, (int64_t)l->refused[0], (int64_t)l->refused[1]);
    if (l->latency[0].count + l->latency[1].count > 0)
        add_latencies(rows, l->latency);
    add(rows, l->per == TCPWHY_PER_EXCHANGE ? "lost ms a request" : "lost ms a connection", MS,
        lost_each(l, TCPWHY_BEFORE), lost_each(l, TCPWHY_AFTER));
    add(rows, "payload", BYTES, (int64_t)l->payload_bytes[0], (int64_t)l->payload_bytes[1]);
    table.n_rows = rows->len;
    draw(page, &table);
    g_array_free(rows, TRUE);
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* What a column of the causes shows, and of when. */
enum show { CAUSE, WHOSE, CHANGE, TOTAL, PER_EXCHANGE, PER_CONNECTION, PER_MEGABYTE };

struct shown {
    enum show show;
    enum tcpwhy_when when;
};

struct causes {
    const struct tcpwhy_listener_change *listener;
    struct tw_column columns[TW_TABLE_MAX_COLUMNS];
    struct shown shown[TW_TABLE_MAX_COLUMNS];
    size_t n;
    tcpwhy_ns most_per_exchange_ns, most_per_connection_ns;
};

static void column(struct causes *c, enum show show, enum tcpwhy_when when, const char *title)
{
    c->columns[c->n] = (struct tw_column) { .title = title,
                                            .right = show >= TOTAL,
                                            .min = show == CAUSE ? 16 : 0,
                                            .leaves = show == WHOSE };
    c->shown[c->n++] = (struct shown) { show, when };
}

static void pair(struct causes *c, enum show show, const char *before, const char *after)
{
    column(c, show, TCPWHY_BEFORE, before);
    column(c, show, TCPWHY_AFTER, after);
}

static void choose_columns(struct causes *c, const struct tw_page *page)
{
    enum tcpwhy_per per = c->listener->per;

    column(c, CAUSE, TCPWHY_BEFORE, "cause");
    column(c, WHOSE, TCPWHY_BEFORE, "whose");
    column(c, CHANGE, TCPWHY_BEFORE, "change");
    if (page->columns >= NARROW_COLUMNS)
        pair(c, TOTAL, "ms before", "after");
    if (per == TCPWHY_PER_EXCHANGE)
        pair(c, PER_EXCHANGE, "a request", "now");
    else if (per == TCPWHY_PER_MEGABYTE)
        pair(c, PER_MEGABYTE, "a megabyte", "now");
    if (per == TCPWHY_PER_CONNECTION || page->columns >= WIDE_COLUMNS)
        pair(c, PER_CONNECTION, "a connection", "now");
}

static void cause_cell(const struct tw_page *page, const void *data, size_t row, size_t at,
                       GString *text, enum tw_tone *tone)
{
    const struct causes *all = data;
    const struct tcpwhy_cause_change *c = &all->listener->causes[row];
    enum tcpwhy_when when = all->shown[at].when;

    (void)page;
    switch (all->shown[at].show) {
    case CAUSE:
        g_string_append(text, tcpwhy_cause_info(c->cause)->name);
        *tone = tw_text_cause_tone(c->cause) == TW_TONE_QUIET ? TW_TONE_QUIET : TW_TONE_PLAIN;
        break;
    case WHOSE:
        g_string_append(text, c->party == TCPWHY_PARTY_NONE ? "-" : tcpwhy_party_name(c->party));
        break;
    case CHANGE:
        g_string_append(text, c->change == TCPWHY_CHANGE_NONE      ? "="
                              : c->change == TCPWHY_CHANGE_UNKNOWN ? "?"
                              : c->change == TCPWHY_CHANGE_OTHER   ? "differs"
                                                                   : tcpwhy_change_name(c->change));
        *tone = tone_of(c->change);
        break;
    case TOTAL:
        put_ms(text, c->ns[when], TCPWHY_S(1));
        break;
    case PER_EXCHANGE:
        put_ms(text, c->per_exchange_ns[when], all->most_per_exchange_ns);
        break;
    case PER_CONNECTION:
        put_ms(text, c->per_connection_ns[when], all->most_per_connection_ns);
        break;
    case PER_MEGABYTE:
        put_ms(text, c->per_megabyte_ns[when], TCPWHY_S(1));
        break;
    }
}

void tw_compare_causes_table(struct tw_page *page, const struct tcpwhy_listener_change *l,
                             tw_compare_draw *draw)
{
    struct causes causes = { .listener = l };
    struct tw_table table = {
        .indent = 2, .n_rows = MIN(l->n_causes, MAX_CAUSES), .data = &causes, .cell = cause_cell
    };

    for (size_t i = 0; i < l->n_causes; i++) {
        const struct tcpwhy_cause_change *c = &l->causes[i];

        for (int when = 0; when < 2; when++) {
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

/* ---- listeners ------------------------------------------------------------------------------- */

enum { LISTENER, L_CHANGE, MEDIAN, REQUESTS, LOST, CONNECTIONS };

static const struct tw_column listener_columns[] = {
    [LISTENER] = { .title = "listener", .min = 14 },
    [L_CHANGE] = { .title = "change" },
    [MEDIAN] = { .title = "median ms", .right = true },
    [REQUESTS] = { .title = "requests", .right = true, .leaves = 1 },
    [LOST] = { .title = "lost ms each", .right = true, .leaves = 2 },
    [CONNECTIONS] = { .title = "connections", .right = true, .leaves = 3 },
};

static const char *listener_change(const struct tcpwhy_listener_change *l)
{
    if (l->endpoint[0].version == 0)
        return "only after";
    if (l->endpoint[1].version == 0)
        return "only before";
    return l->change == TCPWHY_CHANGE_NONE ? "=" : tcpwhy_change_name(l->change);
}

/* "680 \u2192 27,300" */
static void put_counts(GString *text, uint64_t before, uint64_t after)
{
    char number[TW_NUMBER_TEXT];

    g_string_append(text, before ? tw_number_count(before, number) : "-");
    g_string_append(text, " \u2192 ");
    g_string_append(text, after ? tw_number_count(after, number) : "-");
}

static void put_times(GString *text, tcpwhy_ns before, tcpwhy_ns after)
{
    put_ms(text, before, MAX(before, after));
    g_string_append(text, " \u2192 ");
    put_ms(text, after, MAX(before, after));
}

static void listener_cell(const struct tw_page *page, const void *data, size_t row, size_t at,
                          GString *text, enum tw_tone *tone)
{
    const struct tcpwhy_listener_change *l = (const struct tcpwhy_listener_change *)data + row;

    (void)page;
    switch (at) {
    case LISTENER:
        tw_compare_where(text, l);
        break;
    case L_CHANGE:
        g_string_append(text, listener_change(l));
        *tone = tone_of(l->change);
        break;
    case MEDIAN:
        put_times(text, l->latency[0].p50_ns, l->latency[1].p50_ns);
        break;
    case REQUESTS:
        put_counts(text, l->latency[0].count, l->latency[1].count);
        break;
    case LOST:
        put_times(text, lost_each(l, TCPWHY_BEFORE), lost_each(l, TCPWHY_AFTER));
        break;
    default:
        put_counts(text, l->connections[0], l->connections[1]);
        break;
    }
}

void tw_compare_listeners(struct tw_page *page, const struct tcpwhy_listener_change *listener,
                          size_t n, tw_compare_draw *draw)
{
    struct tw_table table = { .columns = listener_columns,
                              .n_columns = G_N_ELEMENTS(listener_columns),
                              .n_rows = MIN(n, TW_COMPARE_LISTENERS),
                              .indent = 2,
                              .data = listener,
                              .cell = listener_cell };

    draw(page, &table);
}
