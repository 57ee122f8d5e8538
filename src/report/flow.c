/* SPDX-License-Identifier: MIT */
/*
 * Records of a part of a stream to rows: gaps are put in, alike frames are folded.
 *
 *     data data ack data ack   --->   one run: 3 segments, 2 ACKs
 */
#include "report/flow.h"

#include "report/flow_part.h"

/* More rows than this no one reads; the options say otherwise. */
#define DEFAULT_MAX_ROWS 200

/* Fewer alike frames are as quickly read as folded. */
#define MIN_RUN_DATA  3
#define MIN_RUN_OTHER 4

/* Silence that is drawn: a part of what is shown; less when time was lost in it. */
#define MIN_GAP_NS      TCPWHY_MS(1)
#define GAP_PART        33
#define MIN_LOST_GAP_NS TCPWHY_MS(5)
#define LOST_GAP_PART   100

/* An exchange of more frames is drawn only when it folds into a readable number of rows. */
#define LONG_EXCHANGE 100
#define FEW_ROWS      6
#define MANY_ROWS     60

struct builder {
    const struct tcpwhy_stream *stream;
    const struct tw_log *log;
    struct tw_flow *flow;
    tcpwhy_ns min_gap_ns, min_lost_gap_ns;
    bool unfold;
};

/* The span with most of [from, to) in it. */
static const struct tcpwhy_span *span_of(const struct tcpwhy_stream *stream, tcpwhy_ns from_ns,
                                         tcpwhy_ns to_ns)
{
    const struct tcpwhy_span *best = NULL;
    tcpwhy_ns most_ns = 0;

    for (size_t i = tw_flow_first_span(stream, from_ns); i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];
        tcpwhy_ns overlap_ns = MIN(s->to_ns, to_ns) - MAX(s->from_ns, from_ns);

        if (s->from_ns >= to_ns)
            break;
        if (overlap_ns > most_ns) {
            most_ns = overlap_ns;
            best = s;
        }
    }
    return best;
}

static bool gap_before(const struct builder *b, uint32_t i, const struct tcpwhy_span **span)
{
    tcpwhy_ns from_ns, to_ns;

    if (i <= b->flow->first)
        return false;
    from_ns = b->log->record[i - 1].time_ns;
    to_ns = b->log->record[i].time_ns;
    if (to_ns - from_ns < MIN(b->min_gap_ns, b->min_lost_gap_ns))
        return false;
    *span = span_of(b->stream, from_ns, to_ns);
    return to_ns - from_ns >= b->min_gap_ns || (*span && tw_flow_is_lost((*span)->cause));
}

/* ACKs of the other side ride along in a run; duplicate ones only where repairs are sent. */
static bool rides_along(enum tcpwhy_class run_class, const struct tw_record *r)
{
    if (r->len > 0)
        return false;
    if (r->frame_class == TCPWHY_CLASS_ACK)
        return run_class == TCPWHY_CLASS_DATA || run_class == TCPWHY_CLASS_RETRANSMISSION;
    return r->frame_class == TCPWHY_CLASS_DUPLICATE_ACK && run_class == TCPWHY_CLASS_RETRANSMISSION;
}

/* Does this frame continue the run that began with that one? */
static bool continues(const struct tw_record *begun, const struct tw_record *r)
{
    if (r->flags & (TW_SYN | TW_FIN | TW_RST))
        return false;
    if (r->from == begun->from)
        return r->frame_class == begun->frame_class && (r->len > 0) == (begun->len > 0);
    return rides_along((enum tcpwhy_class)begun->frame_class, r);
}

static bool may_fold(const struct tw_record *r)
{
    return !(r->flags & (TW_SYN | TW_FIN | TW_RST));
}

/* The run that begins at record i; its kind is TW_FLOW_FRAME when nothing folds. */
static struct tw_flow_row run_at(const struct builder *b, uint32_t i)
{
    const struct tw_record *begun = &b->log->record[i];
    struct tw_flow_row row = {
        .kind = TW_FLOW_RUN, .first = i, .last = i, .n = 1, .bytes = begun->len
    };
    uint32_t least = begun->frame_class == TCPWHY_CLASS_DATA ? MIN_RUN_DATA : MIN_RUN_OTHER;
    const struct tcpwhy_span *span;

    for (uint32_t k = i + 1; k < b->flow->end && !b->unfold && may_fold(begun); k++) {
        const struct tw_record *r = &b->log->record[k];

        if (!continues(begun, r) || gap_before(b, k, &span))
            break;
        row.last = k;
        if (r->from == begun->from) {
            row.n++;
            row.bytes += r->len;
        } else {
            row.n_acks++;
        }
    }
    if (row.n < least)
        return (struct tw_flow_row) {
            .kind = TW_FLOW_FRAME, .first = i, .last = i, .n = 1, .bytes = begun->len
        };
    return row;
}

static void cut(struct builder *b, uint32_t i)
{
    struct tw_flow_row row = {
        .kind = TW_FLOW_CUT, .first = i, .last = b->flow->end - 1, .n = b->flow->end - i
    };

    g_array_append_val(b->flow->rows, row);
}

static void build_rows(struct builder *b, uint32_t max_rows)
{
    for (uint32_t i = b->flow->first; i < b->flow->end;) {
        const struct tcpwhy_span *span = NULL;
        struct tw_flow_row row;

        if (b->flow->rows->len >= max_rows) {
            cut(b, i);
            return;
        }
        if (gap_before(b, i, &span)) {
            row = (struct tw_flow_row) {
                .kind = TW_FLOW_GAP, .first = i - 1, .last = i, .span = span
            };
            g_array_append_val(b->flow->rows, row);
        }
        row = run_at(b, i);
        g_array_append_val(b->flow->rows, row);
        i = row.last + 1;
    }
}

/* Rows of the part that was chosen. */
static void build_part(struct builder *b, uint32_t max_rows)
{
    const struct tw_record *record = b->log->record;
    tcpwhy_ns shown_ns;

    g_array_set_size(b->flow->rows, 0);
    if (b->flow->first >= b->flow->end)
        return;
    shown_ns = record[b->flow->end - 1].time_ns - record[b->flow->first].time_ns;
    b->min_gap_ns = MAX(MIN_GAP_NS, shown_ns / GAP_PART);
    b->min_lost_gap_ns = MAX(MIN_LOST_GAP_NS, shown_ns / LOST_GAP_PART);
    build_rows(b, max_rows);
}

/* A long transfer is one exchange: folded it may say nothing, unfolded too much. */
static bool says_little(const struct tw_flow *flow)
{
    return flow->part == TW_FLOW_EXCHANGE && flow->end - flow->first > LONG_EXCHANGE &&
           (flow->rows->len < FEW_ROWS || flow->rows->len > MANY_ROWS);
}

void tw_flow_build(const struct tcpwhy_stream *stream, const struct tw_log *log,
                   const struct tcpwhy_flow_options *options, struct tw_flow *out)
{
    struct builder b = { .stream = stream, .log = log, .flow = out, .unfold = options->unfold };
    uint32_t max_rows = options->max_rows ? options->max_rows : DEFAULT_MAX_ROWS;

    *out = (struct tw_flow) { .rows = g_array_new(FALSE, FALSE, sizeof(struct tw_flow_row)) };
    tw_flow_choose_part(stream, log, options, out);
    build_part(&b, max_rows);
    if (says_little(out) && tw_flow_choose_span(stream, log, out))
        build_part(&b, max_rows);
}

void tw_flow_clear(struct tw_flow *flow)
{
    g_array_free(flow->rows, TRUE);
    flow->rows = NULL;
}
