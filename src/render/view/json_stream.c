/* SPDX-License-Identifier: MIT */
/*
 * Streams, listeners, ledgers, spans and exchanges as JSON. The milliseconds of a stream's ledger
 * carry every nanosecond, so that they add up to its duration exactly.
 */
#include "base/ns.h"
#include "render/view/json_parts.h"

static tcpwhy_ns total(const struct tcpwhy_ledger_entry *entry, size_t n)
{
    tcpwhy_ns sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = tw_ns_add(sum, entry[i].ns);
    return sum;
}

void tw_json_ledger(struct tw_json *json, const struct tcpwhy_ledger_entry *entry, size_t n)
{
    tcpwhy_ns total_ns = total(entry, n);

    tw_json_array(json, "ledger");
    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_ledger_entry *e = &entry[i];

        tw_json_object(json, NULL);
        tw_json_charge(json, &(struct tw_json_charge) { e->cause, e->party, e->from, e->confidence,
                                                        e->rival });
        tw_json_ms(json, "ms", e->ns);
        tw_json_real(json, "share", total_ns > 0 ? (double)e->ns / (double)total_ns : 0);
        tw_json_uint(json, "count", e->count);
        tw_json_end(json);
    }
    tw_json_end(json);
}

static void spans(struct tw_json *json, const struct tw_stream_row *stream)
{
    tw_json_array(json, "spans");
    for (size_t i = 0; i < stream->n_spans; i++) {
        const struct tcpwhy_span *s = &stream->spans[i];

        tw_json_object(json, NULL);
        tw_json_ms(json, "from_ms", s->from_ns);
        tw_json_ms(json, "to_ms", s->to_ns);
        tw_json_charge(json, &(struct tw_json_charge) { s->cause, s->party, s->from, s->confidence,
                                                        s->rival });
        tw_json_frame(json, "first_frame", s->first_frame);
        tw_json_frame(json, "last_frame", s->last_frame);
        tw_json_end(json);
    }
    tw_json_end(json);
}

void tw_json_stream_ends(struct tw_json *json, const struct tw_stream_row *stream)
{
    tw_json_uint(json, "stream", stream->stream);
    tw_json_endpoint(json, "client", &stream->client);
    tw_json_endpoint(json, "server", &stream->server);
}

static void repairs(struct tw_json *json, const struct tcpwhy_repairs *r)
{
    tw_json_object(json, "repairs");
    tw_json_uint(json, "fast", r->fast);
    tw_json_uint(json, "probes", r->probes);
    tw_json_uint(json, "timeouts", r->timeouts);
    tw_json_uint(json, "after_timeouts", r->after_timeouts);
    tw_json_uint(json, "spurious", r->spurious);
    tw_json_end(json);
}

static void life(struct tw_json *json, const struct tw_stream_row *s)
{
    tw_json_bool(json, "roles_inferred", s->roles_inferred);
    tw_json_bool(json, "complete_start", s->complete_start);
    tw_json_bool(json, "complete_end", s->complete_end);
    tw_json_string(json, "vantage", tcpwhy_vantage_name(s->vantage));
    tw_json_string(json, "vantage_confidence", tcpwhy_confidence_name(s->vantage_confidence));
    tw_json_ms(json, "start_ms", s->start_ns);
    tw_json_ms(json, "duration_ms", s->duration_ns);
    tw_json_frame(json, "first_frame", s->first_frame);
    tw_json_frame(json, "last_frame", s->last_frame);
    tw_json_uint(json, "frames", s->frames);
}

static void stream_object(struct tw_json *json, const struct tw_stream_row *s, bool with_spans)
{
    tw_json_object(json, NULL);
    tw_json_stream_ends(json, s);
    life(json, s);
    tw_json_verdict(json, &s->verdict);
    tw_json_ledger(json, s->ledger, s->n_ledger);
    tw_json_uint(json, "bytes_to_server", s->bytes_to_server);
    tw_json_uint(json, "bytes_to_client", s->bytes_to_client);
    tw_json_uint(json, "retransmissions", s->retransmissions);
    repairs(json, &s->repairs);
    tw_json_object(json, "rtt_us");
    tw_json_us(json, "min", s->rtt_min_ns);
    tw_json_us(json, "median", s->rtt_median_ns);
    tw_json_us(json, "max", s->rtt_max_ns);
    tw_json_end(json);
    tw_json_latency(json, "exchanges", &s->latency, &s->status);
    if (with_spans && s->spans)
        spans(json, s);
    tw_json_end(json);
}

static bool put_stream(void *json, const struct tw_stream_row *stream)
{
    stream_object(json, stream, false);
    return true;
}

static bool put_stream_with_spans(void *json, const struct tw_stream_row *stream)
{
    stream_object(json, stream, true);
    return true;
}

void tw_json_each_stream(struct tw_json *json, const tcpwhy_report *report, bool with_spans)
{
    tw_report_visit_streams(report, with_spans ? put_stream_with_spans : put_stream, json);
}

void tw_json_streams(struct tw_json *json, const tcpwhy_report *report, bool with_spans)
{
    tw_json_array(json, "streams");
    tw_json_each_stream(json, report, with_spans);
    tw_json_end(json);
}

void tw_json_listeners(struct tw_json *json, const tcpwhy_report *report, bool with_traffic)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);

    tw_json_array(json, "listeners");
    for (size_t i = 0; i < n; i++, l++) {
        tw_json_object(json, NULL);
        tw_json_endpoint(json, "endpoint", &l->endpoint);
        tw_json_uint(json, "connections", l->connections);
        tw_json_uint(json, "unanswered", l->unanswered);
        tw_json_uint(json, "refused", l->refused);
        tw_json_uint(json, "resets", l->resets);
        tw_json_latency(json, "exchanges", &l->latency, &l->status);
        tw_json_ledger(json, l->ledger, l->n_ledger);
        tw_json_openings(json, &l->openings);
        if (with_traffic)
            tw_json_traffic(json, &l->traffic, false);
        tw_json_end(json);
    }
    tw_json_end(json);
}

void tw_json_exchange(struct tw_json *json, uint32_t stream, const struct tcpwhy_exchange *e)
{
    tw_json_object(json, NULL);
    tw_json_uint(json, "stream", stream);
    tw_json_string(json, "protocol", e->protocol);
    tw_json_string(json, "request", e->request[0] ? e->request : NULL);
    if (e->status)
        tw_json_uint(json, "status", e->status);
    else
        tw_json_null(json, "status");
    tw_json_bool(json, "complete", e->complete);
    tw_json_ms(json, "start_ms", e->start_ns);
    tw_json_ms(json, "first_byte_ms", e->first_byte_ns);
    tw_json_ms(json, "total_ms", e->total_ns);
    tw_json_uint(json, "request_bytes", e->request_bytes);
    tw_json_uint(json, "response_bytes", e->response_bytes);
    tw_json_frame(json, "request_frame", e->request_frame);
    tw_json_frame(json, "request_last_frame", e->request_last_frame);
    tw_json_frame(json, "response_frame", e->response_frame);
    tw_json_frame(json, "response_last_frame", e->response_last_frame);
    tw_json_end(json);
}
