/* SPDX-License-Identifier: MIT */
/*
 * A frame: as a line of text, as a JSON object on one line, as a line of a script, and as a row of
 * comma-separated values.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"
#include "render/view/flow_words.h"
#include "render/view/view.h"

/* ---- text ------------------------------------------------------------------------------------ */

/* frame       ms  stream  side    class  flags seq ack len window  labels */

/* Columns at which the parts of a line begin; numbers end one short of the next. */
#define TIME_AT   8
#define STREAM_AT 20
#define SIDE_AT   27
#define CLASS_AT  34
#define FLAGS_AT  51

/* The next word begins there, or a space behind one that is too long for its column. */
static void begin_at(struct tw_layout *page, size_t column)
{
    tw_layout_tab(page, MAX((unsigned)column, page->at + (page->at > 0)));
}

static void end_at(struct tw_layout *page, size_t column, const char *text)
{
    size_t len = strlen(text);

    begin_at(page, column - MIN(len, column));
    tw_layout_put(page, TW_TONE_PLAIN, text);
}

static void numbers(struct tw_layout *page, const struct tcpwhy_segment *segment)
{
    tw_layout_putf(page, TW_TONE_PLAIN, "%s seq %" PRId64, tw_flags(segment->flags).text,
                   segment->seq);
    if (segment->flags & 0x010)
        tw_layout_putf(page, TW_TONE_PLAIN, " ack %" PRId64, segment->ack);
    if (segment->len > 0)
        tw_layout_putf(page, TW_TONE_PLAIN, " len %" PRIu32, segment->len);
    if (segment->window_bytes >= 0)
        tw_layout_putf(page, TW_TONE_PLAIN, " win %" PRId64, segment->window_bytes);
}

static void text_labels(struct tw_layout *page, uint32_t flags)
{
    for (int i = 0; i < TW_WS_LABELS; i++)
        if (flags & tw_ws_labels[i].flag)
            tw_layout_putf(page, TW_TONE_WARN, " [%s]", tw_ws_labels[i].name);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    const struct tcpwhy_segment *s = request->options.segment;

    end_at(page, TIME_AT - 1, tw_plain(s->frame).text);
    end_at(page, STREAM_AT - 1, tw_ms(s->relative_ns, 3).text);
    end_at(page, SIDE_AT - 2, tw_plain(s->stream).text);
    begin_at(page, SIDE_AT);
    tw_layout_put(page, TW_TONE_QUIET, s->from == TCPWHY_CLIENT ? "client" : "server");
    begin_at(page, CLASS_AT);
    tw_layout_put(page, TW_TONE_STRONG, tcpwhy_class_name(s->frame_class));
    begin_at(page, FLAGS_AT);
    numbers(page, s);
    if (s->wireshark)
        text_labels(page, s->wireshark->flags);
    tw_layout_end_line(page);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_labels(struct tw_json *json, uint32_t flags)
{
    tw_json_array(json, "analysis");
    for (int i = 0; i < TW_WS_LABELS; i++)
        if (flags & tw_ws_labels[i].flag)
            tw_json_string(json, NULL, tw_ws_labels[i].name);
    tw_json_end(json);
}

/* The fields of tshark, with their names and the unit as suffix. */
static void wireshark(struct tw_json *json, const struct tcpwhy_wireshark *w)
{
    bool duplicate = w->flags & TCPWHY_WS_DUPLICATE_ACK;

    tw_json_object(json, "wireshark");
    json_labels(json, w->flags);
    tw_json_uint(json, "seq", w->seq);
    tw_json_uint(json, "ack", w->ack);
    tw_json_int(json, "window_bytes", w->window_bytes);
    tw_json_known(json, "bytes_in_flight", w->bytes_in_flight >= 0, w->bytes_in_flight);
    tw_json_known(json, "push_bytes_sent", w->push_bytes_sent >= 0, w->push_bytes_sent);
    tw_json_frame(json, "acks_frame", w->acks_frame);
    tw_json_us(json, "ack_rtt_us", w->ack_rtt_ns);
    tw_json_us(json, "initial_rtt_us", w->initial_rtt_ns);
    tw_json_us(json, "rto_us", w->rto_ns);
    tw_json_frame(json, "rto_frame", w->rto_frame);
    tw_json_known(json, "duplicate_ack_num", duplicate, w->duplicate_ack_num);
    tw_json_known(json, "duplicate_ack_frame", duplicate, w->duplicate_ack_frame);
    tw_json_uint(json, "completeness", w->completeness);
    tw_json_end(json);
}

static void line(const struct tw_request *request, struct tw_json *json)
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
    tw_json_known(json, "window_bytes", s->window_bytes >= 0, s->window_bytes);
    tw_json_string(json, "class", tcpwhy_class_name(s->frame_class));
    if (s->wireshark)
        wireshark(json, s->wireshark);
    tw_json_end(json);
}

