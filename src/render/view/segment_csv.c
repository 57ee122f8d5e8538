/* SPDX-License-Identifier: MIT */
/*
 * A frame as a row of comma-separated values, with the columns and the spelling of
 * "tshark -T fields -E header=y -E separator=, -E occurrence=f". What only tcpwhy knows stands at
 * the end, in columns named tcpwhy.*.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tcpwhy/render.h>

#include "base/digits.h"
#include "base/number.h"
#include "render/writers/writer.h"
#include "render/view/segment.h"

/* Of an empty column only its comma is written. */
static void put(struct tw_writer *out, const char *text)
{
    tw_writer_text(out, text);
    tw_writer_bytes(out, ",", 1);
}

static void putf(struct tw_writer *out, const char *format, ...)
{
    char text[64];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    put(out, text);
}

static void put_int(struct tw_writer *out, bool there, int64_t value)
{
    char text[TW_DIGITS];

    if (there)
        tw_writer_bytes(out, text, (size_t)(tw_digits_put_signed(text, value) - text));
    put(out, "");
}

/* Seconds with nine decimals. */
static void put_time(struct tw_writer *out, tcpwhy_ns time_ns)
{
    put(out, time_ns == TCPWHY_NS_UNKNOWN ? "" : tw_fixed(time_ns, 9, 9, false).text);
}

/* tshark has a field for each version of the Internet protocol. */
static void put_endpoint(struct tw_writer *out, const struct tcpwhy_endpoint *endpoint)
{
    struct tw_short_text address = tw_host(endpoint);

    put(out, endpoint->version == 4 ? address.text : "");
    put(out, endpoint->version == 6 ? address.text : "");
    put_int(out, true, endpoint->port);
}

static void put_labels(struct tw_writer *out, uint32_t flags)
{
    for (int i = 0; i < TW_SEGMENT_LABELS; i++)
        put(out, flags & tw_segment_labels[i].flag ? "1" : "");
}

/* How many columns put_analysis() writes. */
#define ANALYSIS_COLUMNS (TW_SEGMENT_LABELS + 10)

static void put_analysis(struct tw_writer *out, const struct tcpwhy_wireshark *w)
{
    bool duplicate = w->flags & TCPWHY_WS_DUPLICATE_ACK;

    put_labels(out, w->flags);
    put_int(out, w->bytes_in_flight >= 0, w->bytes_in_flight);
    put_int(out, w->push_bytes_sent >= 0, w->push_bytes_sent);
    put_int(out, w->acks_frame != 0, w->acks_frame);
    put_time(out, w->ack_rtt_ns);
    put_time(out, w->initial_rtt_ns);
    put_time(out, w->rto_ns);
    put_int(out, w->rto_frame != 0, w->rto_frame);
    put_int(out, duplicate, w->duplicate_ack_num);
    put_int(out, duplicate, w->duplicate_ack_frame);
    put_int(out, true, w->completeness);
}

/* Sequence numbers and window as tshark counts them, or as we do when it was not asked. */
static void put_tshark_columns(struct tw_writer *out, const struct tcpwhy_segment *segment)
{
    const struct tcpwhy_wireshark *w = segment->wireshark;
    bool whole = !w || w->header != TCPWHY_WS_HEADER_SHORT;
    bool length = !w || w->header != TCPWHY_WS_HEADER_LONG;
    bool scaled = segment->window_bytes >= 0;

    put_int(out, true, w ? w->seq : segment->seq);
    put_int(out, whole, w ? w->ack : segment->ack);
    put_int(out, length, segment->len);
    putf(out, whole ? "0x%04x" : "", segment->flags);
    if (w) {
        put_int(out, whole, w->window_bytes);
        put_analysis(out, w);
        return;
    }
    put_int(out, true, scaled ? segment->window_bytes : segment->window_raw);
    for (int i = 0; i < ANALYSIS_COLUMNS; i++)
        put(out, "");
}

static void put_own(struct tw_writer *out, const struct tcpwhy_segment *segment)
{
    put(out, segment->from == TCPWHY_CLIENT ? "client" : "server");
    put(out, tcpwhy_class_name(segment->frame_class));
    put_int(out, true, segment->seq);
    put_int(out, segment->flags & 0x010, segment->ack);
    put_int(out, segment->window_bytes >= 0, segment->window_bytes);
}

static void put_header(struct tw_writer *out)
{
    put(out, "frame.number,frame.time_epoch,tcp.stream,ip.src,ipv6.src,tcp.srcport,ip.dst,"
             "ipv6.dst,tcp.dstport,tcp.seq,tcp.ack,tcp.len,tcp.flags,tcp.window_size");
    for (int i = 0; i < TW_SEGMENT_LABELS; i++)
        putf(out, "tcp.analysis.%s", tw_segment_labels[i].name);
    put(out, "tcp.analysis.bytes_in_flight,tcp.analysis.push_bytes_sent,tcp.analysis.acks_frame,"
             "tcp.analysis.ack_rtt,tcp.analysis.initial_rtt,tcp.analysis.rto,"
             "tcp.analysis.rto_frame,tcp.analysis.duplicate_ack_num,"
             "tcp.analysis.duplicate_ack_frame,tcp.completeness");
    put(out, "tcpwhy.side,tcpwhy.class,tcpwhy.seq,tcpwhy.ack,tcpwhy.window_bytes");
}

static void put_row(struct tw_writer *out, const struct tcpwhy_segment *segment)
{
    put_int(out, true, segment->frame);
    put_time(out, segment->time_ns);
    put_int(out, true, segment->stream);
    put_endpoint(out, &segment->source);
    put_endpoint(out, &segment->destination);
    put_tshark_columns(out, segment);
    put_own(out, segment);
}

/* The row's last comma becomes its line feed; a row is shorter than the buffer. */
void tw_segment_csv(const struct tw_request *request, struct tw_writer *out)
{
    if (request->options.segment)
        put_row(out, request->options.segment);
    else
        put_header(out);
    if (out->n > 0)
        out->bytes[out->n - 1] = '\n';
}
