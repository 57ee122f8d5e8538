/* SPDX-License-Identifier: MIT */
/*
 * Two reports side by side: the public door, and the order in which the parts are made.
 */
#include "report/compare/compare.h"

#include "base/array.h"
#include "base/counts.h"

#include "report/rows/percentiles.h"

/* Without requests, as much payload makes a transfer, whose measure is its rate. */
#define TRANSFER_BYTES 1000000

size_t tcpwhy_change_count(void)
{
    return TW_N_CHANGES;
}

const char *tcpwhy_change_name(enum tcpwhy_change change)
{
    static const char *const names[] = { "none", "better",    "gone",   "worse",
                                         "new",  "different", "unknown" };

    return (unsigned)change < G_N_ELEMENTS(names) ? names[change] : "unknown";
}

const char *tcpwhy_per_name(enum tcpwhy_per per)
{
    static const char *const names[] = { "exchange", "connection", "megabyte" };

    return (unsigned)per < G_N_ELEMENTS(names) ? names[per] : "unknown";
}

const char *tcpwhy_measure_name(enum tcpwhy_measure measure)
{
    static const char *const names[] = { "none",    "p50",  "p90",  "p99",   "answered",
                                         "opening", "rate", "lost", "failed" };

    return (unsigned)measure < G_N_ELEMENTS(names) ? names[measure] : "unknown";
}

static uint64_t payload(const struct tw_interval_series *traffic)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < traffic->n; i++)
        bytes += traffic->interval[i].payload_bytes[0] + traffic->interval[i].payload_bytes[1];
    return bytes;
}

static enum tcpwhy_per per_of(const struct tw_listener_change *l)
{
    bool per_connection = l->connections[0] == 0 || l->connections[1] == 0;

    if (MIN(l->latency[0].count, l->latency[1].count) > 0 ||
        (per_connection && l->latency[0].count + l->latency[1].count > 0))
        return TCPWHY_PER_EXCHANGE;
    return MIN(l->payload_bytes[0], l->payload_bytes[1]) >= TRANSFER_BYTES ? TCPWHY_PER_MEGABYTE
                                                                           : TCPWHY_PER_CONNECTION;
}

static struct tw_listener_change change_of(const struct tw_listener_row *const listener[2],
                                           tw_ptr_array *blocks)
{
    const struct tcpwhy_ledger_entry *ledger[2] = { NULL, NULL };
    struct tw_listener_change c = { .change = TCPWHY_CHANGE_UNKNOWN };
    size_t n[2] = { 0, 0 };

    for (int when = 0; when < 2; when++) {
        const struct tw_listener_row *l = listener[when];

        c.latency[when] = c.good[when] = tw_percentiles_none();
        if (!l)
            continue;
        c.endpoint[when] = l->endpoint;
        c.connections[when] = l->connections;
        c.unanswered[when] = l->unanswered;
        c.refused[when] = l->refused;
        c.latency[when] = l->latency;
        c.status[when] = l->status;
        c.good[when] = l->good;
        c.unheard[when] = l->unheard;
        c.payload_bytes[when] = payload(&l->traffic);
        ledger[when] = l->ledger;
        n[when] = l->n_ledger;
    }
    c.per = per_of(&c);
    tw_compare_causes(&c, ledger, n, blocks);
    return c;
}

/* All listeners of a report as if they were one. */
static struct tw_listener_row whole_of(const tcpwhy_report *report)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);
    struct tw_listener_row whole = { .latency = *tcpwhy_report_latency(report),
                                     .status = *tcpwhy_report_status(report),
                                     .traffic = *tw_report_traffic(report) };

    whole.good = *tw_report_good(report, &whole.unheard);
    whole.ledger = tw_report_ledger(report, &whole.n_ledger);
    for (size_t i = 0; i < n; i++) {
        whole.connections += l[i].connections;
        whole.unanswered += l[i].unanswered;
        whole.refused += l[i].refused;
    }
    return whole;
}

