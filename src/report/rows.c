/* SPDX-License-Identifier: MIT */
#include "report/rows.h"

#include <string.h>

void tw_rows_init(struct tw_rows *rows, size_t most)
{
    *rows = (struct tw_rows) { .stream = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_stream)),
                               .number = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                               .log = g_ptr_array_new_with_free_func((GDestroyNotify)tw_log_free),
                               .most = most };
}

static struct tcpwhy_stream *row_at(const struct tw_rows *rows, guint at)
{
    return &g_array_index(rows->stream, struct tcpwhy_stream, at);
}

void tw_row_clear(struct tcpwhy_stream *row)
{
    g_free((gpointer)(uintptr_t)row->ledger);
    g_free((gpointer)(uintptr_t)row->exchanges);
    g_free((gpointer)(uintptr_t)row->spans);
    row->ledger = NULL;
    row->exchanges = NULL;
    row->spans = NULL;
}

void tw_rows_clear(struct tw_rows *rows)
{
    for (guint i = 0; i < rows->stream->len; i++)
        tw_row_clear(row_at(rows, i));
    g_array_free(rows->stream, TRUE);
    g_array_free(rows->number, TRUE);
    g_ptr_array_free(rows->log, TRUE);
    *rows = (struct tw_rows) { 0 };
}

/* The texts of exchanges lie behind them. */
static const struct tcpwhy_exchange *copy_exchanges(const struct tcpwhy_stream *row)
{
    const struct tcpwhy_exchange *from = row->exchanges;
    const char *begin = (const char *)from, *end;
    struct tcpwhy_exchange *to;

    if (!from || row->n_exchanges == 0)
        return g_memdup2(from, sizeof(char));
    end = from[row->n_exchanges - 1].request;
    end += strlen(end) + 1;
    to = g_memdup2(from, (gsize)(end - begin));
    for (size_t i = 0; i < row->n_exchanges; i++)
        to[i].request = (const char *)to + (from[i].request - begin);
    return to;
}

void tw_rows_copy(struct tw_rows *to, const struct tw_rows *from)
{
    *to = *from;
    to->stream = g_array_copy(from->stream);
    to->number = g_array_copy(from->number);
    to->log = g_ptr_array_new_with_free_func((GDestroyNotify)tw_log_free);
    for (guint i = 0; i < to->stream->len; i++) {
        struct tcpwhy_stream *row = row_at(to, i);

        row->ledger = g_memdup2(row->ledger, row->n_ledger * sizeof *row->ledger);
        row->exchanges = copy_exchanges(row);
        row->spans = g_memdup2(row->spans, row->n_spans * sizeof *row->spans);
    }
    for (guint i = 0; i < from->log->len; i++)
        g_ptr_array_add(to->log, tw_log_copy(g_ptr_array_index(from->log, i)));
}

size_t tw_rows_bytes(const struct tw_rows *rows)
{
    return rows->bytes + rows->stream->len * (sizeof(struct tcpwhy_stream) + sizeof(uint32_t));
}

/* Where a row stands, and what it is ordered by. */
struct ranked {
    tcpwhy_ns loss_ns;
    uint32_t stream, at;
};

/* What a row lost to what somebody could change. */
static tcpwhy_ns loss(const struct tcpwhy_stream *row)
{
    return row->verdict.cause == TCPWHY_CAUSE_NONE || row->verdict.cause == TCPWHY_CLIENT_IDLE
               ? 0
               : row->verdict.cost_ns;
}

static int by_loss(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->loss_ns != y->loss_ns)
        return x->loss_ns < y->loss_ns ? 1 : -1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

static int by_stream(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return (x->stream > y->stream) - (x->stream < y->stream);
}

struct tw_log *tw_rows_log(const struct tw_rows *rows, const struct tcpwhy_stream *row)
{
    guint at = (guint)(row - row_at(rows, 0));

    return at < rows->log->len ? g_ptr_array_index(rows->log, at) : NULL;
}

static struct ranked ranked(const struct tw_rows *rows, guint at)
{
    return (struct ranked) { loss(row_at(rows, at)), row_at(rows, at)->stream, at };
}

static struct ranked *rank_rows(const struct tw_rows *rows)
{
    guint n = rows->stream->len;
    struct ranked *rank = g_new(struct ranked, n + 1);

    for (guint i = 0; i < n; i++)
        rank[i] = ranked(rows, i);
    qsort(rank, n, sizeof *rank, by_stream);
    return rank;
}

