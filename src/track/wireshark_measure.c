/* SPDX-License-Identifier: MIT */
/*
 * Measures of tshark 4.0 at a frame: the round trip that its ACK ends, bytes in flight, bytes
 * since the last PSH, the initial round trip, and how complete the stream is.
 */
#include "track/wireshark_state.h"

/* tshark prints no flight of this size or above. */
#define FLIGHT_MAX 2000000000u

/* tshark takes a time of 0 for one that was not measured. */
static tcpwhy_ns known(tcpwhy_ns time_ns)
{
    return time_ns == 0 ? TCPWHY_NS_UNKNOWN : time_ns;
}

/* The ACK ends the round trip of the oldest segment that it covers to the byte. */
void tw_ws_acknowledge(struct tw_ws_frame *frame)
{
    struct tw_ws_unacked_entry match;

    if (!tw_ws_unacked_acknowledge(&frame->rev->unacked, frame->segment->ack, &match))
        return;
    frame->out->acks_frame = match.frame;
    frame->out->ack_rtt_ns = known(frame->time_ns - match.time_ns);
}

bool tw_ws_has_flight(const struct tw_ws_frame *frame)
{
    return frame->segment->len > 0 && frame->fwd->flight_valid;
}

/* Bytes in flight: from the lowest to the highest unacknowledged byte, less the SACK blocks of the
 * other side's last frame. */
static void measure_bytes(struct tw_ws_frame *frame)
{
    uint32_t flight = tw_ws_unacked_extent(&frame->fwd->unacked, frame->fwd->base);

    for (int i = 0; i < frame->rev->n_sack; i++)
        flight -= frame->rev->sack[i][1] - frame->rev->sack[i][0];
    if (flight > 0 && flight < FLIGHT_MAX && frame->segment->flags & (TW_SYN | TW_FIN))
        flight--;
    if (flight > 0 && flight < FLIGHT_MAX)
        frame->out->bytes_in_flight = flight;
}

/* Bytes since the frame after the last PSH. */
static void measure_push(struct tw_ws_frame *frame)
{
    struct tw_ws_side *fwd = frame->fwd;

    if (fwd->push_last)
        fwd->push_bytes = 0;
    fwd->push_bytes += frame->segment->len;
    fwd->push_last = frame->segment->flags & TW_PSH;
    if (frame->out->bytes_in_flight >= 0)
        frame->out->push_bytes_sent = fwd->push_bytes;
}

void tw_ws_measure_flight(struct tw_ws_frame *frame)
{
    if (!tw_ws_has_flight(frame))
        return;
    measure_bytes(frame);
    measure_push(frame);
}

/* From the latest SYN to the first ACK after it, whoever sends it. */
void tw_ws_measure_initial_rtt(struct tw_ws *ws, const struct tw_ws_frame *frame)
{
    if (tw_ws_is_syn(frame->segment))
        ws->syn_ns = frame->time_ns;
    if (ws->initial_rtt_ns == TCPWHY_NS_UNKNOWN && ws->syn_ns != TCPWHY_NS_UNKNOWN &&
        tw_ws_is_later_ack(frame->segment))
        ws->initial_rtt_ns = known(frame->time_ns - ws->syn_ns);
}
