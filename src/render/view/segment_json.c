/* SPDX-License-Identifier: MIT */
/*
 * A frame as a JSON object on one line.
 */
#include "render/view/flow_words.h"
#include "render/view/names.h"
#include "render/view/records.h"
#include "render/view/segment.h"

static void int_or_null(struct tw_json *json, const char *key, bool there, int64_t value)
{
    if (there)
        tw_json_int(json, key, value);
    else
        tw_json_null(json, key);
}

static void labels(struct tw_json *json, uint32_t flags)
{
    tw_json_array(json, "analysis");
    for (int i = 0; i < TW_SEGMENT_LABELS; i++)
        if (flags & tw_segment_labels[i].flag)
            tw_json_string(json, NULL, tw_segment_labels[i].name);
    tw_json_end(json);
}

/* The fields of tshark, with their names and the unit as suffix. */
static void wireshark(struct tw_json *json, const struct tcpwhy_wireshark *w)
{
    bool duplicate = w->flags & TCPWHY_WS_DUPLICATE_ACK;

    tw_json_object(json, "wireshark");
    labels(json, w->flags);
    tw_json_uint(json, "seq", w->seq);
    tw_json_uint(json, "ack", w->ack);
    tw_json_int(json, "window_bytes", w->window_bytes);
    int_or_null(json, "bytes_in_flight", w->bytes_in_flight >= 0, w->bytes_in_flight);
    int_or_null(json, "push_bytes_sent", w->push_bytes_sent >= 0, w->push_bytes_sent);
    tw_json_frame(json, "acks_frame", w->acks_frame);
    tw_json_us(json, "ack_rtt_us", w->ack_rtt_ns);
    tw_json_us(json, "initial_rtt_us", w->initial_rtt_ns);
    tw_json_us(json, "rto_us", w->rto_ns);
    tw_json_frame(json, "rto_frame", w->rto_frame);
    int_or_null(json, "duplicate_ack_num", duplicate, w->duplicate_ack_num);
    int_or_null(json, "duplicate_ack_frame", duplicate, w->duplicate_ack_frame);
    tw_json_uint(json, "completeness", w->completeness);
    tw_json_end(json);
}

void tw_segment_json(const struct tw_request *request, struct tw_json *json)
{
    const struct tcpwhy_segment *s = request->options.segment;

    tw_json_object(json, NULL);
    tw_json_frame(json, "frame", s->frame);
    tw_json_int(json, "epoch_ns", s->time_ns);
    tw_json_ms(json, "time_ms", s->relative_ns);
    tw_json_uint(json, "stream", s->stream);
    tw_json_string(json, "direction", tw_name_side(s->from));
    tw_json_endpoint(json, "source", &s->source);
    tw_json_endpoint(json, "destination", &s->destination);
    tw_json_string(json, "flags", tw_flags(s->flags).text);
    tw_json_int(json, "seq", s->seq);
    tw_json_int(json, "ack", s->ack);
    tw_json_uint(json, "len", s->len);
    int_or_null(json, "window_bytes", s->window_bytes >= 0, s->window_bytes);
    tw_json_string(json, "class", tcpwhy_class_name(s->frame_class));
    if (s->wireshark)
        wireshark(json, s->wireshark);
    tw_json_end(json);
}
