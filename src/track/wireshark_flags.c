/* SPDX-License-Identifier: MIT */
/*
 * The checks by which tshark 4.0 labels a frame, in its order. Each looks at the state before the
 * frame; wireshark.c brings that state up to date afterwards.
 */
#include "track/wireshark_state.h"

#include "base/seq.h"

/* A fast retransmission leaves this soon after the last duplicate ACK. */
#define FAST_RETRANSMISSION_NS TCPWHY_MS(20)
/* Out of order rather than repeated, while no round trip was measured. */
#define OUT_OF_ORDER_NS TCPWHY_MS(3)

static bool has(const struct tw_ws_frame *frame, uint16_t flags)
{
    return (frame->segment->flags & flags) != 0;
}

static bool handshake_or_end(const struct tw_ws_frame *frame)
{
    return has(frame, TW_SYN | TW_FIN | TW_RST);
}

/* A segment without payload at the next byte, with the ACK of the frame before. */
static bool repeats_ack(const struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;

    return segment->len == 0 && segment->seq == frame->fwd->next &&
           segment->ack == frame->fwd->last_ack && !handshake_or_end(frame);
}

static bool is_window_probe(const struct tw_ws_frame *frame)
{
    return frame->segment->len == 1 && frame->segment->seq == frame->fwd->next &&
           frame->rev->window == 0;
}

static bool is_keep_alive(const struct tw_ws_frame *frame)
{
    return frame->segment->len <= 1 && frame->segment->seq == frame->fwd->next - 1 &&
           !handshake_or_end(frame);
}

static bool fills_window(const struct tw_ws_frame *frame)
{
    const struct tw_ws_side *rev = frame->rev;
    int shift = rev->acked_after_syn && rev->scale > 0 ? rev->scale : 0;

    return frame->segment->len > 0 && rev->scale != TW_WS_SCALE_UNKNOWN &&
           frame->segment->seq + frame->segment->len == rev->last_ack + (rev->window << shift) &&
           !handshake_or_end(frame);
}

static uint32_t check_sequence(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    struct tw_ws_side *fwd = frame->fwd;
    uint32_t flags = 0;

    if (segment->window == 0 && !handshake_or_end(frame))
        flags |= TCPWHY_WS_ZERO_WINDOW;
    if (fwd->next != 0 && tw_ws_after(segment->seq, fwd->next) && !has(frame, TW_RST)) {
        flags |= TCPWHY_WS_LOST_SEGMENT;
        fwd->flight_valid = false;
    }
    if (is_keep_alive(frame))
        flags |= TCPWHY_WS_KEEP_ALIVE;
    if (repeats_ack(frame) && segment->window != 0 && segment->window != fwd->window)
        flags |= TCPWHY_WS_WINDOW_UPDATE;
    if (fills_window(frame))
        flags |= TCPWHY_WS_WINDOW_FULL;
    return flags;
}

/* A frame that says the same as the one before it in every field. */
static uint32_t check_repeated_ack(struct tw_ws_frame *frame)
{
    struct tw_ws_side *fwd = frame->fwd;

    if (!repeats_ack(frame) || frame->segment->window != fwd->window)
        return 0;
    if (frame->segment->window == 0)
        return frame->rev->last_flags & TCPWHY_WS_ZERO_WINDOW_PROBE
                   ? TCPWHY_WS_ZERO_WINDOW_PROBE_ACK
                   : 0;
    if (frame->rev->last_flags & TCPWHY_WS_KEEP_ALIVE)
        return TCPWHY_WS_KEEP_ALIVE_ACK;
    fwd->duplicate_acks = fwd->duplicate_acks == TW_WS_ACK_LOST_TOLD ? 1 : fwd->duplicate_acks + 1;
    frame->out->duplicate_ack_num = fwd->duplicate_acks;
    frame->out->duplicate_ack_frame = fwd->last_new_ack_frame;
    return TCPWHY_WS_DUPLICATE_ACK;
}

