/* SPDX-License-Identifier: MIT */
/* Access to a report's contents for later stages, and its end. */
#include "base/array.h"
#include "base/ns.h"
#include "base/text.h"
#include "report/facts/name_rows.h"
#include "report/report.h"
#include "report/rows/rows.h"

const struct tw_capture_row *tw_report_capture(const tcpwhy_report *report)
{
    return &report->capture;
}

const struct tw_finding_row *tw_report_findings(const tcpwhy_report *report, size_t *n)
{
    *n = report->findings->len;
    return (const struct tw_finding_row *)(const void *)report->findings->data;
}

const struct tw_failure_row *tw_report_failures(const tcpwhy_report *report, size_t *n)
{
    *n = report->failures->len;
    return (const struct tw_failure_row *)(const void *)report->failures->data;
}

/* Lazy unpacking writes to the report, although its readers see no change. */
static tcpwhy_report *writable(const tcpwhy_report *report)
{
    return (tcpwhy_report *)(uintptr_t)report;
}

static void name_server(const tcpwhy_report *report, struct tw_stream_row *row)
{
    row->server_name = row->called       ? row->called
                       : report->numeric ? NULL
                                         : tcpwhy_report_dns_name(report, &row->server);
}

/* A failed call continues where it stopped when it is repeated. @return false if out of memory. */
static bool give_rows(tcpwhy_report *report)
{
    struct tw_guard guard;

    if (TW_FAILED(guard))
        return false;
    tw_guard_begin_part(&guard, tw_heap_of(report));
    tw_rows_give(report->rows, report->streams);
    for (guint i = 0; i < report->streams->len; i++)
        name_server(report, &tw_array_index(report->streams, struct tw_stream_row, i));
    tw_guard_end(&guard);
    return true;
}

/* Unpack all rows, once. */
static void unpack(tcpwhy_report *report)
{
    bool done = true;

    pthread_mutex_lock(&report->lazy);
    if (report->rows) {
        report->owns_rows = true;
        done = give_rows(report);
    }
    if (report->rows && done) {
        tw_free(report->rows);
        report->rows = NULL;
        g_atomic_int_set(&report->packed, false);
    }
    pthread_mutex_unlock(&report->lazy);
    if (!done)
        tw_out_of_memory(0);
}

const struct tw_stream_row *tw_report_streams(const tcpwhy_report *report, size_t *n)
{
    tcpwhy_report *r = writable(report);

    if (g_atomic_int_get(&r->packed))
        unpack(r);
    *n = report->streams->len;
    return (const struct tw_stream_row *)(const void *)report->streams->data;
}

uint64_t tw_report_left_out(const tcpwhy_report *report)
{
    uint64_t all = tw_report_capture(report)->streams;
    size_t n;

    tw_report_streams(report, &n);
    return all > n ? all - n : 0;
}

size_t tw_report_n_streams(const tcpwhy_report *report)
{
    tcpwhy_report *r = writable(report);
    size_t n;

    pthread_mutex_lock(&r->lazy);
    n = r->rows ? r->rows->top->len : r->streams->len;
    pthread_mutex_unlock(&r->lazy);
    return n;
}

/* A row that is packed. @return false if out of memory. */
static bool look_at(const tcpwhy_report *report, guint at, struct tw_stream_row *row,
                    tw_array *ledger)
{
    struct tw_guard guard;

    if (TW_FAILED(guard))
        return false;
    tw_guard_begin_part(&guard, tw_heap_current());
    *row = tw_rows_at(report->rows, at, ledger);
    tw_guard_end(&guard);
    return true;
}

