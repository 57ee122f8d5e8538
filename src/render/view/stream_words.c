/* SPDX-License-Identifier: MIT */
/*
 * The lines about a connection: duration, payload, RTT, point of capture, verdict.
 */
#include "render/view/view.h"
#include "report/endpoints.h"

static void life(tw_string *to, const struct tw_stream_row *s)
{
    tw_string_append_printf(to, "%s, start %s s, ", tw_duration(s->duration_ns).text,
                            tw_seconds(s->start_ns, 3).text);
    if (s->frames == 1)
        tw_string_append_printf(to, "frame %u", s->first_frame);
    else
        tw_string_append_printf(to, "frames %u-%u (%s)", s->first_frame, s->last_frame,
                                tw_count(s->frames).text);
    if (!s->complete_start)
        tw_string_append(to, s->roles_inferred ? "; start not captured" : "; handshake incomplete");
    if (!s->complete_end)
        tw_string_append(to, "; end not captured");
}

static void payload(tw_string *to, const struct tw_stream_row *s)
{
    tw_string_append_printf(
        to, "%s to the server, %s to the client; %s", tw_byte_size(s->bytes_to_server).text,
        tw_byte_size(s->bytes_to_client).text,
        tw_plural(s->retransmissions, "retransmission", "retransmissions").text);
}

void tw_stream_vantage(tw_string *to, const struct tw_stream_row *s)
{
    if (s->vantage == TCPWHY_VANTAGE_UNKNOWN)
        tw_string_append(to, "unknown");
    else
        tw_string_append_printf(
            to, "%s the %s (%s)", s->vantage == TCPWHY_VANTAGE_MIDDLE ? "in" : "at",
            tcpwhy_vantage_name(s->vantage), tcpwhy_confidence_name(s->vantage_confidence));
}

static void rtt(tw_string *to, const struct tw_stream_row *s)
{
    if (s->rtt_min_ns == TCPWHY_NS_UNKNOWN) {
        tw_string_append(to, "unknown");
        return;
    }
    tw_string_append_printf(
        to, "min %s / median %s / max %s ms", tw_comparable_ms(s->rtt_min_ns).text,
        tw_comparable_ms(s->rtt_median_ns).text, tw_comparable_ms(s->rtt_max_ns).text);
}

static void verdict(tw_string *to, const struct tw_stream_row *s)
{
    const struct tcpwhy_verdict *v = &s->verdict;

    if (v->failure != TCPWHY_FAILURE_NONE) {
        tw_string_append_printf(to, "failed, %s", tcpwhy_failure_info(v->failure)->title);
        if (v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE)
            return;
        tw_string_append(to, "; ");
    }
    if (v->cause == TCPWHY_CAUSE_NONE) {
        tw_string_append(to, v->confidence == TCPWHY_CERTAIN
                                 ? "no problem found"
                                 : "no problem found, but part of the time is unexplained");
        return;
    }
    tw_text_title(to, v->cause);
    tw_text_place(to, v->cause, &v->endpoint,
                  tw_endpoint_equal(&v->endpoint, &s->server) ? s->server_name : NULL, v->party);
    tw_string_append_printf(to, ": %s, %s of %s (%s)", tw_duration(v->cost_ns).text,
                            tw_percent(v->share).text,
                            v->cause == TCPWHY_CLIENT_IDLE ? "the connection time" : "all waiting",
                            tcpwhy_confidence_name(v->confidence));
}

static void requests(tw_string *to, const struct tw_stream_row *s)
{
    if (s->latency.count > 0)
        tw_text_answered(to, &s->latency, &s->status);
}

static void path(tw_string *to, const struct tw_stream_row *s)
{
    for (size_t i = 0; i < s->n_facts; i++)
        tw_string_append_printf(to, "%s%s", i > 0 ? " " : "", s->facts[i].text);
}

const struct tw_stream_line tw_stream_lines[TW_STREAM_LINES] = {
    { "duration", life },     { "payload", payload },
    { "RTT", rtt },           { "captured", tw_stream_vantage },
    { "requests", requests }, { "path", path },
    { "verdict", verdict },
};