/* ACK of data that the capture does not hold. */
static uint32_t check_acknowledged(struct tw_ws_frame *frame)
{
    struct tw_ws_side *rev = frame->rev;

    if (rev->max_ackable == 0 || !tw_ws_after(frame->segment->ack, rev->max_ackable) ||
        !has(frame, TW_ACK))
        return 0;
    if (tw_seq_before(rev->max_ackable, rev->next)) {
        rev->max_ackable = rev->next;
        return TCPWHY_WS_ACK_LOST_SEGMENT;
    }
    uint32_t flag = rev->duplicate_acks == 0 ? TCPWHY_WS_ACK_LOST_SEGMENT : 0;

    rev->duplicate_acks = TW_WS_ACK_LOST_TOLD;
    frame->has_entry = true;
    return flag;
}

/* Times are unsigned in tshark, so that a clock that jumps back gives a huge distance. */
static bool sooner_than(tcpwhy_ns from_ns, tcpwhy_ns to_ns, tcpwhy_ns limit_ns)
{
    return (uint64_t)(to_ns - from_ns) < (uint64_t)limit_ns;
}

/* tshark measures a timeout from whatever waits longest for its ACK. */
static void measure_timeout(struct tw_ws_frame *frame)
{
    const struct tw_ws_unacked_entry *entry = tw_ws_unacked_oldest(&frame->fwd->unacked);
    tcpwhy_ns from_ns = entry ? entry->time_ns : frame->fwd->next_ns;

    if (frame->time_ns == from_ns)
        return;
    frame->out->rto_ns = frame->time_ns - from_ns;
    frame->out->rto_frame = entry ? entry->frame : frame->fwd->next_frame;
}

/* Bytes that do not move the sequence number on: repeated or late. */
static uint32_t check_not_advanced(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    const struct tw_ws_side *fwd = frame->fwd, *rev = frame->rev;
    tcpwhy_ns late_ns =
        frame->initial_rtt_ns == TCPWHY_NS_UNKNOWN ? OUT_OF_ORDER_NS : frame->initial_rtt_ns;
    uint32_t end = segment->seq + segment->len + has(frame, TW_SYN | TW_FIN);

    if (rev->duplicate_acks >= 2 && rev->last_ack == segment->seq &&
        sooner_than(rev->last_ns, frame->time_ns, FAST_RETRANSMISSION_NS))
        return TCPWHY_WS_FAST_RETRANSMISSION | TCPWHY_WS_RETRANSMISSION;
    if (sooner_than(fwd->next_ns, frame->time_ns, late_ns) && fwd->next != end)
        return TCPWHY_WS_OUT_OF_ORDER;
    measure_timeout(frame);
    return TCPWHY_WS_RETRANSMISSION;
}

static uint32_t check_repeated_data(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    const struct tw_ws_side *fwd = frame->fwd, *rev = frame->rev;

    if (segment->len == 0 && !has(frame, TW_SYN | TW_FIN))
        return 0;
    if (segment->len > 0 && rev->last_ack != 0 &&
        !tw_seq_after(segment->seq + segment->len, rev->last_ack))
        return TCPWHY_WS_SPURIOUS_RETRANSMISSION | TCPWHY_WS_RETRANSMISSION;
    /* one byte further would be new: the frame before may have been a window probe */
    if (fwd->next == 0 || !tw_seq_before(segment->seq, fwd->next) ||
        (segment->len > 1 && segment->seq == fwd->next - 1))
        return 0;
    return check_not_advanced(frame);
}

void tw_ws_check(struct tw_ws_frame *frame)
{
    uint32_t flags = 0;

    if (is_window_probe(frame))
        flags = TCPWHY_WS_ZERO_WINDOW_PROBE;
    else {
        flags = check_sequence(frame);
        flags |= check_repeated_ack(frame);
    }
    if (frame->segment->ack != frame->fwd->last_ack) {
        frame->fwd->last_new_ack_frame = frame->number;
        frame->fwd->duplicate_acks = 0;
    }
    flags |= check_acknowledged(frame);
    if (!(flags & TCPWHY_WS_KEEP_ALIVE))
        flags |= check_repeated_data(frame);
    frame->out->flags |= flags;
}