/* @return false when there is none at that place. */
static bool stream_at(tcpwhy_report *report, guint at, struct tw_stream_row *row, tw_array *ledger)
{
    bool is_there, has_memory = true;

    pthread_mutex_lock(&report->lazy);
    is_there = at < (report->rows ? report->rows->top->len : report->streams->len);
    if (is_there && at < report->streams->len)
        *row = tw_array_index(report->streams, struct tw_stream_row, at);
    else if (is_there)
        has_memory = look_at(report, at, row, ledger);
    if (is_there && has_memory)
        name_server(report, row);
    pthread_mutex_unlock(&report->lazy);
    if (!has_memory)
        tw_out_of_memory(0);
    return is_there;
}

void tw_report_visit_streams(const tcpwhy_report *report, tw_stream_row_fn visit, void *user)
{
    tw_array *ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    struct tw_stream_row row;

    for (guint i = 0; stream_at(writable(report), i, &row, ledger); i++)
        if (!visit(user, &row))
            break;
    tw_array_free(ledger, TRUE);
}

const struct tw_listener_row *tw_report_listeners(const tcpwhy_report *report, size_t *n)
{
    *n = report->listeners->len;
    return (const struct tw_listener_row *)(const void *)report->listeners->data;
}

const struct tcpwhy_ledger_entry *tw_report_ledger(const tcpwhy_report *report, size_t *n)
{
    *n = report->n_ledger;
    return report->ledger;
}

tcpwhy_ns tw_report_whole(const tcpwhy_report *report)
{
    tcpwhy_ns whole_ns = 0;

    for (size_t i = 0; i < report->n_ledger; i++)
        whole_ns = tw_ns_add(whole_ns, report->ledger[i].ns);
    /* what was waited for before a SYN is of no connection */
    for (guint i = 0; i < report->findings->len; i++)
        whole_ns =
            MAX(whole_ns, tw_array_index(report->findings, struct tw_finding_row, i).cost_ns);
    return whole_ns;
}

const struct tcpwhy_percentiles *tw_report_good(const tcpwhy_report *report, uint64_t *unheard)
{
    *unheard = report->unheard;
    return &report->good;
}

const struct tw_interval_series *tw_report_traffic(const tcpwhy_report *report)
{
    return &report->traffic;
}

const struct tcpwhy_ports *tw_report_ports(const tcpwhy_report *report, size_t *n)
{
    *n = report->ports->len;
    return (const struct tcpwhy_ports *)(const void *)report->ports->data;
}

const struct tcpwhy_fact *tw_report_facts(const tcpwhy_report *report, size_t *n)
{
    *n = report->facts->len;
    return (const struct tcpwhy_fact *)(const void *)report->facts->data;
}

void tw_report_hold(const tcpwhy_report *report)
{
    if (report)
        g_atomic_int_inc(&((tcpwhy_report *)(uintptr_t)report)->shared);
}

void tw_report_let_go(const tcpwhy_report *report)
{
    tcpwhy_report_free((tcpwhy_report *)(uintptr_t)report);
}

void tcpwhy_report_free(tcpwhy_report *report)
{
    if (!report || g_atomic_int_add(&report->shared, -1) > 0)
        return;
    tw_report_drop_views(report);
    tw_array_free(report->findings, TRUE);
    tw_array_free(report->failures, TRUE);
    if (report->rows)
        tw_rows_clear(report->rows);
    tw_free(report->rows);
    pthread_mutex_destroy(&report->lazy);
    for (guint i = 0; report->owns_rows && i < report->streams->len; i++)
        tw_row_clear(&tw_array_index(report->streams, struct tw_stream_row, i));
    tw_array_free(report->streams, TRUE);
    tw_array_free(report->listeners, TRUE);
    tw_array_free(report->ports, TRUE);
    tw_array_free(report->facts, TRUE);
    tw_name_rows_free(report);
    if (report->udp)
        tw_array_free(report->udp, TRUE);
    if (report->probes)
        tw_array_free(report->probes, TRUE);
    tw_ptr_array_free(report->logs, TRUE);
    tw_ptr_array_free(report->blocks, TRUE);
    tw_string_chunk_free(report->texts);
    tw_free(report);
}
