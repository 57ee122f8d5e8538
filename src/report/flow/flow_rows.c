/* SPDX-License-Identifier: MIT */
/*
 * Gaps are put in, alike frames are folded.
 *
 *     data data ack data ack              --->   one run: 3 segments, 2 ACKs
 *     dup #1 data dup #2 data dup #3 ...  --->   the first duplicate ACK, and one run behind it
 */
#include "report/flow/flow_rows.h"

#include "base/array.h"
#include "report/flow/flow_digest.h"
#include "report/flow/flow_numbers.h"
#include "report/flow/flow_part.h"

/* More rows than this no one reads; the options say otherwise. */
#define DEFAULT_MAX_ROWS 200

/* A row may stand for many equal gaps: these show what they are. */
#define SPAN_ROWS 60

/* Fewer alike frames are as quickly read as folded. */
#define MIN_RUN_DATA  3
#define MIN_RUN_OTHER 4

/* Silence that is drawn: a part of what is shown; less when time was lost in it; all of what the
 * verdict is about. */
#define MIN_GAP_NS      TCPWHY_MS(1)
#define GAP_PART        33
#define MIN_LOST_GAP_NS TCPWHY_MS(5)
#define LOST_GAP_PART   100

struct builder {
    const struct tw_flow_source *source;
    uint32_t n_sources;
    const struct tw_flow_event *event;
    uint32_t n;
    tw_array *rows;
    tcpwhy_ns min_gap_ns, min_lost_gap_ns;
    bool unfold;
    bool (*repeats)[2]; /* of each source and side: its newest frame is a duplicate ACK */
};

/* The span that explains most of a silence, and its source; lost time takes precedence. */
struct silence {
    const struct tcpwhy_span *span;
    uint32_t source;
    tcpwhy_ns ns;
};

static void look_in(const struct builder *b, uint32_t source, tcpwhy_ns from_ns, tcpwhy_ns to_ns,
                    struct silence *best)
{
    const struct tw_stream_row *stream = b->source[source].stream;

    for (size_t i = tw_flow_first_span(stream, from_ns); i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];
        tcpwhy_ns ns = MIN(s->to_ns, to_ns) - MAX(s->from_ns, from_ns);
        bool lost = tw_flow_is_lost(s->cause);
        bool best_lost = best->span && tw_flow_is_lost(best->span->cause);

        if (s->from_ns >= to_ns)
            break;
        /* Within a stream the longest counts; of several, one that lost time speaks for all. */
        if (source != best->source && lost != best_lost ? lost : ns > best->ns)
            *best = (struct silence) { s, source, ns };
    }
}

static bool gap_before(const struct builder *b, uint32_t i, struct silence *silence)
{
    tcpwhy_ns from_ns, to_ns;

    if (i == 0)
        return false;
    from_ns = b->event[i - 1].record->time_ns;
    to_ns = b->event[i].record->time_ns;
    if (to_ns - from_ns < MIN_GAP_NS)
        return false;
    *silence = (struct silence) { .source = b->event[i].source };
    for (uint32_t k = 0; k < b->n_sources; k++)
        look_in(b, k, from_ns, to_ns, silence);
    if (tw_flow_is_verdict(b->source, silence->source, silence->span))
        return true;
    return to_ns - from_ns >= b->min_gap_ns ||
           (to_ns - from_ns >= b->min_lost_gap_ns && silence->span &&
            tw_flow_is_lost(silence->span->cause));
}

/*
 * ACKs of the other side ride along in a run of data: of one kind, that which came before the run,
 * so that the first duplicate ACK and the ACK that ends them are seen. Among repairs both do. That
 * a window closes is always seen.
 */
