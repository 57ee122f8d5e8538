/* SPDX-License-Identifier: MIT */
/* Each view is one block: the struct, what it holds that may grow, and the pointers of its lists.
 */
#include "report/report_views.h"

#include "base/memory.h"

gpointer tw_view_block(size_t bytes, size_t n, const void ***pointers)
{
    size_t whole = (bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    char *block = tw_malloc0(whole + n * sizeof(void *));

    *pointers = (const void **)(void *)(block + whole);
    return block;
}

gconstpointer tw_view_list(const void ***pointers, gconstpointer rows, size_t n, size_t row_bytes)
{
    const void **first = *pointers;

    for (size_t i = 0; i < n; i++)
        first[i] = (const char *)rows + i * row_bytes;
    *pointers = first + n;
    return n > 0 ? first : NULL;
}

struct tcpwhy_capture *tw_capture_view(const struct tw_capture_row *row)
{
    const void **room;
    struct tcpwhy_capture *view = tw_view_block(sizeof *view, row->n_quality + row->n_parts, &room);

    *view = (struct tcpwhy_capture) {
        .file = row->file,
        .comment = row->comment,
        .frames = row->frames,
        .tcp_frames = row->tcp_frames,
        .bytes = row->bytes,
        .first_ns = row->first_ns,
        .last_ns = row->last_ns,
        .n_quality = row->n_quality,
        .n_parts = row->n_parts,
        .streams = row->streams,
    };
    view->quality = tw_view_list(&room, row->quality, row->n_quality, sizeof *row->quality);
    view->parts = tw_view_list(&room, row->parts, row->n_parts, sizeof *row->parts);
    return view;
}

static struct tcpwhy_traffic traffic_of(const struct tw_interval_series *s, const void ***room)
{
    return (struct tcpwhy_traffic) {
        .interval_ns = s->interval_ns,
        .first_ns = s->first_ns,
        .intervals = tw_view_list(room, s->interval, s->n, sizeof *s->interval),
        .n_intervals = s->n,
    };
}

struct tcpwhy_traffic *tw_traffic_view(const struct tw_interval_series *series)
{
    const void **room;
    struct tcpwhy_traffic *view = tw_view_block(sizeof *view, series->n, &room);

    *view = traffic_of(series, &room);
    return view;
}

struct tcpwhy_finding *tw_finding_view(const struct tw_finding_row *row)
{
    const void **room;
    struct tcpwhy_finding *view = tw_view_block(sizeof *view, row->n_details + row->n_waits, &room);

    *view = (struct tcpwhy_finding) {
        .cause = row->cause,
        .party = row->party,
        .confidence = row->confidence,
        .rival = row->rival,
        .endpoint = row->endpoint,
        .peer = row->peer,
        .stream = row->stream,
        .streams = row->streams,
        .cost_ns = row->cost_ns,
        .count = row->count,
        .median_ns = row->median_ns,
        .frames = row->frames,
        .n_frames = row->n_frames,
        .n_details = row->n_details,
        .summary = row->summary,
        .remedy = row->remedy,
        .n_waits = row->n_waits,
    };
    view->details = tw_view_list(&room, row->details, row->n_details, sizeof *row->details);
    view->waits = tw_view_list(&room, row->waits, row->n_waits, sizeof *row->waits);
    return view;
}

struct tw_finding_row *tw_finding_of_view(const struct tcpwhy_finding *view)
{
    struct tcpwhy_detail *details;
    struct tw_finding_row *row = tw_malloc(sizeof *row + view->n_details * sizeof *details);

    details = (struct tcpwhy_detail *)(void *)(row + 1);
    for (size_t i = 0; i < view->n_details; i++)
        details[i] = *view->details[i];
    *row = (struct tw_finding_row) {
        .cause = view->cause,
        .party = view->party,
        .confidence = view->confidence,
        .rival = view->rival,
        .endpoint = view->endpoint,
        .peer = view->peer,
        .stream = view->stream,
        .streams = view->streams,
        .cost_ns = view->cost_ns,
        .count = view->count,
        .median_ns = view->median_ns,
        .frames = view->frames,
        .n_frames = view->n_frames,
        .details = details,
        .n_details = view->n_details,
        .summary = view->summary,
        .remedy = view->remedy,
    };
    return row;
}

struct tcpwhy_failure *tw_failure_view(const struct tw_failure_row *row)
{
    const void **room;
    struct tcpwhy_failure *view = tw_view_block(sizeof *view, row->n_clues, &room);

    *view = (struct tcpwhy_failure) {
        .kind = row->kind,
        .failed = row->failed,
        .seen_as = row->seen_as,
        .who = row->who,
        .confidence = row->confidence,
        .stream = row->stream,
        .client = row->client,
        .server = row->server,
        .time_ns = row->time_ns,
        .after_ns = row->after_ns,
        .frames = row->frames,
        .n_frames = row->n_frames,
        .n_clues = row->n_clues,
        .summary = row->summary,
        .remedy = row->remedy,
    };
    view->clues = tw_view_list(&room, row->clues, row->n_clues, sizeof *row->clues);
    return view;
}

/* A stream's view with the parts that may grow: these are copied, as visited rows live shortly. */
struct stream_block {
    struct tcpwhy_stream view;
    struct tcpwhy_repairs repairs;
    struct tcpwhy_verdict verdict;
    struct tcpwhy_percentiles latency;
    struct tcpwhy_weighing weighing[];
};

static size_t n_hypotheses(const struct tw_weighings *all)
{
    size_t n = 0;

    for (uint32_t i = 0; all && i < all->n; i++)
        n += all->weighing[i].gap.n_hypotheses;
    return n;
}

/* Copies, too: they hold the lists of their hypotheses. */
static void show_weighings(struct stream_block *block, const struct tw_weighings *all,
                           const void ***room)
{
    struct tcpwhy_stream *view = &block->view;

    if (!all)
        return;
    view->n_weighings = all->n;
    view->weighings = tw_view_list(room, block->weighing, all->n, sizeof *block->weighing);
    for (uint32_t i = 0; i < all->n; i++) {
        struct tcpwhy_weighing *w = &block->weighing[i];

        *w = all->weighing[i].gap;
        w->hypotheses = tw_view_list(room, all->weighing[i].hypothesis, w->n_hypotheses,
                                     sizeof *all->weighing[i].hypothesis);
    }
}

static void describe_stream(const struct tw_stream_row *row, struct tcpwhy_stream *view)
{
    *view = (struct tcpwhy_stream) {
        .stream = row->stream,
        .client = row->client,
        .server = row->server,
        .roles_inferred = row->roles_inferred,
        .complete_start = row->complete_start,
        .complete_end = row->complete_end,
        .vantage = row->vantage,
        .vantage_confidence = row->vantage_confidence,
        .start_ns = row->start_ns,
        .duration_ns = row->duration_ns,
        .first_frame = row->first_frame,
        .last_frame = row->last_frame,
        .frames = row->frames,
        .bytes_to_server = row->bytes_to_server,
        .bytes_to_client = row->bytes_to_client,
        .retransmissions = row->retransmissions,
        .rtt_min_ns = row->rtt_min_ns,
        .rtt_median_ns = row->rtt_median_ns,
        .rtt_max_ns = row->rtt_max_ns,
        .n_ledger = row->n_ledger,
        .status = row->status,
        .n_exchanges = row->n_exchanges,
        .n_spans = row->n_spans,
        .way_ns = { row->way_ns[0], row->way_ns[1] },
        .isn = { row->isn[0], row->isn[1] },
        .server_name = row->server_name ? row->server_name : row->called,
    };
}

struct tcpwhy_stream *tw_stream_view(const struct tw_stream_row *row)
{
    const void **room;
    const size_t n = row->weighings ? row->weighings->n : 0;
    struct stream_block *block = tw_view_block(sizeof *block + n * sizeof *block->weighing,
                                               row->n_ledger + row->n_exchanges + row->n_spans +
                                                   row->n_facts + n + n_hypotheses(row->weighings),
                                               &room);
    struct tcpwhy_stream *view = &block->view;

    block->repairs = row->repairs;
    block->verdict = row->verdict;
    block->latency = row->latency;
    describe_stream(row, view);
    view->repairs = &block->repairs;
    view->verdict = &block->verdict;
    view->latency = &block->latency;
    view->ledger = tw_view_list(&room, row->ledger, row->n_ledger, sizeof *row->ledger);
    view->exchanges = tw_view_list(&room, row->exchanges, row->n_exchanges, sizeof *row->exchanges);
    view->spans = tw_view_list(&room, row->spans, row->n_spans, sizeof *row->spans);
    view->facts = tw_view_list(&room, row->facts, row->n_facts, sizeof *row->facts);
    view->n_facts = row->n_facts;
    show_weighings(block, row->weighings, &room);
    return view;
}

struct listener_block {
    struct tcpwhy_listener view;
    struct tcpwhy_traffic traffic;
};

struct tcpwhy_listener *tw_listener_view(const struct tw_listener_row *row)
{
    const void **room;
    struct listener_block *block =
        tw_view_block(sizeof *block, row->n_ledger + row->traffic.n, &room);
    struct tcpwhy_listener *view = &block->view;

    *view = (struct tcpwhy_listener) {
        .endpoint = row->endpoint,
        .connections = row->connections,
        .unanswered = row->unanswered,
        .refused = row->refused,
        .resets = row->resets,
        .latency = &row->latency,
        .status = row->status,
        .n_ledger = row->n_ledger,
        .openings = &row->openings,
        .traffic = &block->traffic,
        .server_name = row->server_name,
    };
    view->ledger = tw_view_list(&room, row->ledger, row->n_ledger, sizeof *row->ledger);
    block->traffic = traffic_of(&row->traffic, &room);
    return view;
}
