/* SPDX-License-Identifier: MIT */
#include "report/figures/transfer.h"

#include "base/array.h"
#include "explain/model/replay.h"
#include "report/flow/flow.h"

/* An interval's largest pipe within this time before its end, or within a round trip if that is
 * longer, shows whether the sender filled its window: measured against the kernel's, at longer ones
 * old windows are still seen. */
#define PIPE_NS TCPWHY_MS(60)

/* A pipe that is smaller than the window by more than this part of it does not fill it. */
#define SPREAD_PART 20

/* More rows nobody reads: the interval of a forged clock. */
#define MOST_ROWS 100000

/* A stream of less than this part of the largest controls the others. */
#define CONTROL_PART 100

/* Length of the cookie with which iperf3 names a stream before its test. */
#define COOKIE_BYTES 37

struct level {
    tcpwhy_ns at_ns;
    int64_t pipe_bytes;
    struct tw_interval cwnd_bytes;
};

struct reading {
    struct tw_transfer *out;
    tcpwhy_ns interval_ns, window_ns;
    tw_array *levels; /* struct level */
    int64_t next, una;
    bool begun;
};

static struct tw_transfer_row *row_at(struct reading *r, tcpwhy_ns at_ns)
{
    struct tw_transfer *t = r->out;
    guint i = (guint)MIN(MAX(at_ns - t->begin_ns, 0) / r->interval_ns, MOST_ROWS - 1);

    while (t->rows->len <= i) {
        struct tw_transfer_row row = { .from_ns = t->rows->len * r->interval_ns,
                                       .to_ns = (t->rows->len + 1) * r->interval_ns };

        tw_array_append_val(t->rows, row);
    }
    return &tw_array_index(t->rows, struct tw_transfer_row, i);
}

/* A cookie comes before the test, and is no part of it. */
static bool begins(struct reading *r, const struct tw_replay_state *st)
{
    if (r->begun || !st->sent || st->record->len == 0)
        return r->begun;
    if (st->record->seq == 1 && st->record->len == COOKIE_BYTES)
        return false;
    r->begun = true;
    r->out->begin_ns = st->at_ns;
    r->next = st->record->seq;
    r->una = st->record->seq;
    return true;
}

static uint32_t segments(const struct tw_replay_state *st)
{
    int64_t mss = st->mss_bytes > 0 ? st->mss_bytes : st->record->len;

    return (uint32_t)MAX((st->record->len + mss - 1) / MAX(mss, 1), 1);
}

static void take(void *user, const struct tw_replay_state *st)
{
    struct reading *r = user;
    struct tw_transfer *t = r->out;
    struct tw_transfer_row *row;
    struct level level = { st->at_ns, st->pipe_bytes, st->cwnd_bytes };

    if (!begins(r, st))
        return;
    row = row_at(r, st->at_ns);
    tw_array_append_val(r->levels, level);
    if (st->sent && st->resent) {
        row->retransmissions += segments(st);
        t->retransmissions += segments(st);
    }
    if (st->next > r->next) {
        row->sent_bytes += (uint64_t)(st->next - r->next);
        t->sent_bytes += (uint64_t)(st->next - r->next);
        t->sent_ns = MAX(t->sent_ns, st->at_ns - t->begin_ns);
    }
    if (st->una > r->una) {
        row->acked_bytes += (uint64_t)(st->una - r->una);
        t->acked_bytes += (uint64_t)(st->una - r->una);
        t->acked_ns = MAX(t->acked_ns, st->at_ns - t->begin_ns);
    }
    r->next = MAX(r->next, st->next);
    r->una = MAX(r->una, st->una);
    if (st->mss_bytes > 0 && st->mss_bytes != TW_UNBOUNDED)
        t->mss_bytes = st->mss_bytes;
}

/* BBR keeps its pipe below its window, and so does a program that writes little: what the replay of
 * CUBIC then has is no measure of theirs. */
static bool is_filled(const struct tw_interval *cwnd, int64_t pipe_bytes)
{
    return cwnd->hi != TW_UNBOUNDED &&
           cwnd->hi - MIN(pipe_bytes, cwnd->lo) <= cwnd->hi / SPREAD_PART;
}

