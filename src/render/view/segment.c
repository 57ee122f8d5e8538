/* SPDX-License-Identifier: MIT */
/*
 * A frame: its labels, and which format is written where.
 */
#include "render/view/segment.h"

const struct tw_segment_label tw_segment_labels[TW_SEGMENT_LABELS] = {
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

static bool ready(const struct tw_request *request)
{
    return request->options.segment || request->format == TCPWHY_FORMAT_CSV;
}

const struct tw_renderer tw_renderer_segment = {
    .document = TCPWHY_DOC_SEGMENT,
    .without_report = true,
    .ready = ready,
    .text = tw_segment_text,
    .lines = tw_segment_json,
    .write = { [TCPWHY_FORMAT_CSV] = tw_segment_csv, [TCPWHY_FORMAT_SCRIPT] = tw_segment_script },
};
