/* SPDX-License-Identifier: MIT */
#include "report/rows/rows.h"

#include <string.h>

#include "base/array.h"
#include "report/rows/row_payload.h"
#include "report/rows/stream_facts.h"
#include "report/rows/ledger.h"
#include "report/rows/row_pack.h"

/* A row that is not packed, with its ledger when that is short. */
struct plain {
    struct tw_stream_row row;
    struct tcpwhy_ledger_entry few[TW_CONNECTION_ROW_LINES];
};

void tw_rows_init(struct tw_rows *rows, const struct tcpwhy_options *options)
{
    *rows =
        (struct tw_rows) { .top = tw_array_new(FALSE, FALSE, sizeof(struct tw_top_rows)),
                           .plain = { .size = sizeof(struct plain) },
                           .room = tw_byte_array_new(),
                           .ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry)),
                           .most = options->keep_streams,
                           .logs = options->keep_spans,
                           .hangs = options->keep_exchanges || options->keep_spans ||
                                    options->keep_weighings };
}

/* Few rows come and go all the time: packing them would be work for nothing. */
static bool packs(const struct tw_rows *rows)
{
    return rows->most == 0;
}

/* Packed, and nothing hangs on it. */
static bool is_one_block(const struct tw_rows *rows)
{
    return packs(rows) && !rows->hangs;
}

/* ---- one row --------------------------------------------------------------------------------- */

static struct tw_stream_row look_at(const struct tw_rows *rows, const struct tw_top_rows *top,
                                    tw_array *ledger)
{
    struct tw_stream_row row;

    if (!packs(rows))
        return ((const struct plain *)top->row)->row;
    tw_row_unpack(top->row, &row, ledger);
    return row;
}

struct tw_stream_row tw_rows_at(const struct tw_rows *rows, guint at, tw_array *ledger)
{
    return look_at(rows, tw_top_rows_at(rows->top, at), ledger);
}

/* Time that somebody could save. */
static tcpwhy_ns loss(const struct tw_stream_row *row)
{
    return row->verdict.cause == TCPWHY_CAUSE_NONE || row->verdict.cause == TCPWHY_CLIENT_IDLE
               ? 0
               : row->verdict.cost_ns;
}

/* Keep a row, what it points to, and a copy of its ledger. */
static void put(struct tw_rows *rows, struct tw_top_rows *top, const struct tw_stream_row *row)
{
    struct plain *plain;

    top->stream = row->stream;
    top->loss_ns = loss(row);
    if (packs(rows)) {
        top->row = tw_row_pack(row, rows->room);
        return;
    }
    top->row = plain = tw_slab_take(&rows->plain);
    plain->row = *row;
    plain->row.ledger = tw_ledger_keep(row->ledger, row->n_ledger, plain->few);
}

/* Release a row, but not its exchanges and spans. */
static void release_row(struct tw_rows *rows, void *row)
{
    struct plain *plain = row;

    if (packs(rows)) {
        tw_free(row);
        return;
    }
    if (plain->row.ledger != plain->few)
        tw_free((gpointer)(uintptr_t)plain->row.ledger);
    tw_slab_give(&rows->plain, plain);
}

/* A row that owns what it points to, and is kept no longer. */
static struct tw_stream_row take(struct tw_rows *rows, struct tw_top_rows *top)
{
    struct tw_stream_row row = look_at(rows, top, rows->ledger);

    row.ledger = tw_memdup2(row.ledger, row.n_ledger * sizeof *row.ledger);
    release_row(rows, top->row);
    top->row = NULL;
    return row;
}