static bool rides_along(const struct builder *b, const struct tw_flow_event *begun,
                        const struct tw_record *r)
{
    bool repeats = r->frame_class == TCPWHY_CLASS_DUPLICATE_ACK;

    if (r->len > 0 || (!repeats && r->frame_class != TCPWHY_CLASS_ACK) || tw_flow_closes_window(r))
        return false;
    switch (begun->record->frame_class) {
    case TCPWHY_CLASS_DATA:
        return repeats == b->repeats[begun->source][r->from];
    case TCPWHY_CLASS_RETRANSMISSION:
    case TCPWHY_CLASS_OUT_OF_ORDER:
        return true;
    default:
        return false;
    }
}

static bool may_fold(const struct tw_record *r)
{
    return !(r->flags & (TW_SYN | TW_FIN | TW_RST));
}

/* Does this frame continue the run that began with that one? */
static bool continues(const struct builder *b, const struct tw_flow_event *begun,
                      const struct tw_flow_event *e)
{
    const struct tw_record *first = begun->record, *r = e->record;

    if (e->source != begun->source || !may_fold(r))
        return false;
    if (r->from == first->from)
        return r->frame_class == first->frame_class && (r->len > 0) == (first->len > 0);
    return rides_along(b, begun, r);
}

static struct tw_flow_row frame_row(const struct tw_flow_event *e)
{
    return (struct tw_flow_row) { .kind = TW_FLOW_FRAME,
                                  .source = e->source,
                                  .first = e->record,
                                  .last = e->record,
                                  .n = 1,
                                  .bytes = e->record->len };
}

/* Add a frame to the run that the row stands for. */
static void take(struct tw_flow_row *row, const struct tw_record *r)
{
    row->last = r;
    if (r->from == row->first->from) {
        row->n++;
        row->bytes += r->len;
        return;
    }
    row->n_acks++;
    if (r->frame_class != TCPWHY_CLASS_DUPLICATE_ACK)
        return;
    row->n_duplicates++;
    if (!row->duplicate)
        row->duplicate = r;
}

/* The run that begins at event i; its kind is TW_FLOW_FRAME when nothing folds. *used: events. */
static struct tw_flow_row run_at(const struct builder *b, uint32_t i, uint32_t *used)
{
    const struct tw_flow_event *begun = &b->event[i];
    struct tw_flow_row row = frame_row(begun);
    uint32_t least = begun->record->frame_class == TCPWHY_CLASS_DATA ? MIN_RUN_DATA : MIN_RUN_OTHER;
    struct silence silence;
    uint32_t k;

    for (k = i + 1; k < b->n && !b->unfold && may_fold(begun->record); k++) {
        const struct tw_record *r = b->event[k].record;

        if (!continues(b, begun, &b->event[k]) || gap_before(b, k, &silence))
            break;
        take(&row, r);
    }
    *used = row.n < least ? 1 : k - i;
    if (row.n < least)
        return frame_row(begun);
    row.kind = TW_FLOW_RUN;
    return row;
}

static void cut(struct builder *b, uint32_t i)
{
    struct tw_flow_row row = { .kind = TW_FLOW_CUT,
                               .source = b->event[i].source,
                               .first = b->event[i].record,
                               .last = b->event[b->n - 1].record,
                               .n = b->n - i };

    tw_array_append_val(b->rows, row);
}

static void note_repeats(struct builder *b, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        b->repeats[b->event[i].source][b->event[i].record->from] =
            b->event[i].record->frame_class == TCPWHY_CLASS_DUPLICATE_ACK;
}

static void build_rows(struct builder *b, uint32_t max_rows)
{
    for (uint32_t i = 0, used; i < b->n; i += used) {
        struct silence silence = { 0 };
        struct tw_flow_row row;

        if (b->rows->len >= max_rows) {
            cut(b, i);
            return;
        }
        if (gap_before(b, i, &silence)) {
            row = (struct tw_flow_row) { .kind = TW_FLOW_GAP,
                                         .source = silence.source,
                                         .first = b->event[i - 1].record,
                                         .last = b->event[i].record,
                                         .span = silence.span,
                                         .charged_ns = silence.ns };
            tw_array_append_val(b->rows, row);
        }
        row = run_at(b, i, &used);
        tw_array_append_val(b->rows, row);
        note_repeats(b, i, i + used);
    }
}

