/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "notes.h"

struct notes {
    tcpwhy_report *report;
    GArray *by_frame; /* struct note */
    GArray *by_time;  /* the same in the order of time */
};

/* Two readers of one file may round a time of another resolution differently. */
#define SAME_TIME_NS 1000

bool notes_see_segment(void *times, const struct tcpwhy_segment *segment)
{
    struct frame_times *all = times;

    if (segment->frame >= all->of->len)
        g_array_set_size(all->of, segment->frame + 1);
    g_array_index(all->of, int64_t, segment->frame) = segment->time_ns;
    return true;
}

static void add(struct notes *notes, const struct frame_times *times, struct note note)
{
    if (note.frame >= times->of->len)
        return;
    note.time_ns = g_array_index(times->of, int64_t, note.frame);
    g_array_append_val(notes->by_frame, note);
}

static void add_stream(struct notes *notes, const struct frame_times *times,
                       const struct tcpwhy_stream *stream)
{
    add(notes, times, (struct note) { .frame = stream->first_frame, .stream = stream });
    for (size_t i = 0; i < stream->n_spans; i++) {
        const struct tcpwhy_span *wait = stream->spans[i];

        add(notes, times,
            (struct note) { .frame = wait->last_frame, .stream = stream, .wait = wait });
    }
}

/* A request with a name stands where its response ends, or where it does itself. */
static void add_exchanges(struct notes *notes, const struct frame_times *times,
                          const struct tcpwhy_stream *stream)
{
    for (size_t i = 0; i < stream->n_exchanges; i++) {
        const struct tcpwhy_exchange *e = stream->exchanges[i];
        uint32_t frame = e->response_last_frame ? e->response_last_frame : e->request_last_frame;

        if (frame > 0 && e->request[0] && !e->of_session)
            add(notes, times, (struct note) { .frame = frame, .stream = stream, .exchange = e });
    }
}

static gint in_order_of_frames(gconstpointer a, gconstpointer b)
{
    const struct note *x = a, *y = b;

    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static gint in_order_of_time(gconstpointer a, gconstpointer b)
{
    const struct note *x = a, *y = b;

    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return in_order_of_frames(a, b);
}

struct notes *notes_new(tcpwhy_report *report, const struct frame_times *times)
{
    struct notes *notes = g_new0(struct notes, 1);
    const struct tcpwhy_stream *stream;
    const struct tcpwhy_finding *finding;

    notes->report = report;
    notes->by_frame = g_array_new(FALSE, FALSE, sizeof(struct note));
    for (size_t i = 0; (stream = tcpwhy_report_stream(report, i)); i++) {
        add_stream(notes, times, stream);
        add_exchanges(notes, times, stream);
    }
    for (size_t i = 0; (finding = tcpwhy_report_finding(report, i)); i++)
        for (size_t k = 0; k < finding->n_frames; k++)
            add(notes, times, (struct note) { .frame = finding->frames[k], .finding = finding });
    notes->by_time = g_array_copy(notes->by_frame);
    g_array_sort(notes->by_frame, in_order_of_frames);
    g_array_sort(notes->by_time, in_order_of_time);
    return notes;
}

void notes_free(struct notes *notes)
{
    if (!notes)
        return;
    g_array_unref(notes->by_frame);
    g_array_unref(notes->by_time);
    tcpwhy_report_free(notes->report);
    g_free(notes);
}

uint64_t notes_n_frames(const struct notes *notes)
{
    return tcpwhy_report_capture(notes->report)->frames;
}

static const struct note *at(const GArray *array, guint i)
{
    return &g_array_index(array, struct note, i);
}

/* First of the array that does not stand before key. */
static guint lower_bound(const GArray *array, const struct note *key, GCompareFunc compare)
{
    guint low = 0, high = array->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (compare(at(array, middle), key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct note *run_of(const GArray *array, const struct note *from,
                                 const struct note *to, GCompareFunc compare, size_t *n)
{
    guint first = lower_bound(array, from, compare), end = lower_bound(array, to, compare);

    *n = end - first;
    return *n > 0 ? at(array, first) : NULL;
}

const struct note *notes_of(const struct notes *notes, uint32_t frame, int64_t time_ns, size_t *n)
{
    struct note key = { .frame = frame }, next = { .frame = frame + 1 };
    const struct note *found = run_of(notes->by_frame, &key, &next, in_order_of_frames, n);

    if (found && ABS(found->time_ns - time_ns) < SAME_TIME_NS)
        return found;
    key = (struct note) { .time_ns = time_ns };
    next = (struct note) { .time_ns = time_ns + 1 };
    found = run_of(notes->by_time, &key, &next, in_order_of_time, n);
    if (found && found[0].frame == found[*n - 1].frame)
        return found;
    *n = 0;
    return NULL;
}
