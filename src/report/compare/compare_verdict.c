/* SPDX-License-Identifier: MIT */
/*
 * The verdict of a comparison: for one listener the measure that people notice first, and what
 * changed it; overall, the listener with the largest gain or loss.
 */
#include "base/array.h"
#include "base/ns.h"
#include "report/compare/compare.h"
#include "report/findings/materiality.h"

/* A tenth of fewer requests than this, or a hundredth, is no one's experience. */
#define LEAST_FOR_P90 10
#define LEAST_FOR_P99 100

/* A second cause is named when it did at least this part of what the first did. */
#define SECOND_PART 4

/* ---- measures -------------------------------------------------------------------------------- */

static void set(struct tw_comparison_verdict *v, enum tcpwhy_measure measure, int64_t before,
                int64_t after, enum tcpwhy_change change)
{
    v->measure = measure;
    v->value[0] = before;
    v->value[1] = after;
    v->change = change;
}

/* The median when it changed, else what the slowest lived, else the median all the same. */
static void measure_latency(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    const struct tcpwhy_percentiles *b = &l->good[0], *a = &l->good[1];
    const struct {
        enum tcpwhy_measure measure;
        tcpwhy_ns before, after;
        uint64_t least;
    } steps[] = { { TCPWHY_MEASURE_P50, b->p50_ns, a->p50_ns, 1 },
                  { TCPWHY_MEASURE_P90, b->p90_ns, a->p90_ns, LEAST_FOR_P90 },
                  { TCPWHY_MEASURE_P99, b->p99_ns, a->p99_ns, LEAST_FOR_P99 } };

    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
        enum tcpwhy_change change = tw_compare_values(steps[i].before, steps[i].after, TW_SAME_NS);

        if (change == TCPWHY_CHANGE_NONE || MIN(b->count, a->count) < steps[i].least)
            continue;
        set(v, steps[i].measure, steps[i].before, steps[i].after, change);
        return;
    }
    set(v, TCPWHY_MEASURE_P50, b->p50_ns, a->p50_ns, TCPWHY_CHANGE_NONE);
}

/* Requests were answered in one of the two only. */
static void measure_answers(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    int64_t before = (int64_t)l->latency[0].count, after = (int64_t)l->latency[1].count;

    set(v, TCPWHY_MEASURE_ANSWERED, before, after,
        after ? TCPWHY_CHANGE_BETTER : TCPWHY_CHANGE_WORSE);
}

static int64_t rate_of(const struct tw_listener_change *l, enum tcpwhy_when when)
{
    return l->waited_ns[when] > 0
               ? tw_ns_from((double)l->payload_bytes[when] * 8e9 / (double)l->waited_ns[when])
               : 0;
}

static void measure_rate(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    int64_t before = rate_of(l, TCPWHY_BEFORE), after = rate_of(l, TCPWHY_AFTER);

    /* more is better here */
    set(v, TCPWHY_MEASURE_RATE, before, after, tw_compare_values(after, before, 1));
}

static void measure_loss(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    int64_t before = l->lost_ns[0] / (int64_t)l->connections[0];
    int64_t after = l->lost_ns[1] / (int64_t)l->connections[1];

    bool none = l->refused[0] == l->connections[0] && l->refused[1] == l->connections[1];

    set(v, TCPWHY_MEASURE_LOST, before, after,
        none ? TCPWHY_CHANGE_NONE : tw_compare_values(before, after, TW_MATERIAL_WAIT));
}

static bool counts(const struct tcpwhy_cause_change *c)
{
    return c->change == TCPWHY_CHANGE_BETTER || c->change == TCPWHY_CHANGE_GONE ||
           c->change == TCPWHY_CHANGE_WORSE || c->change == TCPWHY_CHANGE_NEW;
}