/* The window at the end of each row. */
static void find_windows(struct reading *r)
{
    struct tw_transfer *t = r->out;
    guint k = 0;

    for (guint i = 0; i < t->rows->len; i++) {
        struct tw_transfer_row *row = &tw_array_index(t->rows, struct tw_transfer_row, i);
        tcpwhy_ns end_ns = t->begin_ns + MIN(row->to_ns, MAX(t->sent_ns, t->acked_ns) + 1);
        struct tw_interval cwnd = { 0, TW_UNBOUNDED };

        while (k < r->levels->len &&
               tw_array_index(r->levels, struct level, k).at_ns < end_ns - r->window_ns)
            k++;
        for (guint j = k; j < r->levels->len; j++) {
            const struct level *l = &tw_array_index(r->levels, struct level, j);

            if (l->at_ns > end_ns)
                break;
            row->cwnd_bytes = MAX(row->cwnd_bytes, l->pipe_bytes);
            cwnd = l->cwnd_bytes;
        }
        if (row->cwnd_bytes == 0)
            continue;
        row->cwnd_is_floor = !is_filled(&cwnd, row->cwnd_bytes);
        if (!row->cwnd_is_floor)
            row->cwnd_bytes = CLAMP(row->cwnd_bytes, cwnd.lo, cwnd.hi);
    }
}

/* The last row ends with the last data. */
static void close_rows(struct tw_transfer *t)
{
    struct tw_transfer_row *last;
    tcpwhy_ns end_ns = MAX(t->sent_ns, t->acked_ns);

    if (t->rows->len == 0)
        return;
    last = &tw_array_index(t->rows, struct tw_transfer_row, t->rows->len - 1);
    if (last->sent_bytes == 0 && last->acked_bytes == 0 && last->retransmissions == 0)
        tw_array_set_size(t->rows, t->rows->len - 1);
    else
        last->to_ns = MAX(MIN(last->to_ns, end_ns), last->from_ns);
}

/* @return false when nothing was sent. */
static bool make(const struct tw_stream_row *stream, const struct tw_log *log,
                 tcpwhy_ns interval_ns, struct tw_transfer *t)
{
    struct tw_scratch scratch = { 0 };
    enum tcpwhy_side from =
        stream->bytes_to_server > stream->bytes_to_client ? TCPWHY_CLIENT : TCPWHY_SERVER;
    const struct tw_replay_scene scene = {
        .log = log, .from = from, .way_ns = stream->way_ns[from], .scratch = &scratch
    };
    struct reading r = { .out = t, .interval_ns = interval_ns };

    *t = (struct tw_transfer) { .stream = stream->stream, .from = from };
    t->rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_transfer_row));
    r.levels = tw_array_new(FALSE, FALSE, sizeof(struct level));
    r.window_ns =
        MAX(PIPE_NS, stream->rtt_median_ns == TCPWHY_NS_UNKNOWN ? 0 : stream->rtt_median_ns);
    tw_replay_visit(&scene, take, &r);
    tw_scratch_clear(&scratch);
    find_windows(&r);
    close_rows(t);
    tw_array_free(r.levels, TRUE);
    return t->sent_bytes > 0;
}

static void clear(gpointer transfer)
{
    tw_array_free(((struct tw_transfer *)transfer)->rows, TRUE);
}

tw_array *tw_transfers(const tcpwhy_report *report, tcpwhy_ns interval_ns)
{
    tw_array *transfers = tw_array_new(FALSE, FALSE, sizeof(struct tw_transfer));
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(report, &source);
    uint64_t most = 0;

    tw_array_set_clear_func(transfers, clear);
    for (uint32_t i = 0; i < n; i++)
        most = MAX(most, MAX(source[i].stream->bytes_to_client, source[i].stream->bytes_to_server));
    for (uint32_t i = 0; i < n; i++) {
        const struct tw_stream_row *s = source[i].stream;
        struct tw_transfer t;

        if (MAX(s->bytes_to_client, s->bytes_to_server) * CONTROL_PART < most)
            continue;
        if (make(s, source[i].log, interval_ns, &t))
            tw_array_append_val(transfers, t);
        else
            clear(&t);
    }
    tw_free(source);
    return transfers;
}
