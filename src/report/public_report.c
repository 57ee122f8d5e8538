/* SPDX-License-Identifier: MIT */
/* The public door of a report: its rows by their index. */
#include "base/array.h"
#include "base/hash_table.h"
#include "report/report.h"
#include "report/report_views.h"

static gpointer make(const tcpwhy_report *report, enum tw_view kind, size_t i)
{
    switch (kind) {
    case TW_VIEW_CAPTURE:
        return tw_capture_view(&report->capture);
    case TW_VIEW_TRAFFIC:
        return tw_traffic_view(&report->traffic);
    case TW_VIEW_FINDING:
        return tw_finding_view(&tw_array_index(report->findings, struct tw_finding_row, i));
    case TW_VIEW_FAILURE:
        return tw_failure_view(&tw_array_index(report->failures, struct tw_failure_row, i));
    case TW_VIEW_STREAM:
        return tw_stream_view(&tw_array_index(report->streams, struct tw_stream_row, i));
    default:
        return tw_listener_view(&tw_array_index(report->listeners, struct tw_listener_row, i));
    }
}

/* @return false if out of memory. */
static bool make_view(tcpwhy_report *report, enum tw_view kind, size_t i, size_t n)
{
    struct tw_guard guard;

    if (TW_FAILED(guard))
        return false;
    tw_guard_begin_part(&guard, tw_heap_of(report));
    if (!report->views[kind])
        report->views[kind] = tw_new0(gpointer, n);
    if (!report->views[kind][i])
        report->views[kind][i] = make(report, kind, i);
    tw_guard_end(&guard);
    return true;
}

/* The view at an index of n, made when it is asked for first;
 * NULL beyond the last, or if out of memory. */
static gconstpointer view(const tcpwhy_report *of, enum tw_view kind, size_t i, size_t n)
{
    /* Nobody who reads the report sees that it is written to. */
    tcpwhy_report *report = (tcpwhy_report *)(uintptr_t)of;
    gpointer found = NULL;

    if (!report || i >= n)
        return NULL;
    pthread_mutex_lock(&report->lazy);
    if (make_view(report, kind, i, n))
        found = report->views[kind][i];
    pthread_mutex_unlock(&report->lazy);
    return found;
}

static size_t length_of(const tcpwhy_report *report, enum tw_view kind)
{
    switch (kind) {
    case TW_VIEW_FINDING:
        return report->findings->len;
    case TW_VIEW_FAILURE:
        return report->failures->len;
    case TW_VIEW_STREAM:
        return report->streams->len;
    case TW_VIEW_LISTENER:
        return report->listeners->len;
    default:
        return 1;
    }
}

void tw_report_drop_views(tcpwhy_report *report)
{
    for (int kind = 0; kind < TW_N_VIEWS; kind++) {
        gpointer *views = report->views[kind];
        size_t n = views ? length_of(report, (enum tw_view)kind) : 0;

        for (size_t i = 0; i < n; i++)
            tw_free(views[i]);
        tw_free(views);
    }
}

const struct tcpwhy_capture *tcpwhy_report_capture(const tcpwhy_report *report)
{
    return view(report, TW_VIEW_CAPTURE, 0, 1);
}

const struct tcpwhy_traffic *tcpwhy_report_traffic(const tcpwhy_report *report)
{
    return view(report, TW_VIEW_TRAFFIC, 0, 1);
}

const struct tcpwhy_verdict *tcpwhy_report_verdict(const tcpwhy_report *report)
{
    return report ? &report->verdict : NULL;
}

const struct tcpwhy_percentiles *tcpwhy_report_latency(const tcpwhy_report *report)
{
    return report ? &report->latency : NULL;
}

const struct tcpwhy_status_classes *tcpwhy_report_status(const tcpwhy_report *report)
{
    return report ? &report->status : NULL;
}

size_t tcpwhy_report_finding_count(const tcpwhy_report *report)
{
    return report ? report->findings->len : 0;
}

const struct tcpwhy_finding *tcpwhy_report_finding(const tcpwhy_report *report, size_t i)
{
    return view(report, TW_VIEW_FINDING, i, tcpwhy_report_finding_count(report));
}

size_t tcpwhy_report_failure_count(const tcpwhy_report *report)
{
    return report ? report->failures->len : 0;
}

