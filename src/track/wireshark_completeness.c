/* SPDX-License-Identifier: MIT */
/*
 * tcp.completeness of tshark 4.0: which parts of a connection's life a stream has shown. tshark
 * prints what the frames before this one showed.
 */
#include "track/wireshark_state.h"

#define SEEN_SYN     0x01
#define SEEN_SYN_ACK 0x02
#define SEEN_ACK     0x04
#define SEEN_DATA    0x08
#define SEEN_FIN     0x10
#define SEEN_RST     0x20

/* The frame that creates the conversation counts only when it is a SYN. */
static uint8_t shown_by_first(const struct tw_segment *segment)
{
    if (!tw_ws_is_syn(segment))
        return 0;
    return SEEN_SYN | (segment->len > 0 ? SEEN_DATA : 0);
}

/* Combinations of flags count, so that some odd ones show less than they hold. */
static uint8_t shown_by(const struct tw_segment *segment)
{
    uint8_t seen = segment->flags & TW_RST ? SEEN_RST : 0;

    if (tw_ws_is_syn_ack(segment))
        seen |= SEEN_SYN_ACK;
    else if (segment->flags & TW_ACK)
        seen |= segment->len > 0 ? SEEN_DATA : SEEN_ACK;
    if ((segment->flags & (TW_FIN | TW_ACK)) == (TW_FIN | TW_ACK))
        seen |= SEEN_FIN;
    return seen;
}

void tw_ws_note_completeness(struct tw_ws *ws, struct tw_ws_frame *frame, bool reused)
{
    bool first = !ws->started;

    ws->started = true;
    if (first && reused)
        ws->completeness = SEEN_SYN;
    frame->out->completeness = ws->completeness;
    if (frame->out->header == TCPWHY_WS_HEADER_SHORT)
        return;
    ws->completeness |=
        first && !reused ? shown_by_first(frame->segment) : shown_by(frame->segment);
}