/* A heap of rows whose top lost least: let what stands at a place sink to where it belongs. */
static void sink(struct ranked *heap, guint n, guint at)
{
    struct ranked sinks = heap[at];

    for (guint below; (below = 2 * at + 1) < n; at = below) {
        if (below + 1 < n && by_loss(&heap[below], &heap[below + 1]) < 0)
            below++;
        if (by_loss(&heap[below], &sinks) <= 0)
            break;
        heap[at] = heap[below];
    }
    heap[at] = sinks;
}

/* As many rows as are to be kept, in no order: few of many, as a rule. */
static struct ranked *find_worst(const struct tw_rows *rows, guint keep)
{
    struct ranked *heap = g_new(struct ranked, keep + 1);

    for (guint i = 0; i < keep; i++)
        heap[i] = ranked(rows, i);
    for (guint i = keep / 2; i-- > 0;)
        sink(heap, keep, i);
    for (guint i = keep; i < rows->stream->len; i++) {
        struct ranked next = ranked(rows, i);

        if (keep == 0 || by_loss(&next, heap) > 0)
            continue;
        heap[0] = next;
        sink(heap, keep, 0);
    }
    return heap;
}

static size_t row_bytes(const struct tcpwhy_stream *row)
{
    return row->n_ledger * sizeof *row->ledger + row->n_spans * sizeof *row->spans +
           row->n_exchanges * sizeof *row->exchanges;
}

/* Of the rows those that lost most stay, in the order in which they stood. */
static void keep_worst(struct tw_rows *rows, guint keep)
{
    guint n = rows->stream->len, to = 0;
    struct ranked *worst;
    bool *stays;

    if (keep >= n)
        return;
    worst = find_worst(rows, keep);
    stays = g_new0(bool, n);
    for (guint i = 0; i < keep; i++)
        stays[worst[i].at] = true;
    for (guint i = 0; i < n; i++) {
        if (!stays[i]) {
            rows->bytes -= MIN(rows->bytes, row_bytes(row_at(rows, i)));
            tw_row_clear(row_at(rows, i));
            continue;
        }
        *row_at(rows, to) = *row_at(rows, i);
        g_array_index(rows->number, uint32_t, to++) = g_array_index(rows->number, uint32_t, i);
    }
    g_array_set_size(rows->stream, to);
    g_array_set_size(rows->number, to);
    g_free(stays);
    g_free(worst);
}

/* Logs belong to rows: pictures need both. */
static bool may_drop(const struct tw_rows *rows)
{
    return rows->log->len == 0;
}

void tw_rows_drop(struct tw_rows *rows)
{
    guint n = rows->stream->len;

    if (!may_drop(rows))
        return;
    keep_worst(rows, n / 2);
    rows->dropped += n - n / 2;
}

/* So many rows wait to be judged beside the worst ones. */
#define SLACK 1024

void tw_rows_add(struct tw_rows *rows, struct tcpwhy_stream *stream, size_t bytes,
                 struct tw_log *log)
{
    g_array_append_val(rows->stream, *stream);
    g_array_append_val(rows->number, rows->n);
    rows->n++;
    rows->bytes += bytes;
    if (log)
        g_ptr_array_add(rows->log, log);
    if (rows->most && may_drop(rows) && rows->stream->len >= rows->most + SLACK)
        keep_worst(rows, (guint)rows->most);
}

struct tcpwhy_stream *tw_rows_find(const struct tw_rows *rows, uint32_t number)
{
    guint low = 0, high = rows->number->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (g_array_index(rows->number, uint32_t, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->number->len && g_array_index(rows->number, uint32_t, low) == number
               ? row_at(rows, low)
               : NULL;
}

/* Move each row to its place, cycle by cycle: twice the rows would be too much to hold. */
static void permute(struct tw_rows *rows, struct ranked *rank)
{
    gpointer *logs = rows->log->len ? rows->log->pdata : NULL;

    for (guint i = 0; i < rows->stream->len; i++) {
        struct tcpwhy_stream moved = *row_at(rows, i);
        gpointer log = logs ? logs[i] : NULL;
        guint at = i;

        for (guint from = rank[at].at; from != i; from = rank[at].at) {
            *row_at(rows, at) = *row_at(rows, from);
            if (logs)
                logs[at] = logs[from];
            rank[at].at = at;
            at = from;
        }
        *row_at(rows, at) = moved;
        if (logs)
            logs[at] = log;
        rank[at].at = at;
    }
}

void tw_rows_close(struct tw_rows *rows)
{
    bool sorted = true;

    if (rows->most && may_drop(rows))
        keep_worst(rows, (guint)rows->most);
    for (guint i = 1; i < rows->stream->len && sorted; i++)
        sorted = row_at(rows, i - 1)->stream < row_at(rows, i)->stream;
    if (!sorted) {
        struct ranked *rank = rank_rows(rows);

        permute(rows, rank);
        g_free(rank);
    }
}
