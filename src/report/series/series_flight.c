/* SPDX-License-Identifier: MIT */
/*
 * Bytes in flight and the receiver's window, both as the sender has them.
 *
 *     acked            sent               edge
 *       |---- flight ----|---- usable ------|
 *       |------------- window --------------|
 */
#include "base/array.h"
#include "report/series/series_kind.h"

/* An unscaled window cannot be larger (RFC 7323, section 2.2). */
#define MAX_UNSCALED 65535

struct state {
    int64_t sent, acked, edge; /* highest of each; edge -1: not known */
    bool started;
};

static void start(struct state *st, int64_t offset)
{
    if (!st->started)
        *st = (struct state) { .sent = offset, .acked = offset, .edge = -1, .started = true };
}

static void hear(struct state *st, const struct tw_record *r)
{
    start(st, r->ack);
    st->acked = MAX(st->acked, r->ack);
    /* acknowledged data may be missing from the capture */
    st->sent = MAX(st->sent, st->acked);
    if (tw_record_knows_window(r) && r->ack >= st->acked)
        st->edge = r->ack + r->window_bytes;
}

static bool tells(const struct tw_record *r)
{
    return (r->flags & TW_ACK) && !(r->flags & TW_RST);
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

void tw_series_find_send_buffer(struct tw_series *s, const struct tw_curve *flight)
{
    const struct tw_point *point = (const struct tw_point *)(const void *)flight->points->data;
    tw_array *heights = tw_array_new(FALSE, FALSE, sizeof(int64_t));
    guint k = 0;

    for (size_t i = 0; i < s->stream->n_spans; i++) {
        const struct tcpwhy_span *span = &s->stream->spans[i];
        int64_t height = 0;

        if (span->cause != TCPWHY_SEND_BUFFER_LIMITED || span->from != s->from)
            continue;
        while (k < flight->points->len && point[k].time_ns < span->from_ns)
            k++;
        for (; k < flight->points->len && point[k].time_ns <= span->to_ns; k++)
            height = MAX(height, point[k].high);
        if (height > 0)
            tw_array_append_val(heights, height);
    }
    tw_array_sort(heights, by_size);
    if (heights->len > 0)
        s->ceiling =
            (struct tw_inflight_limit) { tw_array_index(heights, int64_t, heights->len / 2),
                                         TCPWHY_SEND_BUFFER_LIMITED };
    tw_array_free(heights, TRUE);
}

void tw_series_inflight(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    struct tw_curve *window = tw_series_curve(s, TW_ROLE_WINDOW, TW_MARK_STEP);
    struct tw_curve *flight = tw_series_curve(s, TW_ROLE_FLIGHT, TW_MARK_STEP);
    struct tw_curve *repeat = tw_series_curve(s, TW_ROLE_RETRANSMISSION, TW_MARK_DOT);
    struct tw_passing passing = tw_passing_begin(scene);
    struct state st = { 0 };
    const struct tw_record *r;
    tcpwhy_ns at_ns;

    while ((r = tw_passing_next(&passing, &at_ns))) {
        if (r->from == s->from) {
            start(&st, r->seq);
            st.sent = MAX(st.sent, tw_record_end(r));
        } else if (tells(r)) {
            hear(&st, r);
            if (st.edge >= 0)
                tw_curve_add(window, at_ns, st.edge - st.acked, st.edge - st.acked, r->frame);
        } else {
            continue;
        }
        tw_curve_add(flight, at_ns, st.sent - st.acked, st.sent - st.acked, r->frame);
        if (r->from == s->from && r->frame_class == TCPWHY_CLASS_RETRANSMISSION)
            tw_curve_add(repeat, at_ns, st.sent - st.acked, st.sent - st.acked, r->frame);
    }
    tw_series_find_send_buffer(s, flight);
}

static bool is_unscaled(const struct tw_log *log)
{
    bool syn[2] = { false, false }, scale[2] = { false, false };

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (!(r->flags & TW_SYN))
            continue;
        syn[r->from] = true;
        scale[r->from] = scale[r->from] || (r->options & TW_OPT_WSCALE);
    }
    return syn[0] && syn[1] && !(scale[0] && scale[1]);
}

void tw_series_window(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    struct tw_curve *window = tw_series_curve(s, TW_ROLE_WINDOW, TW_MARK_STEP);
    struct tw_curve *usable = tw_series_curve(s, TW_ROLE_USABLE, TW_MARK_STEP);
    struct tw_curve *probe = tw_series_curve(s, TW_ROLE_PROBE, TW_MARK_DOT);
    struct tw_curve *zero = tw_series_curve(s, TW_ROLE_ZERO_WINDOW, TW_MARK_DOT);
    struct tw_passing passing = tw_passing_begin(scene);
    struct state st = { 0 };
    const struct tw_record *r;
    tcpwhy_ns at_ns;

    while ((r = tw_passing_next(&passing, &at_ns))) {
        if (r->from == s->from) {
            start(&st, r->seq);
            st.sent = MAX(st.sent, tw_record_end(r));
            if (r->frame_class == TCPWHY_CLASS_WINDOW_PROBE)
                tw_curve_add(probe, at_ns, 0, 0, r->frame);
        } else if (tells(r)) {
            hear(&st, r);
            if (tw_record_knows_window(r))
                tw_curve_add(window, at_ns, r->window_bytes, r->window_bytes, r->frame);
            if (r->window_bytes == 0)
                tw_curve_add(zero, at_ns, 0, 0, r->frame);
        }
        if (st.edge >= 0)
            tw_curve_add(usable, at_ns, MAX(st.edge - st.sent, 0), MAX(st.edge - st.sent, 0),
                         r->frame);
    }
    if (is_unscaled(scene->log))
        s->ceiling = (struct tw_inflight_limit) { MAX_UNSCALED, TCPWHY_RECEIVE_WINDOW_LIMITED };
}