static void compare_whole(struct tcpwhy_comparison *c)
{
    const struct tw_listener_row before = whole_of(c->report[0]), after = whole_of(c->report[1]);
    const struct tw_listener_row *const both[2] = { &before, &after };

    c->whole = change_of(both, c->blocks);
}

static void compare_listeners(struct tcpwhy_comparison *c)
{
    tw_array *pairs = tw_compare_match(c->report[0], c->report[1]);

    for (guint i = 0; i < pairs->len; i++) {
        const struct tw_listener_pair *pair = &tw_array_index(pairs, struct tw_listener_pair, i);
        const struct tw_listener_change l = change_of(pair->listener, c->blocks);

        tw_array_append_val(c->listeners, l);
        c->n_matched += pair->listener[0] && pair->listener[1];
    }
    tw_array_free(pairs, TRUE);
}

static struct tcpwhy_comparison *compare(const tcpwhy_report *before, const tcpwhy_report *after)
{
    struct tcpwhy_comparison *c = tw_new0(struct tcpwhy_comparison, 1);

    c->report[0] = before;
    c->report[1] = after;
    c->listeners = tw_array_new(FALSE, FALSE, sizeof(struct tw_listener_change));
    c->unfair = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_unfair));
    c->blocks = tw_ptr_array_new_with_free_func(tw_free);
    compare_whole(c);
    compare_listeners(c);
    tw_compare_verdict(c);
    tw_compare_unfair(c);
    tw_compare_make_views(c);
    return c;
}

int tcpwhy_compare(const tcpwhy_report *before, const tcpwhy_report *after, tcpwhy_comparison **out)
{
    struct tw_guard guard;

    if (!before || !after || !out)
        return TCPWHY_ERR_USAGE;
    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    *out = compare(before, after);
    tw_report_hold(before);
    tw_report_hold(after);
    tw_call_end(&guard);
    return 0;
}

void tw_comparison_hold(const tcpwhy_comparison *comparison)
{
    if (comparison)
        g_atomic_int_inc(&((tcpwhy_comparison *)(uintptr_t)comparison)->shared);
}

void tw_comparison_let_go(const tcpwhy_comparison *comparison)
{
    tcpwhy_comparison_free((tcpwhy_comparison *)(uintptr_t)comparison);
}

void tcpwhy_comparison_free(tcpwhy_comparison *comparison)
{
    if (!comparison || g_atomic_int_add(&comparison->shared, -1) > 0)
        return;
    tw_report_let_go(comparison->report[0]);
    tw_report_let_go(comparison->report[1]);
    tw_compare_drop_views(comparison);
    tw_array_free(comparison->listeners, TRUE);
    tw_array_free(comparison->unfair, TRUE);
    tw_ptr_array_free(comparison->blocks, TRUE);
    tw_free(comparison);
}

const tcpwhy_report *tcpwhy_comparison_report(const tcpwhy_comparison *comparison,
                                              enum tcpwhy_when when)
{
    return comparison ? comparison->report[when == TCPWHY_AFTER] : NULL;
}

const struct tw_comparison_verdict *tw_comparison_verdict(const tcpwhy_comparison *comparison)
{
    return &comparison->verdict;
}

const struct tw_listener_change *tw_comparison_whole(const tcpwhy_comparison *comparison)
{
    return &comparison->whole;
}

const struct tw_listener_change *tw_comparison_listeners(const tcpwhy_comparison *comparison,
                                                         size_t *n)
{
    *n = comparison->listeners->len;
    return (const struct tw_listener_change *)(const void *)comparison->listeners->data;
}

const struct tcpwhy_unfair *tw_comparison_unfair(const tcpwhy_comparison *comparison, size_t *n)
{
    *n = comparison->unfair->len;
    return (const struct tcpwhy_unfair *)(const void *)comparison->unfair->data;
}