/* Opening connections, when only that changed. */
static void measure_opening(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    tcpwhy_ns ns[2] = { 0, 0 };
    enum tcpwhy_change change = TCPWHY_CHANGE_NONE;

    for (size_t i = 0; i < l->n_causes; i++) {
        const struct tcpwhy_cause_change *c = &l->causes[i];

        if (!tw_compare_opens(c->cause))
            continue;
        for (int when = 0; when < 2; when++)
            ns[when] = tw_ns_add(ns[when], c->per_connection_ns[when]);
        if (counts(c) && change == TCPWHY_CHANGE_NONE)
            change = c->change;
    }
    if (change == TCPWHY_CHANGE_GONE || change == TCPWHY_CHANGE_BETTER)
        set(v, TCPWHY_MEASURE_OPENING, ns[0], ns[1], TCPWHY_CHANGE_BETTER);
    else if (change != TCPWHY_CHANGE_NONE)
        set(v, TCPWHY_MEASURE_OPENING, ns[0], ns[1], TCPWHY_CHANGE_WORSE);
}

/* Failures per million from which they matter. */
#define LEAST_FAILED 10000

static int64_t failed(const struct tw_listener_change *l, enum tcpwhy_when when)
{
    uint64_t bad = l->status[when].n[5] + l->unheard[when];
    uint64_t all = l->good[when].count + bad;

    return all ? (int64_t)(1e6 * (double)bad / (double)all + 0.5) : 0;
}

/* Failures come before how long the rest took. */
static bool measure_failed(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    int64_t before = failed(l, TCPWHY_BEFORE), after = failed(l, TCPWHY_AFTER);
    enum tcpwhy_change change = tw_compare_values(before, after, LEAST_FAILED);

    if (change == TCPWHY_CHANGE_NONE)
        return false;
    set(v, TCPWHY_MEASURE_FAILED, before, after, change);
    return true;
}

