/* SPDX-License-Identifier: MIT */
/*
 * TCP flags and parts of a flow graph by name.
 */
#include "render/view/flow_words.h"

#include <string.h>

#include "base/counts.h"
#include "dissect/dissect.h"
#include "render/view/view.h"

/* Of a gap, others than its main cause are told if they have more than this part. */
#define OTHERS_PART 10

const struct tw_ws_label tw_ws_labels[TW_WS_LABELS] = {
    { TCPWHY_WS_RETRANSMISSION, "retransmission" },
    { TCPWHY_WS_FAST_RETRANSMISSION, "fast_retransmission" },
    { TCPWHY_WS_SPURIOUS_RETRANSMISSION, "spurious_retransmission" },
    { TCPWHY_WS_OUT_OF_ORDER, "out_of_order" },
    { TCPWHY_WS_LOST_SEGMENT, "lost_segment" },
    { TCPWHY_WS_ACK_LOST_SEGMENT, "ack_lost_segment" },
    { TCPWHY_WS_DUPLICATE_ACK, "duplicate_ack" },
    { TCPWHY_WS_WINDOW_UPDATE, "window_update" },
    { TCPWHY_WS_WINDOW_FULL, "window_full" },
    { TCPWHY_WS_ZERO_WINDOW, "zero_window" },
    { TCPWHY_WS_ZERO_WINDOW_PROBE, "zero_window_probe" },
    { TCPWHY_WS_ZERO_WINDOW_PROBE_ACK, "zero_window_probe_ack" },
    { TCPWHY_WS_KEEP_ALIVE, "keep_alive" },
    { TCPWHY_WS_KEEP_ALIVE_ACK, "keep_alive_ack" },
    { TCPWHY_WS_REUSED_PORTS, "reused_ports" },
};

struct tw_short_text tw_flags(uint16_t flags)
{
    static const struct {
        uint16_t flag;
        const char *name;
    } names[] = {
        { TW_SYN, "SYN" }, { TW_FIN, "FIN" }, { TW_RST, "RST" },
        { TW_PSH, "PSH" }, { TW_ACK, "ACK" }, { TW_URG, "URG" },
        { TW_ECE, "ECE" }, { TW_CWR, "CWR" }, { TW_AE, "AE" },
    };
    struct tw_short_text own = { "" };

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (flags & names[i].flag)
            strcat(strcat(own.text, own.text[0] ? "," : ""), names[i].name);
    return own.text[0] ? own : (struct tw_short_text) { "-" };
}

enum tw_tone tw_flow_tone(const struct tw_flow_row *row)
{
    if (tw_flow_closes_window(row->first))
        return TW_TONE_WARN;
    switch (row->first->frame_class) {
    case TCPWHY_CLASS_SYN:
    case TCPWHY_CLASS_SYN_ACK:
        return row->nth > 0 ? TW_TONE_BAD : TW_TONE_QUIET;
    case TCPWHY_CLASS_RETRANSMISSION:
    case TCPWHY_CLASS_WINDOW_PROBE:
    case TCPWHY_CLASS_RST:
        return TW_TONE_BAD;
    case TCPWHY_CLASS_OUT_OF_ORDER:
    case TCPWHY_CLASS_DUPLICATE_FRAME:
    case TCPWHY_CLASS_DUPLICATE_ACK:
    case TCPWHY_CLASS_WINDOW_PROBE_ACK:
        return TW_TONE_WARN;
    case TCPWHY_CLASS_DATA:
        return row->n_duplicates > 0 ? TW_TONE_WARN : TW_TONE_PLAIN;
    default:
        return TW_TONE_QUIET;
    }
}

void tw_flow_what(tw_string *to, const struct tw_flow_row *row)
{
    static const char *const names[TW_N_CLASSES] = {
        [TCPWHY_CLASS_SYN] = "SYN",
        [TCPWHY_CLASS_SYN_ACK] = "SYN/ACK",
        [TCPWHY_CLASS_DATA] = "data",
        [TCPWHY_CLASS_RETRANSMISSION] = "retransmission",
        [TCPWHY_CLASS_OUT_OF_ORDER] = "out of order",
        [TCPWHY_CLASS_DUPLICATE_FRAME] = "duplicate frame",
        [TCPWHY_CLASS_ACK] = "ACK",
        [TCPWHY_CLASS_DUPLICATE_ACK] = "duplicate ACK",
        [TCPWHY_CLASS_WINDOW_UPDATE] = "window update",
        [TCPWHY_CLASS_KEEP_ALIVE] = "keep-alive",
        [TCPWHY_CLASS_KEEP_ALIVE_ACK] = "keep-alive ACK",
        [TCPWHY_CLASS_WINDOW_PROBE] = "window probe",
        [TCPWHY_CLASS_WINDOW_PROBE_ACK] = "probe ACK",
        [TCPWHY_CLASS_FIN] = "FIN",
        [TCPWHY_CLASS_RST] = "RST",
    };
    unsigned frame_class = row->first->frame_class;

    /* Of SYNs the first is counted, too. */
    bool again =
        row->nth > 0 && (frame_class == TCPWHY_CLASS_SYN || frame_class == TCPWHY_CLASS_SYN_ACK);
    unsigned nth = again ? row->nth - 1 : row->nth;

    tw_string_append_printf(to, "%s%s", frame_class < TW_N_CLASSES ? names[frame_class] : "",
                            again ? " retransmission" : "");
    if (nth > 0)
        tw_string_append_printf(to, " #%u", nth);
    if (nth > 0 && row->kind == TW_FLOW_RUN)
        tw_string_append_printf(to, "-#%u", nth + row->n - 1);
    if (row->kind == TW_FLOW_FRAME && tw_flow_closes_window(row->first))
        tw_string_append(to, ", win 0");
}

