/* SPDX-License-Identifier: MIT */
/*
 * The waits of each operation's requests: their times, divided by the causes of the spans that they
 * overlap. Requests that are under way together wait for the same, each for itself.
 */
#include <string.h>

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "render/view/operations.h"
#include "render/view/view.h"

/* Operations shown at most: a capture may have as many as requests. By judgement. */
#define MOST_OPERATIONS 1000

/* Time by cause. */
struct waits {
    tcpwhy_ns ns[TW_N_CAUSES];
};

struct row {
    struct tw_operation o;
    struct waits all, slowest;
    struct tw_asked_for slowest_request; /* e NULL: none was answered */
    uint32_t slowest_stream;
};

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
static void add_until(const struct sums *sums, tcpwhy_ns until_ns, int sign, struct waits *to)
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
static void charge(const struct sums *sums, const struct tcpwhy_exchange *e, struct waits *to)
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

static void note_slowest(struct row *row, const struct tw_asked_for *asked)
{
    const struct tcpwhy_exchange *so_far = row->slowest_request.e;

    if (asked->e->total_ns == TCPWHY_NS_UNKNOWN ||
        (so_far && so_far->total_ns >= asked->e->total_ns))
        return;
    row->slowest_request = *asked;
    row->slowest_stream = asked->stream->stream;
}

/* Stream by stream, for the sake of their sums. @param of the row of each request, or NULL. */
static void charge_all(const tw_array *requests, struct row *const *of)
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
        struct row *row = of[asked - first];

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

/* The rows (struct row). */
static tw_array *rows_of(const struct tw_request *request)
{
    tw_array *rows = tw_array_new(FALSE, TRUE, sizeof(struct row));
    g_autoptr(tw_array) requests = tw_operations_requests(request);
    g_autoptr(tw_array) operations = tw_operations_of(requests);
    struct row **of = tw_new0(struct row *, requests->len + 1);

    tw_array_sort(operations, by_total);
    tw_array_set_size(rows, MIN(operations->len, MOST_OPERATIONS));
    for (guint i = 0; i < rows->len; i++) {
        struct row *row = &tw_array_index(rows, struct row, i);

        *row = (struct row) { .o = tw_array_index(operations, struct tw_operation, i) };
        for (guint k = row->o.from; k < row->o.to; k++) {
            note_slowest(row, &tw_array_index(requests, struct tw_asked_for, k));
            of[k] = row;
        }
    }
    charge_all(requests, of);
    tw_free(of);
    return rows;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* "server_think 92%" */
static void mostly(const struct waits *waits, tw_string *text, enum tw_tone *tone)
{
    enum tcpwhy_cause most = TCPWHY_CAUSE_NONE;
    tcpwhy_ns all_ns = 0;

    for (int cause = 0; cause < TW_N_CAUSES; cause++) {
        all_ns += waits->ns[cause];
        if (waits->ns[cause] > waits->ns[most])
            most = (enum tcpwhy_cause)cause;
    }
    if (all_ns == 0) {
        tw_string_append_c(text, '-');
        return;
    }
    tw_string_append_printf(text, "%s %s", tw_name_cause(most),
                            tw_percent((double)waits->ns[most] / (double)all_ns).text);
    *tone = tw_text_cause_tone(most);
}

static void all_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    mostly(&((const struct row *)row)->all, text, tone);
}

static void slowest_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    mostly(&((const struct row *)row)->slowest, text, tone);
}

#define OF(member) TW_AT(struct row, member)

static const struct tw_field fields[] = {
    { "protocol", TW_TEXT, OF(o.protocol), .title = "protocol", .leaves = 4 },
    { "operation", TW_TEXT, OF(o.request), .zero_is_none = true, .title = "operation", .min = 20 },
    { "count", TW_UINT, OF(o.count), .title = "count" },
    { "total_ms", TW_MS, OF(o.total_ns), .title = "total ms", .format = TW_FORMAT_MS },
    { NULL, TW_TEXT, OF(o.request), .title = "mostly", .left = true, .cell = all_cell },
    { NULL, TW_MS, OF(o.max_ns), .title = "slowest ms", .format = TW_FORMAT_MS, .leaves = 2 },
    { NULL, TW_TEXT, OF(o.request), .title = "for", .left = true, .leaves = 1,
      .cell = slowest_cell },
    { NULL, TW_UINT, OF(slowest_stream), .title = "stream", .format = TW_FORMAT_PLAIN,
      .leaves = 3 },
    TW_FIELDS_END,
};

#undef OF

void tw_operation_ledger_table(const struct tw_request *request, struct tw_layout *page)
{
    g_autoptr(tw_array) rows = rows_of(request);

    tw_operations_section(page, "What requests waited for, the longest together first", fields,
                          rows);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void waits_json(struct tw_json *to, const struct waits *waits)
{
    tcpwhy_ns all_ns = 0;

    for (int cause = 0; cause < TW_N_CAUSES; cause++)
        all_ns += waits->ns[cause];
    tw_json_array(to, "waits");
    for (int cause = 0; cause < TW_N_CAUSES; cause++) {
        if (waits->ns[cause] <= 0)
            continue;
        tw_json_object(to, NULL);
        tw_json_string(to, "cause", tw_name_cause((unsigned)cause));
        tw_json_ms(to, "ms", waits->ns[cause]);
        tw_json_real(to, "share", (double)waits->ns[cause] / (double)all_ns);
        tw_json_end(to);
    }
    tw_json_end(to);
}

static void slowest_json(struct tw_json *to, const struct row *row)
{
    const struct tcpwhy_exchange *e = row->slowest_request.e;

    if (!e) {
        tw_json_null(to, "slowest");
        return;
    }
    tw_json_object(to, "slowest");
    tw_json_uint(to, "stream", row->slowest_stream);
    tw_json_uint(to, "request_frame", e->request_frame);
    tw_json_ms(to, "total_ms", e->total_ns);
    waits_json(to, &row->slowest);
    tw_json_end(to);
}

void tw_operation_ledger_json(const struct tw_request *request, struct tw_json *to)
{
    g_autoptr(tw_array) rows = rows_of(request);

    tw_json_array(to, "operations");
    for (guint i = 0; i < rows->len && !to->out->stopped; i++) {
        const struct row *row = &tw_array_index(rows, struct row, i);

        tw_json_object(to, NULL);
        tw_json_members(to, fields, row);
        waits_json(to, &row->all);
        slowest_json(to, row);
        tw_json_end(to);
    }
    tw_json_end(to);
}
