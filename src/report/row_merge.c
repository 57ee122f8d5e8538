/* SPDX-License-Identifier: MIT */
/*
 * More of a connection that was told before: sums are exact, and what is not a sum (percentiles,
 * a verdict) is that of the part which says more.
 */
#include <string.h>

#include "base/ns.h"
#include "report/ledger.h"
#include "report/percentiles.h"
#include "report/told.h"

static void merge_ledger(struct tcpwhy_stream *row, const struct tcpwhy_stream *more, size_t *bytes)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));

    g_array_append_vals(entries, row->ledger, (guint)row->n_ledger);
    for (size_t i = 0; i < more->n_ledger; i++)
        tw_ledger_add(entries, &more->ledger[i]);
    tw_ledger_sort(entries);
    *bytes += (entries->len - row->n_ledger) * sizeof *row->ledger;
    g_free((gpointer)(uintptr_t)row->ledger);
    row->n_ledger = entries->len;
    row->ledger = g_memdup2(entries->data, entries->len * sizeof *row->ledger);
    g_array_free(entries, TRUE);
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

static void merge_verdict(struct tcpwhy_stream *row, const struct tcpwhy_stream *more)
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

static void merge_round_trips(struct tcpwhy_stream *row, const struct tcpwhy_stream *more)
{
    row->rtt_min_ns = least(row->rtt_min_ns, more->rtt_min_ns);
    row->rtt_max_ns = MAX(row->rtt_max_ns, more->rtt_max_ns);
    if (row->rtt_median_ns == TCPWHY_NS_UNKNOWN || more->frames > row->frames)
        row->rtt_median_ns = more->rtt_median_ns;
}

/* A connection may come again thousands of times: a block that doubles is copied seldom. */
static size_t room_for(size_t n)
{
    size_t room = 1;

    while (room < n)
        room *= 2;
    return room;
}

/* Texts lie behind the exchanges, in one block and in their order. */
static size_t bytes_of_texts(const struct tcpwhy_exchange *e, size_t n)
{
    return n > 0 ? (size_t)(e[n - 1].request + strlen(e[n - 1].request) + 1 - e[0].request) : 0;
}

/* Their texts stand there now, and no longer where the first one's did. */
static void move_texts(struct tcpwhy_exchange *e, size_t n, char *to)
{
    const uintptr_t from = n > 0 ? (uintptr_t)e[0].request : 0;

    for (size_t i = 0; i < n; i++)
        e[i].request = to + ((uintptr_t)e[i].request - from);
}

static void merge_exchanges(struct tcpwhy_stream *row, const struct tcpwhy_stream *more,
                            size_t *bytes)
{
    size_t n = row->n_exchanges, n_more = more->n_exchanges;
    size_t texts, texts_more, size = (n + n_more) * sizeof(struct tcpwhy_exchange);
    struct tcpwhy_exchange *all;
    char *text;

    if (!row->exchanges || n_more == 0)
        return;
    texts = bytes_of_texts(row->exchanges, n);
    texts_more = bytes_of_texts(more->exchanges, n_more);
    all = g_realloc((gpointer)(uintptr_t)row->exchanges, room_for(size + texts + texts_more));
    text = (char *)all + size;
    memmove(text, all + n, texts);
    move_texts(all, n, text);
    memcpy(all + n, more->exchanges, n_more * sizeof *all);
    memcpy(text + texts, more->exchanges[0].request, texts_more);
    move_texts(all + n, n_more, text + texts);
    row->exchanges = all;
    row->n_exchanges = n + n_more;
    *bytes += n_more * sizeof *all + texts_more;
}

static bool goes_on(const struct tcpwhy_span *a, const struct tcpwhy_span *b)
{
    return a->to_ns == b->from_ns && a->cause == b->cause && a->party == b->party &&
           a->from == b->from && a->confidence == b->confidence && a->rival == b->rival;
}

static void merge_spans(struct tcpwhy_stream *row, const struct tcpwhy_stream *more, size_t *bytes)
{
    size_t n = row->n_spans, first = 0;
    struct tcpwhy_span *all = g_renew(struct tcpwhy_span, (gpointer)(uintptr_t)row->spans,
                                      room_for(n + more->n_spans + 1));

    if (n > 0 && more->n_spans > 0 && goes_on(&all[n - 1], &more->spans[0])) {
        all[n - 1].to_ns = more->spans[0].to_ns;
        all[n - 1].last_frame = more->spans[0].last_frame;
        first = 1;
    }
    for (size_t i = first; i < more->n_spans; i++)
        all[n++] = more->spans[i];
    *bytes += (n - row->n_spans) * sizeof *all;
    row->spans = all;
    row->n_spans = n;
}

void tw_row_merge(struct tcpwhy_stream *row, struct tw_log *log, const struct tw_told *told,
                  size_t *bytes)
{
    const struct tcpwhy_stream *more = &told->stream;

    merge_verdict(row, more);
    merge_round_trips(row, more);
    merge_latency(&row->latency, &more->latency);
    merge_ledger(row, more, bytes);
    merge_exchanges(row, more, bytes);
    if (log) {
        merge_spans(row, more, bytes);
        tw_log_join(log, told->log);
        *bytes += tw_log_bytes(told->log);
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