/* ---- script ---------------------------------------------------------------------------------- */

#define NS_PER_MS       INT64_C(1000000)
#define DECIMALS_OF_MS  6 /* down to a nanosecond */
#define MAX_SACK_RANGES 4

static void script_time(struct tw_writer *out, tcpwhy_ns ns)
{
    unsigned decimals = 0;

    for (int64_t scale = NS_PER_MS; ns % scale != 0; scale /= 10)
        decimals++;
    tw_writer_text(out, tw_fixed(ns, DECIMALS_OF_MS, decimals, false).text);
    tw_writer_text(out, "ms");
}

/* packetdrill's letters; '.' is ACK. */
static void script_flags(struct tw_writer *out, uint16_t flags)
{
    static const struct {
        uint16_t flag;
        char letter;
    } letters[] = { { 0x002, 'S' }, { 0x001, 'F' }, { 0x004, 'R' }, { 0x008, 'P' }, { 0x010, '.' },
                    { 0x020, 'U' }, { 0x040, 'E' }, { 0x080, 'W' }, { 0x100, 'A' } };

    for (size_t i = 0; i < G_N_ELEMENTS(letters); i++)
        if (flags & letters[i].flag)
            tw_writer_bytes(out, &letters[i].letter, 1);
    if (!flags)
        tw_writer_text(out, "-");
}

static void script_options(struct tw_writer *out, const struct tcpwhy_segment *s)
{
    bool has_sack = s->n_sack > 0;

    tw_writer_text(out, " <");
    if (s->mss)
        tw_writer_printf(out, "mss %u,", s->mss);
    if (s->sack_permitted)
        tw_writer_text(out, "sackOK,");
    if (s->timestamps)
        tw_writer_printf(out, "TS val %" PRIu32 " ecr %" PRIu32 ",", s->tsval, s->tsecr);
    if (s->wscale >= 0)
        tw_writer_printf(out, "wscale %d,", s->wscale);
    if (has_sack)
        tw_writer_text(out, "sack");
    for (uint32_t i = 0; i < MIN(s->n_sack, MAX_SACK_RANGES); i++)
        tw_writer_printf(out, " %" PRId64 ":%" PRId64, s->sack[i][0], s->sack[i][1]);
    tw_writer_text(out, has_sack ? ",eol>" : "eol>");
}

/* As the unit tests read it (tests/unit/README.md):
 *
 *     20.01ms C > P. 1:101(100) ack 1 win 60000 id 101 ttl 64 <TS val 7 ecr 5>
 */
static void script(const struct tw_request *request, struct tw_writer *out)
{
    const struct tcpwhy_segment *s = request->options.segment;

    script_time(out, s->relative_ns);
    tw_writer_text(out, s->from == TCPWHY_CLIENT ? " C > " : " S > ");
    script_flags(out, s->flags);
    tw_writer_printf(out, " %" PRId64 ":%" PRId64 "(%" PRIu32 ")", s->seq, s->seq + s->len, s->len);
    if (s->flags & 0x010)
        tw_writer_printf(out, " ack %" PRId64, s->ack);
    tw_writer_printf(out, " win %u id %u ttl %u", s->window_raw, s->ip_id, s->ttl);
    script_options(out, s);
    tw_writer_text(out, "\n");
}
/* ---- CSV ----------------------------------------------------------------------------------------
 */

/*
 * The columns and the spelling of "tshark -T fields -E header=y -E separator=, -E occurrence=f".
 * What only tcpwhy knows stands at the end, in columns named tcpwhy.*.
 */

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
    for (int i = 0; i < TW_WS_LABELS; i++)
        put(out, flags & tw_ws_labels[i].flag ? "1" : "");
}

/* How many columns put_analysis() writes. */
#define ANALYSIS_COLUMNS (TW_WS_LABELS + 10)

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
    for (int i = 0; i < TW_WS_LABELS; i++)
        putf(out, "tcp.analysis.%s", tw_ws_labels[i].name);
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
static void csv(const struct tw_request *request, struct tw_writer *out)
{
    if (request->options.segment)
        put_row(out, request->options.segment);
    else
        put_header(out);
    if (out->n > 0)
        out->bytes[out->n - 1] = '\n';
}

/* ---- the document ------------------------------------------------------------------------------
 */

static bool ready(const struct tw_request *request)
{
    return request->options.segment || request->format == TCPWHY_FORMAT_CSV;
}

const struct tw_renderer tw_renderer_segment = {
    .document = TCPWHY_DOC_SEGMENT,
    .without_report = true,
    .ready = ready,
    .text = text,
    .lines = line,
    .write = { [TCPWHY_FORMAT_CSV] = csv, [TCPWHY_FORMAT_SCRIPT] = script },
};
