/* SPDX-License-Identifier: MIT */
/*
 * The lines about a connection: duration, payload, RTT, point of capture, verdict.
 */
#include "render/view/stream_words.h"

#include "base/number.h"
#include "base/text.h"
#include "render/view/text_parts.h"
#include "report/endpoints.h"

static void life(tw_string *to, const struct tw_stream_row *s)
{
    char number[TW_NUMBER_TEXT];

    tw_string_append(to, tw_number_part(s->duration_ns, s->duration_ns, number));
    tw_string_append_printf(to, ", start %s s, ", tw_number_seconds(s->start_ns, 3, number));
    if (s->frames == 1)
        tw_string_append_printf(to, "frame %u", s->first_frame);
    else
        tw_string_append_printf(to, "frames %u-%u (%s)", s->first_frame, s->last_frame,
                                tw_number_count(s->frames, number));
    if (!s->complete_start)
        tw_string_append(to, s->roles_inferred ? "; start not captured" : "; handshake incomplete");
    if (!s->complete_end)
        tw_string_append(to, "; end not captured");
}

static void payload(tw_string *to, const struct tw_stream_row *s)
{
    char number[TW_NUMBER_TEXT];

    tw_string_append_printf(to, "%s to the server, ", tw_number_bytes(s->bytes_to_server, number));
    tw_string_append_printf(to, "%s to the client; ", tw_number_bytes(s->bytes_to_client, number));
    tw_text_count(to, s->retransmissions, "retransmission", "retransmissions");
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
    char number[TW_NUMBER_TEXT];

    if (s->rtt_min_ns == TCPWHY_NS_UNKNOWN) {
        tw_string_append(to, "unknown");
        return;
    }
    tw_string_append_printf(to, "min %s", tw_number_comparable_ms(s->rtt_min_ns, number));
    tw_string_append_printf(to, " / median %s", tw_number_comparable_ms(s->rtt_median_ns, number));
    tw_string_append_printf(to, " / max %s ms", tw_number_comparable_ms(s->rtt_max_ns, number));
}

static void verdict(tw_string *to, const struct tw_stream_row *s)
{
    const struct tcpwhy_verdict *v = &s->verdict;
    char number[TW_NUMBER_TEXT];

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
    tw_string_append_printf(to, ": %s, ", tw_number_part(v->cost_ns, s->duration_ns, number));
    tw_string_append_printf(to, "%s of %s (%s)", tw_number_percent(v->share, number),
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