static void measure(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    if (l->connections[0] == 0 || l->connections[1] == 0)
        set(v, TCPWHY_MEASURE_NONE, 0, 0, TCPWHY_CHANGE_UNKNOWN);
    else if (l->per == TCPWHY_PER_EXCHANGE && measure_failed(l, v))
        return;
    else if (l->per == TCPWHY_PER_EXCHANGE)
        measure_latency(l, v);
    else if (l->per == TCPWHY_PER_MEGABYTE)
        measure_rate(l, v);
    else if (l->latency[0].count != l->latency[1].count)
        measure_answers(l, v);
    else
        measure_loss(l, v);
    if (v->change == TCPWHY_CHANGE_NONE)
        measure_opening(l, v);
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* Can the cause have moved the measure? Opening a connection is not part of a request's time. */
static bool moves(const struct tw_comparison_verdict *v, const struct tcpwhy_cause_change *c)
{
    if (v->measure == TCPWHY_MEASURE_OPENING)
        return tw_compare_opens(c->cause);
    if (!tw_compare_waits(c->cause) || c->cause == TCPWHY_RESET)
        return false;
    return v->measure == TCPWHY_MEASURE_ANSWERED || v->measure == TCPWHY_MEASURE_LOST ||
           !tw_compare_opens(c->cause);
}

/* Positive: towards what the measure did. */
static tcpwhy_ns push(const struct tw_comparison_verdict *v, const struct tcpwhy_cause_change *c)
{
    tcpwhy_ns less;

    if (c->change == TCPWHY_CHANGE_NONE || c->change == TCPWHY_CHANGE_UNKNOWN)
        return 0;
    less = tw_cause_change_ns(c, TCPWHY_BEFORE) - tw_cause_change_ns(c, TCPWHY_AFTER);
    return v->change == TCPWHY_CHANGE_BETTER ? less : -less;
}

static void name_causes(const struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    tcpwhy_ns most = 0, second = 0, opening = 0, against = 0;

    for (size_t i = 0; i < l->n_causes; i++) {
        const struct tcpwhy_cause_change *c = &l->causes[i];
        tcpwhy_ns ns = moves(v, c) ? push(v, c) : 0;

        if (ns > most) {
            v->causes[1] = v->causes[0];
            second = most;
            v->causes[0] = c;
            most = ns;
        } else if (ns > second) {
            v->causes[1] = c;
            second = ns;
        }
        if (counts(c) && tw_compare_opens(c->cause) && !moves(v, c) && push(v, c) > opening) {
            v->opening = c;
            opening = push(v, c);
        }
        if (counts(c) && -push(v, c) > against) {
            v->but = c;
            against = -push(v, c);
        }
    }
    if (second < most / SECOND_PART)
        v->causes[1] = NULL;
}

/* Judge one listener: its change, and everything of the verdict but the counts of listeners. */
static void judge(struct tw_listener_change *l, struct tw_comparison_verdict *v)
{
    *v = (struct tw_comparison_verdict) { .listener = l };
    measure(l, v);
    if (v->measure != TCPWHY_MEASURE_FAILED &&
        (v->change == TCPWHY_CHANGE_BETTER || v->change == TCPWHY_CHANGE_WORSE))
        name_causes(l, v);
    l->change = v->change;
}

/* ---- all listeners --------------------------------------------------------------------------- */

/* Time gained or lost in total, over the smaller number of requests or connections of the two
 * captures. */
static double weight(const struct tw_comparison_verdict *v)
{
    const struct tw_listener_change *l = v->listener;
    double difference = (double)v->value[0] - (double)v->value[1];

    if (v->change != TCPWHY_CHANGE_BETTER && v->change != TCPWHY_CHANGE_WORSE)
        return 0;
    if (v->measure == TCPWHY_MEASURE_ANSWERED || v->measure == TCPWHY_MEASURE_RATE ||
        v->measure == TCPWHY_MEASURE_FAILED)
        return (double)MIN(l->life_ns[0], l->life_ns[1]);
    difference = difference < 0 ? -difference : difference;
    return l->per == TCPWHY_PER_EXCHANGE && v->measure != TCPWHY_MEASURE_OPENING
               ? difference * (double)MIN(l->latency[0].count, l->latency[1].count)
               : difference * (double)MIN(l->connections[0], l->connections[1]);
}

static bool same_ledgers(const tcpwhy_report *before, const tcpwhy_report *after)
{
    size_t n[2];
    const struct tcpwhy_ledger_entry *b = tw_report_ledger(before, &n[0]);
    const struct tcpwhy_ledger_entry *a = tw_report_ledger(after, &n[1]);

    for (size_t i = 0; i < MIN(n[0], n[1]); i++)
        if (b[i].cause != a[i].cause || b[i].ns != a[i].ns || b[i].count != a[i].count)
            return false;
    return n[0] == n[1];
}

/* To the nanosecond: no two captures are alike by chance. */
static bool same_capture(const tcpwhy_report *before, const tcpwhy_report *after)
{
    const struct tw_capture_row *b = tw_report_capture(before);
    const struct tw_capture_row *a = tw_report_capture(after);

    return b->frames == a->frames && b->bytes == a->bytes && b->first_ns == a->first_ns &&
           b->last_ns == a->last_ns && same_ledgers(before, after);
}

struct weighed {
    struct tw_listener_change change;
    double weight;
    size_t order;
};

static int by_weight(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* Judge the matched listeners, and put what changed most first. */
static void judge_listeners(struct tcpwhy_comparison *c, size_t *better, size_t *worse)
{
    tw_array *all = tw_array_sized_new(FALSE, FALSE, sizeof(struct weighed), (guint)c->n_matched);

    for (size_t i = 0; i < c->n_matched; i++) {
        struct tw_comparison_verdict v;
        struct weighed w = { .order = i };

        w.change = tw_array_index(c->listeners, struct tw_listener_change, i);
        judge(&w.change, &v);
        w.weight = weight(&v);
        *better += w.change.change == TCPWHY_CHANGE_BETTER;
        *worse += w.change.change == TCPWHY_CHANGE_WORSE;
        tw_array_append_val(all, w);
    }
    tw_array_sort(all, by_weight);
    for (guint i = 0; i < all->len; i++)
        tw_array_index(c->listeners, struct tw_listener_change, i) =
            tw_array_index(all, struct weighed, i).change;
    tw_array_free(all, TRUE);
}

void tw_compare_verdict(struct tcpwhy_comparison *c)
{
    struct tw_comparison_verdict *v = &c->verdict;
    size_t better = 0, worse = 0;

    judge(&c->whole, v);
    v->listener = NULL;
    judge_listeners(c, &better, &worse);
    if (c->n_matched > 0)
        judge(&tw_array_index(c->listeners, struct tw_listener_change, 0), v);
    v->better = better;
    v->worse = worse;
    v->same_capture = v->measure != TCPWHY_MEASURE_NONE && same_capture(c->report[0], c->report[1]);
}