/* The exchange of a stream that begins, asking or answering, with a frame. */
static const struct tcpwhy_exchange *exchange_of(const struct tw_stream_row *stream, uint32_t frame,
                                                 bool asks)
{
    size_t low = 0, high = stream->n_exchanges;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct tcpwhy_exchange *e = &stream->exchanges[middle];
        uint32_t begins = asks ? e->request_frame : e->response_frame;

        if (begins == frame)
            return e;
        if (begins && begins < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void name_exchanges(const struct builder *b)
{
    for (guint i = 0; i < b->rows->len; i++) {
        struct tw_flow_row *row = &tw_array_index(b->rows, struct tw_flow_row, i);
        const struct tw_stream_row *stream = b->source[row->source].stream;

        if ((row->kind != TW_FLOW_FRAME && row->kind != TW_FLOW_RUN) || row->first->len == 0)
            continue;
        row->asks = exchange_of(stream, row->first->frame, true);
        row->answers = exchange_of(stream, row->first->frame, false);
    }
}

/* Every wait of the verdict is to be seen, however many there are. */
static bool is_whole(const struct tw_flow *flow, const struct tcpwhy_flow_options *options)
{
    return flow->part == TW_FLOW_WHOLE && options->whole;
}

/* A requested part is cut at its end, so that the rest can be requested. */
static bool is_thinned(const struct tw_flow *flow, const struct tcpwhy_flow_options *options)
{
    if (flow->part == TW_FLOW_DIGEST)
        return true;
    return (flow->part == TW_FLOW_SPAN || is_whole(flow, options)) && !options->unfold &&
           options->max_rows == 0;
}

static void thin(const struct tw_flow_source *source, const struct tcpwhy_flow_options *options,
                 struct tw_flow *flow)
{
    if (is_whole(flow, options))
        tw_flow_thin_rows(source, flow->rows, DEFAULT_MAX_ROWS);
    else
        tw_flow_thin_rows(NULL, flow->rows, options->max_rows ? options->max_rows : SPAN_ROWS);
}

void tw_flow_rows(const struct tw_flow_source *source, uint32_t n_sources,
                  const struct tw_flow_event *event, uint32_t n,
                  const struct tcpwhy_flow_options *options, struct tw_flow *flow)
{
    struct builder b = { .source = source,
                         .n_sources = n_sources,
                         .event = event,
                         .n = n,
                         .rows = flow->rows,
                         .unfold = options->unfold };
    tcpwhy_ns shown_ns;

    tw_array_set_size(flow->rows, 0);
    flow->n_frames = n;
    if (n == 0)
        return;
    flow->from_ns = event[0].record->time_ns;
    flow->to_ns = event[n - 1].record->time_ns;
    flow->last_frame = event[n - 1].record->frame;
    shown_ns = flow->to_ns - flow->from_ns;
    b.repeats = tw_malloc0_n(n_sources, sizeof(*b.repeats));
    b.min_gap_ns = MAX(MIN_GAP_NS, shown_ns / GAP_PART);
    b.min_lost_gap_ns = MAX(MIN_LOST_GAP_NS, shown_ns / LOST_GAP_PART);
    if (flow->part == TW_FLOW_DIGEST)
        b.min_gap_ns = b.min_lost_gap_ns = MIN_GAP_NS;
    if (is_thinned(flow, options)) {
        build_rows(&b, UINT32_MAX);
        thin(source, options, flow);
    } else {
        build_rows(&b, options->max_rows ? options->max_rows : DEFAULT_MAX_ROWS);
    }
    tw_flow_number_repeats(source, n_sources, flow->rows);
    name_exchanges(&b);
    tw_free(b.repeats);
}
