/* SPDX-License-Identifier: MIT */
/*
 * Merges parts of a connection: sums are exact; what is no sum (percentiles, a verdict) is that of
 * the more significant part.
 */
#include "base/array.h"
#include "base/ns.h"
#include "report/rows/row_payload.h"
#include "report/rows/ledger.h"
#include "report/rows/stream_facts.h"
#include "report/rows/connection_row.h"

static void merge_ledger(struct tw_stream_row *row, const struct tw_stream_row *more, size_t *bytes)
{
    tw_array *entries = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));

    tw_array_append_vals(entries, row->ledger, (guint)row->n_ledger);
    for (size_t i = 0; i < more->n_ledger; i++)
        tw_ledger_add(entries, &more->ledger[i]);
    tw_ledger_sort((struct tcpwhy_ledger_entry *)(void *)entries->data, entries->len);
    *bytes += (entries->len - row->n_ledger) * sizeof *row->ledger;
    tw_free((gpointer)(uintptr_t)row->ledger);
    row->n_ledger = entries->len;
    row->ledger = tw_memdup2(entries->data, entries->len * sizeof *row->ledger);
    tw_array_free(entries, TRUE);
}

static tcpwhy_ns least(tcpwhy_ns a, tcpwhy_ns b)
{
    return a == TCPWHY_NS_UNKNOWN ? b : b == TCPWHY_NS_UNKNOWN ? a : MIN(a, b);
}

static void merge_latency(struct tcpwhy_percentiles *row, const struct tcpwhy_percentiles *more)
{
    struct tcpwhy_percentiles most = more->count > row->count ? *more : *row;

    most.count = row->count + more->count;
    most.min_ns = least(row->min_ns, more->min_ns);
    most.max_ns = MAX(row->max_ns, more->max_ns); /* unknown is smaller than any time */
    most.first_ns = least(row->first_ns, more->first_ns);
    most.last_ns = MAX(row->last_ns, more->last_ns);
    *row = most;
}

static void merge_verdict(struct tw_stream_row *row, const struct tw_stream_row *more)
{
    struct tcpwhy_verdict *v = &row->verdict;
    double life = (double)row->duration_ns + (double)more->duration_ns;

    if (more->verdict.cause == TCPWHY_CAUSE_NONE)
        return;
    if (v->cause != more->verdict.cause || v->party != more->verdict.party) {
        if (more->verdict.cost_ns > v->cost_ns || v->cause == TCPWHY_CAUSE_NONE)
            *v = more->verdict;
        return;
    }
    v->cost_ns = tw_ns_add(v->cost_ns, more->verdict.cost_ns);
    if (life > 0)
        v->share = (v->share * (double)row->duration_ns +
                    more->verdict.share * (double)more->duration_ns) /
                   life;
    if (more->verdict.confidence < v->confidence) {
        v->confidence = more->verdict.confidence;
        v->rival = more->verdict.rival;
    }
}

static void merge_round_trips(struct tw_stream_row *row, const struct tw_stream_row *more)
{
    row->rtt_min_ns = least(row->rtt_min_ns, more->rtt_min_ns);
    row->rtt_max_ns = MAX(row->rtt_max_ns, more->rtt_max_ns);
    if (row->rtt_median_ns == TCPWHY_NS_UNKNOWN || more->frames > row->frames)
        row->rtt_median_ns = more->rtt_median_ns;
}

void tw_row_merge(struct tw_stream_row *row, struct tw_log *log,
                  const struct tw_connection_row *conn, size_t *bytes)
{
    const struct tw_stream_row *more = &conn->stream;

    merge_verdict(row, more);
    merge_round_trips(row, more);
    merge_latency(&row->latency, &more->latency);
    merge_ledger(row, more, bytes);
    *bytes += tw_exchanges_add(row, more);
    *bytes += tw_weighings_add(row, more);
    if (!row->facts) {
        row->facts = tw_stream_facts_copy(more->facts, more->n_facts);
        row->n_facts = more->n_facts;
    }
    if (!row->called)
        row->called = tw_strdup(more->called);
    if (log) {
        *bytes += tw_spans_add(row, more);
        tw_log_join(log, conn->log);
        *bytes += tw_log_bytes(conn->log);
    }
    row->complete_end |= more->complete_end;
    row->duration_ns = more->start_ns + more->duration_ns - row->start_ns;
    row->last_frame = more->last_frame;
    row->frames += more->frames;
    row->bytes_to_server += more->bytes_to_server;
    row->bytes_to_client += more->bytes_to_client;
    row->retransmissions += more->retransmissions;
    row->repairs.fast += more->repairs.fast;
    row->repairs.probes += more->repairs.probes;
    row->repairs.timeouts += more->repairs.timeouts;
    row->repairs.after_timeouts += more->repairs.after_timeouts;
    row->repairs.spurious += more->repairs.spurious;
    for (int i = 0; i < 6; i++)
        row->status.n[i] += more->status.n[i];
}
