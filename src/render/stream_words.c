/* SPDX-License-Identifier: MIT */
/*
 * A connection told in a few phrases.
 */
#include "render/stream_words.h"

#include "render/number.h"
#include "render/text_parts.h"

void tw_stream_life(GString *to, const struct tw_stream_row *s)
{
    char number[TW_NUMBER_TEXT];

    g_string_append(to, s->duration_ns ? tw_number_duration(s->duration_ns, number) : "no time");
    g_string_append_printf(to, ", from %s s in", tw_number_seconds(s->start_ns, 3, number));
    if (s->frames == 1)
        g_string_append_printf(to, ", frame %u", s->first_frame);
    else
        g_string_append_printf(to, ", frames %u to %u (%s of them)", s->first_frame, s->last_frame,
                               tw_number_count(s->frames, number));
    if (!s->complete_start)
        g_string_append(to, s->roles_inferred ? "; its beginning is not in the capture"
                                              : "; no whole handshake is in the capture");
    if (!s->complete_end)
        g_string_append(to,
                        s->complete_start ? "; its end is not in the capture" : ", nor its end");
}

void tw_stream_carried(GString *to, const struct tw_stream_row *s)
{
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(to, "%s to the server, ", tw_number_bytes(s->bytes_to_server, number));
    g_string_append_printf(to, "%s to the client; ", tw_number_bytes(s->bytes_to_client, number));
    tw_text_count(to, s->retransmissions, "retransmission", "retransmissions");
}

void tw_stream_vantage(GString *to, const struct tw_stream_row *s)
{
    if (s->vantage == TCPWHY_VANTAGE_UNKNOWN)
        g_string_append(to, "where it was captured is not known");
    else
        g_string_append_printf(
            to, "captured %s the %s (%s)", s->vantage == TCPWHY_VANTAGE_MIDDLE ? "in" : "at",
            tcpwhy_vantage_name(s->vantage), tcpwhy_confidence_name(s->vantage_confidence));
}

void tw_stream_path(GString *to, const struct tw_stream_row *s)
{
    char number[TW_NUMBER_TEXT];

    if (s->rtt_min_ns == TCPWHY_NS_UNKNOWN) {
        g_string_append(to, "round trip not known");
    } else {
        g_string_append_printf(to, "round trip %s at least",
                               tw_number_duration(s->rtt_min_ns, number));
        g_string_append_printf(to, ", %s at the median",
                               tw_number_duration(s->rtt_median_ns, number));
        g_string_append_printf(to, ", %s at most", tw_number_duration(s->rtt_max_ns, number));
    }
    g_string_append(to, "; ");
    tw_stream_vantage(to, s);
}

void tw_stream_verdict(GString *to, const struct tcpwhy_verdict *v)
{
    char number[TW_NUMBER_TEXT];

    if (v->cause == TCPWHY_CAUSE_NONE) {
        g_string_append(to, v->confidence == TCPWHY_CERTAIN
                                ? "nothing is wrong"
                                : "nothing wrong was found, but part of its time is not told");
    } else {
        tw_text_title(to, v->cause);
        tw_text_place(to, v->cause, &v->endpoint, v->party);
        g_string_append_printf(to, ": %s", tw_number_duration(v->cost_ns, number));
        g_string_append_printf(to,
                               v->cause == TCPWHY_CLIENT_IDLE
                                   ? ", %s of its life; nobody waited"
                                   : " lost, %s of the time that somebody waited",
                               tw_number_percent(v->share, number));
        g_string_append_printf(to, " (%s)", tcpwhy_confidence_name(v->confidence));
    }
}
