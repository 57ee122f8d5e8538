/* SPDX-License-Identifier: MIT */
/*
 * A frame as a JSON object on one line.
 */
#include "render/view/flow_words.h"
#include "render/view/records.h"
#include "render/view/segment_labels.h"

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

/* What tshark says; members have the names of its fields, with the unit last. */
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

int tcpwhy_render_segment_json(const struct tcpwhy_segment *segment, tcpwhy_write_fn write,
                               void *user)
{
    char flags[TW_FLAGS_TEXT];
    struct tw_json json;
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    tw_json_init(&json, &out, 0);
    tw_json_object(&json, NULL);
    tw_json_frame(&json, "frame", segment->frame);
    tw_json_int(&json, "epoch_ns", segment->time_ns);
    tw_json_ms(&json, "time_ms", segment->relative_ns);
    tw_json_uint(&json, "stream", segment->stream);
    tw_json_string(&json, "direction", tw_json_side(segment->from));
    tw_json_endpoint(&json, "source", &segment->source);
    tw_json_endpoint(&json, "destination", &segment->destination);
    tw_json_string(&json, "flags", tw_flags_text(segment->flags, flags));
    tw_json_int(&json, "seq", segment->seq);
    tw_json_int(&json, "ack", segment->ack);
    tw_json_uint(&json, "len", segment->len);
    int_or_null(&json, "window_bytes", segment->window_bytes >= 0, segment->window_bytes);
    tw_json_string(&json, "class", tcpwhy_class_name(segment->frame_class));
    if (segment->wireshark)
        wireshark(&json, segment->wireshark);
    tw_json_end(&json);
    return tw_writer_finish(&out);
}
