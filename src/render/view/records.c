/* SPDX-License-Identifier: MIT */
/*
 * The records of schema tcpwhy/1 that several documents share, field by field. The milliseconds of
 * a ledger carry every nanosecond, so that they add up to the duration exactly.
 */
#include "render/view/records.h"

#include "base/ns.h"
#include "render/view/names.h"
#include "render/writers/fields.h"

/* ---- the capture ----------------------------------------------------------------------------- */

static bool quality_frames(const void *record, struct tw_frames *frames, tw_string *behind)
{
    const struct tcpwhy_quality *q = record;

    (void)behind;
    *frames = (struct tw_frames) { .frame = q->frames, .n = q->n_frames };
    return true;
}

#define OF(member) TW_AT(struct tcpwhy_quality, member)
static const struct tw_field quality_fields[] = {
    { "fact", TW_TEXT, OF(fact) },
    { "text", TW_TEXT, OF(text) },
    { "count", TW_UINT, OF(count) },
    { "frames", TW_FRAMES, .frames = quality_frames },
    TW_FIELDS_END,
};
#undef OF

void tw_json_capture(struct tw_json *json, const char *key, const struct tw_capture_row *capture)
{
    tw_json_object(json, key);
    tw_json_string(json, "file", capture->file);
    if (capture->comment[0])
        tw_json_string(json, "comment", capture->comment);
    tw_json_uint(json, "frames", capture->frames);
    tw_json_uint(json, "tcp_frames", capture->tcp_frames);
    tw_json_uint(json, "bytes", capture->bytes);
    tw_json_known(json, "first_ns", capture->first_ns != TCPWHY_NS_UNKNOWN, capture->first_ns);
    tw_json_known(json, "last_ns", capture->last_ns != TCPWHY_NS_UNKNOWN, capture->last_ns);
    tw_json_records(json, "quality", quality_fields, capture->quality, capture->n_quality,
                    sizeof(*capture->quality));
    tw_json_end(json);
}

/* Only a fact of a stream has a frame; it stands last. */
#define OF(member) TW_AT(struct tcpwhy_fact, member)
static const struct tw_field fact_fields[] = {
    { "fact", TW_TEXT, OF(fact) },
    { "text", TW_TEXT, OF(text) },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence },
    { "endpoint", TW_ENDPOINT, OF(endpoint) },
    { "count", TW_UINT, OF(count) },
    { "of", TW_UINT, OF(of) },
    TW_FIELDS_END,
};
#undef OF

static void facts(struct tw_json *json, const struct tcpwhy_fact *fact, size_t n, bool of_stream)
{
    tw_json_array(json, "facts");
    for (size_t i = 0; i < n; i++) {
        tw_json_object(json, NULL);
        tw_json_members(json, fact_fields, &fact[i]);
        if (of_stream)
            tw_json_frame(json, "frame", fact[i].frame);
        tw_json_end(json);
    }
    tw_json_end(json);
}

void tw_json_stream_facts(struct tw_json *json, const struct tw_stream_row *stream)
{
    facts(json, stream->facts, stream->n_facts, true);
}

void tw_json_facts(struct tw_json *json, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_fact *fact = tw_report_facts(report, &n);

    facts(json, fact, n, false);
}

void tw_json_left_out(struct tw_json *json, const char *key, uint64_t n)
{
    if (n > 0)
        tw_json_uint(json, key, n);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

#define OF(member) TW_AT(struct tcpwhy_verdict, member)
static const struct tw_field verdict_fields[] = {
    { "cause", TW_NAME, OF(cause), .name = tw_name_cause },
    { "party", TW_NAME, OF(party), .name = tw_name_party },
    { "endpoint", TW_ENDPOINT, OF(endpoint) },
    { "cost_ms", TW_MS, OF(cost_ns) },
    { "share", TW_REAL, OF(share) },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence },
    { "rival", TW_NAME, OF(rival), .name = tw_name_rival },
    { "streams", TW_UINT, OF(streams) },
    { "failure", TW_NAME, OF(failure), .name = tw_name_failure },
    { "failures", TW_UINT, OF(failures) },
    TW_FIELDS_END,
};
#undef OF

void tw_json_verdict(struct tw_json *json, const struct tcpwhy_verdict *verdict)
{
    tw_json_record(json, "verdict", verdict_fields, verdict);
}

/* ---- latencies ------------------------------------------------------------------------------- */

/* Requests per second, from the first request to the last response. */
static void per_second(struct tw_json *json, const void *record)
{
    const struct tcpwhy_percentiles *p = record;

    if (p->count > 0 && p->last_ns > p->first_ns)
        tw_json_real(json, "per_second",
                     (double)p->count * 1e9 / (double)(p->last_ns - p->first_ns));
    else
        tw_json_null(json, "per_second");
}

#define OF(member) TW_AT(struct tcpwhy_percentiles, member)
static const struct tw_field latency_fields[] = {
    { "count", TW_UINT, OF(count) },
    { "min_ms", TW_MS, OF(min_ns) },
    { "p50_ms", TW_MS, OF(p50_ns) },
    { "p75_ms", TW_MS, OF(p75_ns) },
    { "p90_ms", TW_MS, OF(p90_ns) },
    { "p99_ms", TW_MS, OF(p99_ns) },
    { "max_ms", TW_MS, OF(max_ns) },
    { .kind = TW_CALL, .json = per_second },
    TW_FIELDS_END,
};
#undef OF

void tw_json_latency(struct tw_json *json, const char *key,
                     const struct tcpwhy_percentiles *latency,
                     const struct tcpwhy_status_classes *status)
{
    static const char *const classes[] = { "other", "1xx", "2xx", "3xx", "4xx", "5xx" };

    tw_json_object(json, key);
    tw_json_members(json, latency_fields, latency);
    if (status) {
        tw_json_object(json, "status");
        for (size_t i = 1; i < sizeof(classes) / sizeof(classes[0]); i++)
            if (status->n[i] > 0)
                tw_json_uint(json, classes[i], status->n[i]);
        if (status->n[0] > 0)
            tw_json_uint(json, classes[0], status->n[0]);
        tw_json_end(json);
    }
    tw_json_end(json);
}
