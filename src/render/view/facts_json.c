/* SPDX-License-Identifier: MIT */
/*
 * Facts across connections as JSON: sentences, how connections were opened, ports, traffic over
 * time.
 */
#include "render/view/json_parts.h"

void tw_json_facts(struct tw_json *json, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_fact *f = tw_report_facts(report, &n);

    tw_json_array(json, "facts");
    for (size_t i = 0; i < n; i++, f++) {
        tw_json_object(json, NULL);
        tw_json_string(json, "fact", f->fact);
        tw_json_string(json, "text", f->text);
        tw_json_string(json, "confidence", tcpwhy_confidence_name(f->confidence));
        tw_json_endpoint(json, "endpoint", &f->endpoint);
        tw_json_uint(json, "count", f->count);
        tw_json_uint(json, "of", f->of);
        tw_json_end(json);
    }
    tw_json_end(json);
}

static void silence(struct tw_json *json, const struct tcpwhy_openings *o)
{
    bool named = o->silence != TCPWHY_SILENCE_NONE;

    tw_json_string(json, "silence", named ? tcpwhy_silence_name(o->silence) : NULL);
    tw_json_string(json, "silence_confidence",
                   named ? tcpwhy_confidence_name(o->silence_confidence) : NULL);
    tw_json_string(json, "silence_rival",
                   o->silence_rival == TCPWHY_SILENCE_NONE ? NULL
                                                           : tcpwhy_silence_name(o->silence_rival));
}

void tw_json_openings(struct tw_json *json, const struct tcpwhy_openings *o)
{
    tw_json_object(json, "openings");
    tw_json_uint(json, "syns", o->syns);
    tw_json_uint(json, "syn_repeats", o->syn_repeats);
    tw_json_uint(json, "unanswered_syns", o->unanswered_syns);
    tw_json_real(json, "unanswered_share", o->unanswered_share);
    tw_json_uint(json, "waited", o->waited);
    tw_json_uint(json, "opened", o->opened);
    tw_json_uint(json, "half_open", o->half_open);
    tw_json_uint(json, "rejected", o->rejected);
    tw_json_uint(json, "unreachable", o->unreachable);
    tw_json_uint(json, "accept_overflows", o->accept_overflows);
    tw_json_uint(json, "answers_lost", o->answers_lost);
    tw_json_uint(json, "resets_by_client", o->resets_by_client);
    tw_json_uint(json, "resets_by_server", o->resets_by_server);
    tw_json_real(json, "peak_opened_per_s", o->peak_opened_per_s);
    tw_json_real(json, "peak_syns_per_s", o->peak_syns_per_s);
    silence(json, o);
    tw_json_end(json);
}

void tw_json_ports(struct tw_json *json, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_ports *p = tw_report_ports(report, &n);

    tw_json_array(json, "ports");
    for (size_t i = 0; i < n; i++, p++) {
        tw_json_object(json, NULL);
        tw_json_endpoint(json, "client", &p->client);
        tw_json_endpoint(json, "listener", &p->listener);
        tw_json_uint(json, "connections", p->connections);
        tw_json_uint(json, "ports", p->ports);
        tw_json_uint(json, "in_use", p->in_use);
        tw_json_uint(json, "range", p->range);
        tw_json_uint(json, "lowest", p->lowest);
        tw_json_uint(json, "highest", p->highest);
        tw_json_uint(json, "reused", p->reused);
        tw_json_uint(json, "reuse_failed", p->reuse_failed);
        tw_json_bool(json, "exhausted", p->exhausted);
        tw_json_end(json);
    }
    tw_json_end(json);
}

void tw_json_interval(struct tw_json *json, const struct tw_interval_series *t, size_t i,
                      bool whole)
{
    const struct tcpwhy_interval *at = &t->interval[i];
    double per_s = 1e9 / (double)t->interval_ns;

    tw_json_object(json, NULL);
    tw_json_ms(json, "from_ms", t->first_ns + (tcpwhy_ns)i * t->interval_ns);
    tw_json_uint(json, "frames", at->frames);
    tw_json_real(json, "frames_per_s", (double)at->frames * per_s);
    if (whole) {
        tw_json_uint(json, "bytes", at->bytes);
        tw_json_real(json, "bits_per_s", (double)at->bytes * 8 * per_s);
    }
    tw_json_uint(json, "payload_bytes_to_server", at->payload_bytes[TCPWHY_CLIENT]);
    tw_json_uint(json, "payload_bytes_to_client", at->payload_bytes[TCPWHY_SERVER]);
    tw_json_uint(json, "retransmissions", at->retransmissions);
    tw_json_uint(json, "syns", at->syns);
    tw_json_uint(json, "syn_repeats", at->syn_repeats);
    tw_json_uint(json, "unanswered", at->unanswered);
    tw_json_uint(json, "refused", at->refused);
    tw_json_uint(json, "opened", at->opened);
    tw_json_end(json);
}

void tw_json_traffic(struct tw_json *json, const struct tw_interval_series *t, bool whole)
{
    tw_json_object(json, "traffic");
    tw_json_ms(json, "interval_ms", t->interval_ns);
    tw_json_array(json, "intervals");
    for (size_t i = 0; i < t->n; i++)
        tw_json_interval(json, t, i, whole);
    tw_json_end(json);
    tw_json_end(json);
}
