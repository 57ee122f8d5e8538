/* SPDX-License-Identifier: MIT */
/*
 * A short stream is shown whole; of a long one the exchange that lost most, or where there are no
 * exchanges the frames around the longest interval of its verdict.
 */
#include "report/flow/flow_part.h"

/* A stream of so few frames is shown whole. */
#define SHORT_FRAMES 40

/* Frames shown on both sides of an interval. */
#define CONTEXT_FRAMES 20

const char *tw_flow_part_name(enum tw_flow_part part)
{
    switch (part) {
    case TW_FLOW_ASKED:
        return "asked";
    case TW_FLOW_EXCHANGE:
        return "exchange";
    case TW_FLOW_SPAN:
        return "span";
    case TW_FLOW_WHOLE:
    case TW_FLOW_DIGEST:
        break;
    }
    return "whole";
}

bool tw_flow_is_lost(enum tcpwhy_cause cause)
{
    switch (cause) {
    case TCPWHY_CAUSE_NONE:
    case TCPWHY_HANDSHAKE:
    case TCPWHY_CLIENT_IDLE:
    case TCPWHY_WIRE:
    case TCPWHY_CLOSE:
    case TCPWHY_KEEP_ALIVE:
    case TCPWHY_CAPTURE_GAP:
    case TCPWHY_UNKNOWN:
        return false;
    default:
        return true;
    }
}

bool tw_flow_is_verdict(const struct tw_flow_source *source, uint32_t of,
                        const struct tcpwhy_span *span)
{
    return span && tw_flow_is_lost(span->cause) && span->cause == source[of].stream->verdict.cause;
}

size_t tw_flow_first_span(const struct tw_stream_row *stream, tcpwhy_ns after_ns)
{
    size_t low = 0, high = stream->n_spans;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (stream->spans[middle].to_ns > after_ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Misplaced frames are at most this far from where their numbers belong. */
#define MISPLACED_MOST 1024

/* Search for the frame near a record. @return that record if it is not there. */
static uint32_t search_near(const struct tw_log *log, uint32_t at, uint32_t frame)
{
    for (uint32_t i = 0; i < MISPLACED_MOST; i++) {
        if (at + i < log->n && log->record[at + i].frame == frame)
            return at + i;
        if (i < at && at - 1 - i < log->n && log->record[at - 1 - i].frame == frame)
            return at - 1 - i;
    }
    return at;
}

/* Records are nearly in frame order: the record of the frame, or the first after it. */
static uint32_t record_of_frame(const struct tw_log *log, uint32_t frame)
{
    uint32_t low = 0, high = log->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (log->record[middle].frame >= frame)
            high = middle;
        else
            low = middle + 1;
    }
    return search_near(log, low, frame);
}

/* The records of an exchange, and the ACK that follows its last byte. */
static bool exchange_records(const struct tw_log *log, const struct tcpwhy_exchange *e,
                             uint32_t *first, uint32_t *end)
{
    uint32_t from = e->request_frame ? e->request_frame : e->response_frame;
    const uint32_t last[] = { e->request_last_frame, e->response_frame, e->response_last_frame };

    if (from == 0)
        return false;
    *first = *end = record_of_frame(log, from);
    for (unsigned i = 0; i < G_N_ELEMENTS(last); i++)
        if (last[i] > 0)
            *end = MAX(*end, record_of_frame(log, last[i]));
    if (*end >= log->n)
        return false;
    ++*end;
    if (*end < log->n && log->record[*end].frame_class == TCPWHY_CLASS_ACK &&
        log->record[*end].len == 0)
        ++*end;
    return true;
}

static tcpwhy_ns lost_between(const struct tw_stream_row *stream, tcpwhy_ns from_ns,
                              tcpwhy_ns to_ns)
{
    tcpwhy_ns lost_ns = 0;

    for (size_t i = tw_flow_first_span(stream, from_ns); i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];

        if (s->from_ns >= to_ns)
            break;
        if (tw_flow_is_lost(s->cause))
            lost_ns += MIN(s->to_ns, to_ns) - MAX(s->from_ns, from_ns);
    }
    return lost_ns;
}

static bool choose_exchange(const struct tw_stream_row *stream, const struct tw_log *log,
                            struct tw_flow *flow)
{
    tcpwhy_ns most_ns = -1, longest_ns = -1;

    for (size_t i = 0; i < stream->n_exchanges; i++) {
        const struct tcpwhy_exchange *e = &stream->exchanges[i];
        uint32_t first, end;
        tcpwhy_ns lost_ns;

        if (!exchange_records(log, e, &first, &end))
            continue;
        lost_ns = lost_between(stream, log->record[first].time_ns, log->record[end - 1].time_ns);
        if (lost_ns < most_ns || (lost_ns == most_ns && e->total_ns <= longest_ns))
            continue;
        most_ns = lost_ns;
        longest_ns = e->total_ns;
        flow->part = TW_FLOW_EXCHANGE;
        flow->exchange = e;
        flow->exchange_index = i;
        flow->first = first;
        flow->end = end;
    }
    return flow->exchange != NULL;
}

bool tw_flow_choose_span(const struct tw_stream_row *stream, const struct tw_log *log,
                         struct tw_flow *flow)
{
    const struct tcpwhy_span *longest = NULL;
    uint32_t first, last;

    for (size_t i = 0; i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];

        if (s->cause == stream->verdict.cause && tw_flow_is_lost(s->cause) &&
            (!longest || s->to_ns - s->from_ns > longest->to_ns - longest->from_ns))
            longest = s;
    }
    if (!longest)
        return false;
    first = record_of_frame(log, longest->first_frame);
    last = record_of_frame(log, longest->last_frame);
    flow->part = TW_FLOW_SPAN;
    flow->exchange = NULL;
    flow->first = first > CONTEXT_FRAMES ? first - CONTEXT_FRAMES : 0;
    flow->end = MIN(last, log->n) + MIN(CONTEXT_FRAMES, log->n - MIN(last, log->n));
    return flow->first < flow->end;
}

bool tw_flow_asks(const struct tcpwhy_flow_options *o)
{
    return o->from_ns || o->to_ns || o->first_frame || o->last_frame;
}

bool tw_flow_is_asked_for(const struct tw_record *r, const struct tcpwhy_flow_options *o)
{
    return r->frame >= o->first_frame && (!o->last_frame || r->frame <= o->last_frame) &&
           r->time_ns >= o->from_ns && (!o->to_ns || r->time_ns <= o->to_ns);
}

static void choose_asked(const struct tw_log *log, const struct tcpwhy_flow_options *options,
                         struct tw_flow *flow)
{
    flow->part = TW_FLOW_ASKED;
    while (flow->first < flow->end && !tw_flow_is_asked_for(&log->record[flow->first], options))
        flow->first++;
    while (flow->end > flow->first && !tw_flow_is_asked_for(&log->record[flow->end - 1], options))
        flow->end--;
}

void tw_flow_choose_part(const struct tw_stream_row *stream, const struct tw_log *log,
                         const struct tcpwhy_flow_options *options, struct tw_flow *flow)
{
    flow->part = TW_FLOW_WHOLE;
    flow->first = 0;
    flow->end = log->n;
    if (tw_flow_asks(options))
        choose_asked(log, options, flow);
    else if (!options->whole && log->n > SHORT_FRAMES && !choose_exchange(stream, log, flow))
        tw_flow_choose_span(stream, log, flow);
}
