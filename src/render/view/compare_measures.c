/* SPDX-License-Identifier: MIT */
/* Connections, requests and latencies, before and after. */
#include "base/array.h"
#include "base/ns.h"
#include "base/number.h"
#include "base/text.h"
#include "render/view/compare.h"
#include "report/compare/compare.h"

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