const struct tcpwhy_failure *tcpwhy_report_failure(const tcpwhy_report *report, size_t i)
{
    return view(report, TW_VIEW_FAILURE, i, tcpwhy_report_failure_count(report));
}

size_t tcpwhy_report_stream_count(const tcpwhy_report *report)
{
    return report ? tw_report_n_streams(report) : 0;
}

const struct tcpwhy_stream *tcpwhy_report_stream(const tcpwhy_report *report, size_t i)
{
    struct tw_guard guard;
    size_t n;

    if (!report || TW_FAILED(guard))
        return NULL;
    tw_guard_begin_part(&guard, tw_heap_of(report));
    tw_report_streams(report, &n);
    tw_guard_end(&guard);
    return view(report, TW_VIEW_STREAM, i, n);
}

struct visit {
    tcpwhy_stream_fn visit;
    void *user;
};

static bool show(void *user, const struct tw_stream_row *row)
{
    const struct visit *v = user;
    tw_autofree struct tcpwhy_stream *stream = tw_stream_view(row);

    return v->visit(v->user, stream);
}

static int visit_guarded(const tcpwhy_report *report, struct visit *visit)
{
    struct tw_guard guard;

    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    tw_report_visit_streams(report, show, visit);
    tw_call_end(&guard);
    return 0;
}

int tcpwhy_report_visit_streams(const tcpwhy_report *report, tcpwhy_stream_fn visit, void *user)
{
    struct visit v = { visit, user };
    int status;

    if (!report || !visit)
        return TCPWHY_ERR_USAGE;
    tw_report_hold(report);
    status = visit_guarded(report, &v);
    tw_report_let_go(report);
    return status;
}

size_t tcpwhy_report_listener_count(const tcpwhy_report *report)
{
    return report ? report->listeners->len : 0;
}

const struct tcpwhy_listener *tcpwhy_report_listener(const tcpwhy_report *report, size_t i)
{
    return view(report, TW_VIEW_LISTENER, i, tcpwhy_report_listener_count(report));
}

size_t tcpwhy_report_ledger_entry_count(const tcpwhy_report *report)
{
    return report ? report->n_ledger : 0;
}

const struct tcpwhy_ledger_entry *tcpwhy_report_ledger_entry(const tcpwhy_report *report, size_t i)
{
    return report && i < report->n_ledger ? &report->ledger[i] : NULL;
}

size_t tcpwhy_report_ports_count(const tcpwhy_report *report)
{
    return report ? report->ports->len : 0;
}

const struct tcpwhy_ports *tcpwhy_report_ports(const tcpwhy_report *report, size_t i)
{
    return report && i < report->ports->len ? &tw_array_index(report->ports, struct tcpwhy_ports, i)
                                            : NULL;
}

size_t tcpwhy_report_before_syn_count(const tcpwhy_report *report)
{
    return report && report->before_syn ? report->before_syn->len : 0;
}

const struct tcpwhy_before_syn *tcpwhy_report_before_syn(const tcpwhy_report *report, size_t i)
{
    return i < tcpwhy_report_before_syn_count(report)
               ? &tw_array_index(report->before_syn, struct tcpwhy_before_syn, i)
               : NULL;
}

const char *tcpwhy_report_dns_name(const tcpwhy_report *report,
                                   const struct tcpwhy_endpoint *address)
{
    struct tcpwhy_endpoint host;

    if (!report || !report->host_names || !address)
        return NULL;
    host = *address;
    host.port = 0;
    return tw_hash_table_lookup(report->host_names, &host);
}

const char *tcpwhy_report_name(const tcpwhy_report *report, const struct tcpwhy_endpoint *endpoint)
{
    const char *called;

    if (!report || !report->host_names || !endpoint || report->numeric)
        return NULL;
    called = tw_hash_table_lookup(report->host_names, endpoint);
    if (!called)
        return tcpwhy_report_dns_name(report, endpoint);
    return called[0] ? called : NULL;
}

size_t tcpwhy_report_fact_count(const tcpwhy_report *report)
{
    return report ? report->facts->len : 0;
}

const struct tcpwhy_fact *tcpwhy_report_fact(const tcpwhy_report *report, size_t i)
{
    return report && i < report->facts->len ? &tw_array_index(report->facts, struct tcpwhy_fact, i)
                                            : NULL;
}
