/* SPDX-License-Identifier: MIT */
#include "report/figures/operation_waits.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* Operations shown at most: a capture may have as many as requests. By judgement. */
#define MOST_OPERATIONS 1000

/* ---- what a request waited for --------------------------------------------------------------- */

/* The spans of a stream, with the time by cause before each: what lies between two moments is a
 * difference. */
struct sums {
    const struct tw_stream_row *stream;
    enum tcpwhy_cause cause[TW_N_CAUSES]; /* those that the stream has */
    size_t n_causes;
    tcpwhy_ns *before; /* for each span, of each of these causes */
};

static struct sums sums_of(const struct tw_stream_row *s)
{
    struct sums sums = { .stream = s };
    size_t place[TW_N_CAUSES];
    bool has[TW_N_CAUSES] = { false };
    tcpwhy_ns *at;

    for (size_t i = 0; i < s->n_spans; i++)
        has[s->spans[i].cause] = true;
    for (size_t cause = 0; cause < TW_N_CAUSES; cause++) {
        place[cause] = sums.n_causes;
        if (has[cause])
            sums.cause[sums.n_causes++] = (enum tcpwhy_cause)cause;
    }
    if (sums.n_causes == 0)
        return sums;
    sums.before = at = tw_new0(tcpwhy_ns, (s->n_spans + 1) * sums.n_causes);
    for (size_t i = 0; i < s->n_spans; i++, at += sums.n_causes) {
        memcpy(at + sums.n_causes, at, sums.n_causes * sizeof *at);
        at[sums.n_causes + place[s->spans[i].cause]] += s->spans[i].to_ns - s->spans[i].from_ns;
    }
    return sums;
}

/* Add, or take away, what the stream waited for until that moment. */
static void add_until(const struct sums *sums, tcpwhy_ns until_ns, int sign, struct tw_waits *to)
{
    const struct tcpwhy_span *spans = sums->stream->spans;
    size_t low = 0, high = sums->stream->n_spans;

    while (low < high) { /* the first span that ends later */
        size_t middle = low + (high - low) / 2;

        if (spans[middle].to_ns <= until_ns)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = 0; i < sums->n_causes; i++)
        to->ns[sums->cause[i]] += sign * sums->before[low * sums->n_causes + i];
    if (low < sums->stream->n_spans && spans[low].from_ns < until_ns)
        to->ns[spans[low].cause] += sign * (until_ns - spans[low].from_ns);
}

/* Times of a request are at its host; spans are at the capture, and the path from there and back is
 * none of theirs. */
static void charge(const struct sums *sums, const struct tcpwhy_exchange *e, struct tw_waits *to)
{
    tcpwhy_ns way_ns;

    if (sums->n_causes == 0 || e->total_ns == TCPWHY_NS_UNKNOWN)
        return;
    way_ns = sums->stream->way_ns[TCPWHY_CLIENT];
    if (e->total_ns < 2 * way_ns)
        return;
    add_until(sums, e->start_ns + e->total_ns - way_ns, 1, to);
    add_until(sums, e->start_ns + way_ns, -1, to);
    to->ns[TCPWHY_WIRE] += 2 * way_ns;
}

/* ---- operations ------------------------------------------------------------------------------ */

static gint by_stream(gconstpointer a, gconstpointer b)
{
    const struct tw_asked_for *x = *(const struct tw_asked_for *const *)a;
    const struct tw_asked_for *y = *(const struct tw_asked_for *const *)b;

    return x->stream != y->stream ? (x->stream > y->stream) - (x->stream < y->stream)
                                  : (x > y) - (x < y);
}

static gint by_total(gconstpointer a, gconstpointer b)
{
    const struct tw_operation *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return (x->from > y->from) - (x->from < y->from);
}

static void note_slowest(struct tw_operation_waits *row, const struct tw_asked_for *asked)
{
    const struct tcpwhy_exchange *so_far = row->slowest_request.e;

    if (asked->e->total_ns == TCPWHY_NS_UNKNOWN ||
        (so_far && so_far->total_ns >= asked->e->total_ns))
        return;
    row->slowest_request = *asked;
    row->slowest_stream = asked->stream->stream;
}

/* Stream by stream, for the sake of their sums. @param of the row of each request, or NULL. */
static void charge_all(const tw_array *requests, struct tw_operation_waits *const *of)
{
    const struct tw_asked_for *first = (const struct tw_asked_for *)(const void *)requests->data;
    g_autoptr(tw_ptr_array) sorted = tw_ptr_array_new();
    struct sums sums = { .stream = NULL };

    for (guint i = 0; i < requests->len; i++)
        if (of[i])
            tw_ptr_array_add(sorted, (gpointer)(uintptr_t)&first[i]);
    tw_ptr_array_sort(sorted, by_stream);
    for (guint i = 0; i < sorted->len; i++) {
        const struct tw_asked_for *asked = tw_ptr_array_index(sorted, i);
        struct tw_operation_waits *row = of[asked - first];

        if (asked->stream != sums.stream) {
            tw_free(sums.before);
            sums = sums_of(asked->stream);
        }
        charge(&sums, asked->e, &row->all);
        if (row->slowest_request.e == asked->e)
            charge(&sums, asked->e, &row->slowest);
    }
    tw_free(sums.before);
}

tw_array *tw_operation_waits(const tcpwhy_report *report,
                             const struct tcpwhy_render_options *options)
{
    tw_array *rows = tw_array_new(FALSE, TRUE, sizeof(struct tw_operation_waits));
    g_autoptr(tw_array) requests = tw_operations_requests(report, options);
    g_autoptr(tw_array) operations = tw_operations_of(requests);
    struct tw_operation_waits **of = tw_new0(struct tw_operation_waits *, requests->len + 1);

    tw_array_sort(operations, by_total);
    tw_array_set_size(rows, MIN(operations->len, MOST_OPERATIONS));
    for (guint i = 0; i < rows->len; i++) {
        struct tw_operation_waits *row = &tw_array_index(rows, struct tw_operation_waits, i);

        *row =
            (struct tw_operation_waits) { .o = tw_array_index(operations, struct tw_operation, i) };
        for (guint k = row->o.from; k < row->o.to; k++) {
            note_slowest(row, &tw_array_index(requests, struct tw_asked_for, k));
            of[k] = row;
        }
    }
    charge_all(requests, of);
    tw_free(of);
    return rows;
}