static void release(struct tw_rows *rows, struct tw_top_rows *top)
{
    struct tw_stream_row row;

    if (!top->row || is_one_block(rows)) {
        tw_free(top->row);
        return;
    }
    /* Nothing is allocated to release it. */
    row = look_at(rows, top, NULL);
    row.ledger = NULL;
    release_row(rows, top->row);
    tw_row_clear(&row);
    tw_log_free(top->log);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void clear(struct tw_rows *rows)
{
    tw_array_free(rows->top, TRUE);
    tw_byte_array_free(rows->room, TRUE);
    tw_array_free(rows->ledger, TRUE);
    tw_slab_clear(&rows->plain);
    *rows = (struct tw_rows) { 0 };
}

void tw_rows_clear(struct tw_rows *rows)
{
    for (guint i = 0; i < rows->top->len; i++)
        release(rows, tw_top_rows_at(rows->top, i));
    clear(rows);
}

void tw_rows_give(struct tw_rows *rows, tw_array *streams)
{
    guint n = rows->top->len;

    tw_array_reserve(streams, n);
    while (streams->len < n) {
        struct tw_stream_row row = take(rows, tw_top_rows_at(rows->top, streams->len));

        tw_array_append_val(streams, row);
    }
    clear(rows);
}

void tw_rows_take_logs(struct tw_rows *rows, tw_ptr_array *logs)
{
    for (guint i = 0; rows->logs && i < rows->top->len; i++)
        tw_ptr_array_add(logs, g_steal_pointer(&tw_top_rows_at(rows->top, i)->log));
}

static struct tw_top_rows copy_kept(struct tw_rows *to, const struct tw_top_rows *from)
{
    struct tw_top_rows copy = *from;
    struct tw_stream_row row;

    if (is_one_block(to)) {
        copy.row = tw_packed_copy(from->row);
        return copy;
    }
    row = look_at(to, from, to->ledger);
    row.exchanges = tw_exchanges_copy(row.exchanges, row.n_exchanges);
    row.spans = tw_spans_copy(row.spans, row.n_spans);
    row.weighings = tw_weighings_copy(row.weighings);
    row.facts = tw_stream_facts_copy(row.facts, row.n_facts);
    row.called = tw_strdup(row.called);
    put(to, &copy, &row);
    copy.log = from->log ? tw_log_copy(from->log) : NULL;
    return copy;
}

void tw_rows_copy(struct tw_rows *to, const struct tw_rows *from)
{
    *to = *from;
    to->top = tw_array_sized_new(FALSE, FALSE, sizeof(struct tw_top_rows), from->top->len);
    to->plain = (struct tw_slab) { .size = from->plain.size };
    to->room = tw_byte_array_new();
    to->ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    for (guint i = 0; i < from->top->len; i++) {
        struct tw_top_rows top = copy_kept(to, tw_top_rows_at(from->top, i));

        tw_array_append_val(to->top, top);
    }
}

size_t tw_rows_bytes(const struct tw_rows *rows)
{
    return rows->bytes + rows->top->len * (sizeof(struct tw_stream_row) + sizeof(uint32_t));
}

/* ---- which of them stay ---------------------------------------------------------------------- */

static size_t row_bytes(const struct tw_stream_row *row)
{
    return row->n_ledger * sizeof *row->ledger + row->n_spans * sizeof *row->spans +
           row->n_exchanges * sizeof *row->exchanges + row->n_facts * sizeof *row->facts +
           (row->weighings ? tw_weighings_bytes(row->weighings) : 0) +
           (row->called ? strlen(row->called) + 1 : 0);
}

static void drop(struct tw_rows *rows, struct tw_top_rows *top)
{
    const struct plain *plain = top->row;

    if (top->log)
        rows->bytes -= MIN(rows->bytes, tw_log_bytes(top->log));
    tw_log_free(top->log);
    top->log = NULL;
    if (packs(rows) || plain->row.exchanges || plain->row.spans || plain->row.weighings ||
        plain->row.facts || plain->row.called) {
        struct tw_stream_row row = take(rows, top);

        rows->bytes -= MIN(rows->bytes, row_bytes(&row));
        tw_row_clear(&row);
        return;
    }
    rows->bytes -= MIN(rows->bytes, row_bytes(&plain->row));
    release_row(rows, top->row);
}

/* Keep the rows that lost most, in their order. */
static void keep_worst(struct tw_rows *rows, guint keep)
{
    guint n = rows->top->len, to = 0;
    struct tw_top_rows last;

    if (keep >= n)
        return;
    if (keep > 0)
        last = tw_top_rows_last_of_worst(rows->top, keep);
    for (guint i = 0; i < n; i++) {
        struct tw_top_rows *top = tw_top_rows_at(rows->top, i);

        if (keep > 0 && tw_top_rows_by_loss(top, &last) <= 0)
            *tw_top_rows_at(rows->top, to++) = *top;
        else
            drop(rows, top);
    }
    tw_array_set_size(rows->top, to);
}

void tw_rows_drop(struct tw_rows *rows)
{
    guint n = rows->top->len;

    if (rows->logs) /* they were asked for, and take more than rows do */
        return;
    keep_worst(rows, n / 2);
    rows->dropped += n - n / 2;
}

void tw_rows_close(struct tw_rows *rows)
{
    if (rows->most)
        keep_worst(rows, (guint)rows->most);
    tw_top_rows_sort(rows->top);
}

/* ---- from connection to connection ----------------------------------------------------------- */

/* The rows that wait to be judged beside the worst ones. */
#define SLACK 1024

void tw_rows_add(struct tw_rows *rows, struct tw_connection_row *conn, struct tw_log *log)
{
    struct tw_top_rows top = { .log = log, .number = rows->n++ };

    put(rows, &top, &conn->stream);
    rows->hangs |= conn->stream.facts != NULL || conn->stream.called != NULL;
    conn->stream.exchanges = NULL;
    conn->stream.spans = NULL;
    conn->stream.weighings = NULL;
    conn->stream.facts = NULL;
    conn->stream.called = NULL;
    tw_array_append_val(rows->top, top);
    rows->bytes += conn->bytes + (log ? tw_log_bytes(log) : 0);
    if (rows->most && rows->top->len >= rows->most + SLACK)
        keep_worst(rows, (guint)rows->most);
}

struct tw_top_rows *tw_rows_find(const struct tw_rows *rows, uint32_t number)
{
    guint low = 0, high = rows->top->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (tw_top_rows_at(rows->top, middle)->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->top->len && tw_top_rows_at(rows->top, low)->number == number
               ? tw_top_rows_at(rows->top, low)
               : NULL;
}

tw_causes tw_rows_causes(struct tw_rows *rows, const struct tw_top_rows *top)
{
    struct tw_stream_row row = look_at(rows, top, rows->ledger);

    return tw_ledger_causes(&row);
}

void tw_rows_merge(struct tw_rows *rows, struct tw_top_rows *top,
                   const struct tw_connection_row *conn)
{
    struct tw_stream_row row = take(rows, top);

    tw_row_merge(&row, top->log, conn, &rows->bytes);
    rows->hangs |= row.facts != NULL || row.called != NULL;
    put(rows, top, &row);
    tw_free((gpointer)(uintptr_t)row.ledger);
}