/* With several streams in a graph, each arrow names its stream. */
static void stream_of(tw_string *to, const struct tw_flow_source *source,
                      const struct tw_flow_row *row, const struct tw_flow_columns *columns)
{
    if (columns->together)
        tw_string_append_printf(to, "[%u] ", source[row->source].stream->stream);
}

void tw_flow_note(tw_string *to, const struct tw_flow_source *source, const struct tw_flow_row *row,
                  const struct tw_flow_columns *columns)
{
    stream_of(to, source, row, columns);
    tw_flow_what(to, row);
    if (row->asks && row->asks->request[0])
        tw_string_append_printf(to, ", %s", row->asks->request);
    else if (row->answers && row->answers->status > 0)
        tw_string_append_printf(to, ", status %u", row->answers->status);
}

void tw_flow_gap_part(tw_string *to, const struct tw_flow_row *row)
{
    tcpwhy_ns all_ns = row->last->time_ns - row->first->time_ns;

    if (row->span && row->charged_ns > 0 && OTHERS_PART * (all_ns - row->charged_ns) > all_ns)
        tw_string_append_printf(to, ", %s ms of it", tw_ms(row->charged_ns, 3).text);
}

void tw_flow_gap(tw_string *to, const struct tw_flow_source *source, const struct tw_flow_row *row,
                 const struct tw_flow_columns *columns)
{
    const struct tcpwhy_span *s = row->span;

    if (!s)
        return;
    stream_of(to, source, row, columns);
    if (s->party != TCPWHY_PARTY_NONE)
        tw_string_append_printf(to, "%s, ", tcpwhy_party_name(s->party));
    tw_string_append(to, tcpwhy_confidence_name(s->confidence));
}

static void run_acks(tw_string *to, const struct tw_flow_row *row, bool numbers)
{
    if (row->n_acks > row->n_duplicates) {
        tw_string_append_printf(to, ", %s",
                                tw_plural(row->n_acks - row->n_duplicates, "ACK", "ACKs").text);
    }
    if (row->n_duplicates == 0)
        return;
    tw_string_append_printf(to, ", %s",
                            tw_plural(row->n_duplicates, "duplicate ACK", "duplicate ACKs").text);
    if (numbers && row->nth_duplicate > 0)
        tw_string_append_printf(to, " #%u", row->nth_duplicate);
    if (numbers && row->nth_duplicate > 0 && row->n_duplicates > 1)
        tw_string_append_printf(to, "-#%u", row->nth_duplicate + row->n_duplicates - 1);
}

void tw_flow_run(tw_string *to, const struct tw_flow_row *row, unsigned parts)
{
    tw_string_append(to, tw_plural(row->n, "segment", "segments").text);
    if (row->bytes > 0 && parts & TW_FLOW_RUN_BYTES)
        tw_string_append_printf(to, ", %s bytes", tw_count(row->bytes).text);
    if (parts & TW_FLOW_RUN_ACKS)
        run_acks(to, row, parts & TW_FLOW_RUN_NUMBERS);
}

static void which_part(tw_string *to, const struct tw_stream_row *stream,
                       const struct tw_flow *flow)
{
    if (flow->part == TW_FLOW_EXCHANGE) {
        tw_string_append_printf(to, ", costliest request (%zu of %zu)", flow->exchange_index + 1,
                                stream->n_exchanges);
        if (flow->exchange->request[0])
            tw_string_append_printf(to, ": %s", flow->exchange->request);
        if (flow->exchange->total_ns != TCPWHY_NS_UNKNOWN)
            tw_string_append_printf(to, "%s%s", flow->exchange->request[0] ? ", " : ": ",
                                    tw_duration(flow->exchange->total_ns).text);
    } else if (flow->part == TW_FLOW_SPAN) {
        tw_string_append_printf(to, ", longest wait: %s",
                                tcpwhy_cause_info(stream->verdict.cause)->title);
    }
}

void tw_flow_title(tw_string *to, const struct tw_flow_source *source, uint32_t n,
                   const struct tw_flow *flow)
{
    if (n == 1) {
        tw_string_append_printf(to, "Stream %u", source->stream->stream);
        if (source->stream->server_name)
            tw_string_append_printf(to, " to %s", source->stream->server_name);
    } else
        tw_string_append(to, tw_plural(n, "stream", "streams").text);
    if (flow->n_frames == 0) {
        tw_string_append(to, flow->n_hidden > 0 ? ": the options hide all of its frames."
                                                : ": no frames in that range.");
        return;
    }
    which_part(to, source->stream, flow);
    tw_string_append_printf(to, "; 0 ms is %s s into the capture",
                            tw_seconds(flow->from_ns, 6).text);
    if (flow->n_hidden > 0)
        tw_string_append_printf(to, "; %s of %s frames hidden", tw_count(flow->n_hidden).text,
                                tw_count(flow->n_hidden + flow->n_frames).text);
}

const char *tw_flow_none(const tcpwhy_report *report)
{
    return tw_report_capture(report)->streams == 0
               ? tw_text_no_stream(report)
               : "No frames to draw: the analysis ran without keep_spans.";
}
