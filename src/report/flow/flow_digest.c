/* SPDX-License-Identifier: MIT */
/*
 * Rows are taken in the order of their weight until there are enough.
 */
#include "report/flow/flow_digest.h"

#include "base/array.h"
#include "report/flow/flow_part.h"

/* Rows kept on both sides of a selected one. */
#define CONTEXT 3

/* A silence without loss weighs this much less than one of the same length with it. */
#define NOT_LOST 10

/* Rows that a reader looks through, and a browser opens. */
#define MOST_OF_VERDICT 150

struct ranked_row {
    guint at;
    int64_t weight;
};

static struct tw_flow_row *row_at(const tw_array *rows, guint i)
{
    return &tw_array_index(rows, struct tw_flow_row, i);
}

static bool is_noticed(const struct tw_flow_row *row)
{
    switch (row->first->frame_class) {
    case TCPWHY_CLASS_DATA:
    case TCPWHY_CLASS_ACK:
    case TCPWHY_CLASS_WINDOW_UPDATE:
    case TCPWHY_CLASS_DUPLICATE_ACK:
        return false;
    default:
        return true;
    }
}

/* Nanoseconds of silence; 1 for other noticeable rows, 0 for routine ones. */
static int64_t weight_of(const struct tw_flow_row *row)
{
    tcpwhy_ns silent_ns = row->last->time_ns - row->first->time_ns;

    if (row->kind != TW_FLOW_GAP)
        return is_noticed(row);
    return row->span && tw_flow_is_lost(row->span->cause) ? silent_ns : silent_ns / NOT_LOST;
}

static gint heavier_first(gconstpointer a, gconstpointer b)
{
    const struct ranked_row *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static tw_array *rank(const tw_array *rows)
{
    tw_array *ranked = tw_array_sized_new(FALSE, FALSE, sizeof(struct ranked_row), rows->len);

    for (guint i = 0; i < rows->len; i++) {
        struct ranked_row r = { i, weight_of(row_at(rows, i)) };

        /* The first and the last row are always shown. */
        if (i == 0 || i + 1 == rows->len)
            r.weight = INT64_MAX;
        tw_array_append_val(ranked, r);
    }
    tw_array_sort(ranked, heavier_first);
    return ranked;
}

/* Mark a row and those around it. @return how many were not marked before. */
static uint32_t keep_around(bool *keep, guint n, guint at)
{
    guint from = at > CONTEXT ? at - CONTEXT : 0, to = MIN(at + CONTEXT, n - 1);
    uint32_t added = 0;

    for (guint i = from; i <= to; i++) {
        added += !keep[i];
        keep[i] = true;
    }
    return added;
}

/* Silences of the verdict, the longest first, each with the frames that bound it. */
static void keep_verdicts(const struct tw_flow_source *source, const tw_array *rows,
                          const tw_array *ranked, bool *keep)
{
    uint32_t n = 0;

    for (guint i = 0; i < ranked->len && n < MOST_OF_VERDICT; i++) {
        guint at = tw_array_index(ranked, struct ranked_row, i).at;
        const struct tw_flow_row *row = row_at(rows, at);

        if (at == 0 || at + 1 == rows->len || row->kind != TW_FLOW_GAP ||
            !tw_flow_is_verdict(source, row->source, row->span))
            continue;
        keep[at - 1] = keep[at] = keep[at + 1] = true;
        n++;
    }
}

/* Rows [from, to) as one, which must hold a frame. */
static struct tw_flow_row cut_of(const tw_array *rows, guint from, guint to)
{
    struct tw_flow_row cut = { .kind = TW_FLOW_CUT };

    for (guint i = from; i < to; i++) {
        const struct tw_flow_row *row = row_at(rows, i);

        if (row->kind == TW_FLOW_GAP)
            continue;
        if (!cut.first)
            cut.first = row->first;
        cut.source = row->source;
        cut.last = row->last;
        cut.n += row->n + row->n_acks;
    }
    return cut;
}

/* A single row takes no more room than the cut that would replace it. */
static void join(tw_array *rows, const bool *keep)
{
    guint n = rows->len, out = 0;

    for (guint from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && keep[to] == keep[from];)
            to++;
        if (keep[from] || to == from + 1) {
            for (guint i = from; i < to; i++)
                *row_at(rows, out++) = *row_at(rows, i);
        } else {
            *row_at(rows, out++) = cut_of(rows, from, to);
        }
    }
    tw_array_set_size(rows, out);
}

void tw_flow_thin_rows(const struct tw_flow_source *source, tw_array *rows, uint32_t max_rows)
{
    tw_array *ranked;
    uint32_t top = 0;
    bool *keep;

    if (rows->len <= max_rows)
        return;
    ranked = rank(rows);
    keep = tw_new0(bool, rows->len);
    if (source)
        keep_verdicts(source, rows, ranked, keep);
    for (guint i = 0; i < ranked->len && top < max_rows; i++)
        top += keep_around(keep, rows->len, tw_array_index(ranked, struct ranked_row, i).at);
    join(rows, keep);
    tw_free(keep);
    tw_array_free(ranked, TRUE);
}
