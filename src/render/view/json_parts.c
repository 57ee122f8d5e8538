/* SPDX-License-Identifier: MIT */
/*
 * Capture, verdict, findings, listeners and latencies as JSON. A party or a rival that there is
 * not, and a time that is not known, are null.
 */
#include "render/view/json_parts.h"

#include "report/report_views.h"

const char *tw_json_side(enum tcpwhy_side side)
{
    return side == TCPWHY_SERVER ? "server" : "client";
}

static const char *party(enum tcpwhy_party who)
{
    return who == TCPWHY_PARTY_NONE ? NULL : tcpwhy_party_name(who);
}

static const char *cause(enum tcpwhy_cause which)
{
    return tcpwhy_cause_info(which)->name;
}

static const char *rival(enum tcpwhy_cause which)
{
    return which == TCPWHY_CAUSE_NONE ? NULL : cause(which);
}

static void frames(struct tw_json *json, const uint32_t *frame, size_t n)
{
    tw_json_array(json, "frames");
    for (size_t i = 0; i < n; i++)
        tw_json_uint(json, NULL, frame[i]);
    tw_json_end(json);
}

static void epoch(struct tw_json *json, const char *key, int64_t ns)
{
    if (ns == TCPWHY_NS_UNKNOWN)
        tw_json_null(json, key);
    else
        tw_json_int(json, key, ns);
}

void tw_json_capture(struct tw_json *json, const char *key, const struct tw_capture_row *capture)
{
    tw_json_object(json, key);
    tw_json_string(json, "file", capture->file);
    if (capture->comment[0])
        tw_json_string(json, "comment", capture->comment);
    tw_json_uint(json, "frames", capture->frames);
    tw_json_uint(json, "tcp_frames", capture->tcp_frames);
    tw_json_uint(json, "bytes", capture->bytes);
    epoch(json, "first_ns", capture->first_ns);
    epoch(json, "last_ns", capture->last_ns);
    tw_json_array(json, "quality");
    for (size_t i = 0; i < capture->n_quality; i++) {
        const struct tcpwhy_quality *q = &capture->quality[i];

        tw_json_object(json, NULL);
        tw_json_string(json, "fact", q->fact);
        tw_json_string(json, "text", q->text);
        tw_json_uint(json, "count", q->count);
        frames(json, q->frames, q->n_frames);
        tw_json_end(json);
    }
    tw_json_end(json);
    tw_json_end(json);
}

void tw_json_verdict(struct tw_json *json, const struct tcpwhy_verdict *verdict)
{
    tw_json_object(json, "verdict");
    tw_json_string(json, "cause", cause(verdict->cause));
    tw_json_string(json, "party", party(verdict->party));
    tw_json_endpoint(json, "endpoint", &verdict->endpoint);
    tw_json_ms(json, "cost_ms", verdict->cost_ns);
    tw_json_real(json, "share", verdict->share);
    tw_json_string(json, "confidence", tcpwhy_confidence_name(verdict->confidence));
    tw_json_string(json, "rival", rival(verdict->rival));
    tw_json_uint(json, "streams", verdict->streams);
    tw_json_end(json);
}

void tw_json_details(struct tw_json *json, const struct tw_finding_row *f)
{
    for (size_t i = 0; i < f->n_details; i++) {
        if (f->details[i].text)
            tw_json_string(json, f->details[i].name, f->details[i].text);
        else
            tw_json_real(json, f->details[i].name, f->details[i].number);
    }
}

static void finding(struct tw_json *json, const struct tw_finding_row *f)
{
    tw_json_object(json, NULL);
    tw_json_string(json, "cause", cause(f->cause));
    tw_json_string(json, "party", party(f->party));
    tw_json_endpoint(json, "endpoint", &f->endpoint);
    tw_json_endpoint(json, "peer", &f->peer);
    tw_json_uint(json, "stream", f->stream);
    tw_json_uint(json, "streams", f->streams);
    tw_json_ms(json, "cost_ms", f->cost_ns);
    tw_json_uint(json, "count", f->count);
    tw_json_ms(json, "median_ms", f->median_ns);
    tw_json_string(json, "confidence", tcpwhy_confidence_name(f->confidence));
    tw_json_string(json, "rival", rival(f->rival));
    frames(json, f->frames, f->n_frames);
    tw_json_object(json, "detail");
    tw_json_details(json, f);
    tw_json_end(json);
    tw_json_string(json, "summary", f->summary);
    tw_json_string(json, "remedy", f->remedy);
    tw_json_end(json);
}

int tcpwhy_render_finding_json(const struct tcpwhy_finding *view, tcpwhy_write_fn write, void *user)
{
    g_autofree struct tw_finding_row *row = tw_finding_of_view(view);
    struct tw_json json;
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    tw_json_init(&json, &out, 0);
    finding(&json, row);
    return tw_writer_finish(&out);
}

void tw_json_findings(struct tw_json *json, const tcpwhy_report *report)
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    tw_json_array(json, "findings");
    for (size_t i = 0; i < n; i++)
        finding(json, &f[i]);
    tw_json_end(json);
}

void tw_json_charge(struct tw_json *json, const struct tw_json_charge *charge)
{
    tw_json_string(json, "cause", cause(charge->cause));
    tw_json_string(json, "party", party(charge->party));
    tw_json_string(json, "direction", tw_json_side(charge->from));
    tw_json_string(json, "confidence", tcpwhy_confidence_name(charge->confidence));
    tw_json_string(json, "rival", rival(charge->rival));
}

/* Requests answered a second, from the first that was asked to the last that was answered. */
static void per_second(struct tw_json *json, const struct tcpwhy_percentiles *p)
{
    if (p->count > 0 && p->last_ns > p->first_ns)
        tw_json_real(json, "per_second",
                     (double)p->count * 1e9 / (double)(p->last_ns - p->first_ns));
    else
        tw_json_null(json, "per_second");
}

void tw_json_latency(struct tw_json *json, const char *key,
                     const struct tcpwhy_percentiles *latency,
                     const struct tcpwhy_status_classes *status)
{
    static const char *const classes[] = { "other", "1xx", "2xx", "3xx", "4xx", "5xx" };

    tw_json_object(json, key);
    tw_json_uint(json, "count", latency->count);
    tw_json_ms(json, "min_ms", latency->min_ns);
    tw_json_ms(json, "p50_ms", latency->p50_ns);
    tw_json_ms(json, "p75_ms", latency->p75_ns);
    tw_json_ms(json, "p90_ms", latency->p90_ns);
    tw_json_ms(json, "p99_ms", latency->p99_ns);
    tw_json_ms(json, "max_ms", latency->max_ns);
    per_second(json, latency);
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
