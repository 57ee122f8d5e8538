/* SPDX-License-Identifier: MIT */
/*
 * tshark 4.0's labels for the frames of one connection: the state that its checks look at, kept in
 * the order in which tshark keeps it.
 */
#include "track/wireshark.h"

#include <glib.h>

#include "base/memory.h"
#include "track/wireshark_state.h"

/* RFC 7323, section 2.3: a larger shift counts as this. */
#define SCALE_MAX 14

/* RFC 9293, section 3.1. */
#define MIN_HEADER 20

struct tw_ws *tw_ws_new(void)
{
    struct tw_ws *ws = tw_new0(struct tw_ws, 1);

    for (int i = 0; i < 2; i++) {
        ws->side[i].window = UINT32_MAX;
        ws->side[i].scale = TW_WS_SCALE_UNKNOWN;
        ws->side[i].flight_valid = true;
    }
    ws->syn_ns = TCPWHY_NS_UNKNOWN;
    ws->initial_rtt_ns = TCPWHY_NS_UNKNOWN;
    return ws;
}

void tw_ws_free(struct tw_ws *ws)
{
    if (!ws)
        return;
    for (int i = 0; i < 2; i++)
        tw_ws_unacked_clear(&ws->side[i].unacked);
    tw_free(ws);
}

size_t tw_ws_bytes(const struct tw_ws *ws)
{
    if (!ws)
        return 0;
    return sizeof *ws + sizeof(struct tw_ws_unacked_entry) *
                            ((size_t)ws->side[0].unacked.capacity + ws->side[1].unacked.capacity);
}

/*
 * A SYN speaks of the conversation before any header is judged: one with ACK that begins
 * elsewhere moves the base; a repeated one makes tshark forget what was sent beyond a hole.
 */
static void take_syn(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    struct tw_ws_side *fwd = frame->fwd;

    if (!fwd->base_set)
        return;
    if (tw_ws_is_syn_ack(segment) && segment->seq != fwd->base) {
        fwd->base = segment->seq;
        fwd->unacked.bounds_valid = false;
        frame->out->flags |= TCPWHY_WS_REUSED_PORTS;
    } else if (tw_ws_is_syn(segment)) {
        fwd->next = fwd->max_ackable;
        frame->has_entry = true;
    }
}

/* The number that relative numbers count from. */
static void set_bases(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;

    if (!frame->fwd->base_set) {
        frame->fwd->base = segment->flags & TW_SYN ? segment->seq : segment->seq - 1;
        frame->fwd->base_set = true;
    }
    if (!frame->rev->base_set && segment->flags & TW_ACK) {
        frame->rev->base = segment->ack - 1;
        frame->rev->base_set = true;
    }
}

/* The frame becomes part of the state. */
static void remember(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    struct tw_ws_side *fwd = frame->fwd;
    bool probe = frame->out->flags & TCPWHY_WS_ZERO_WINDOW_PROBE;
    bool counts = segment->flags & (TW_SYN | TW_FIN);
    uint32_t end = segment->seq + segment->len;

    if ((segment->len > 0 || counts) && !tw_ws_unacked_full(&fwd->unacked)) {
        end += counts;
        tw_ws_unacked_add(&fwd->unacked,
                          &(struct tw_ws_unacked_entry) {
                              .frame = frame->number,
                              .seq = segment->seq,
                              .end = end,
                              .time_ns = frame->time_ns,
                          },
                          fwd->base);
    }
    if ((tw_ws_after(end, fwd->next) || fwd->next == 0) && !probe) {
        fwd->next = end;
        fwd->next_frame = frame->number;
        fwd->next_ns = frame->time_ns;
    }
    if ((segment->seq == fwd->max_ackable || fwd->max_ackable == 0) && !probe)
        fwd->max_ackable = fwd->next;
    fwd->window = segment->window;
    fwd->last_ack = segment->ack;
    fwd->last_ns = frame->time_ns;
    fwd->last_flags = frame->out->flags;
}

/* tshark does not where the snap length cut it, or where it is longer than its segment. */
static bool reaches_end_of_header(const struct tw_ws_frame *frame)
{
    return frame->out->header != TCPWHY_WS_HEADER_LONG &&
           !(frame->segment->facts & TW_SEG_HEADER_CUT);
}

/* RFC 7323, section 2.2: scaling is on only when both SYNs carry the option. */
static void learn_scale(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    struct tw_ws_side *fwd = frame->fwd, *rev = frame->rev;

    if (segment->options & TW_OPT_WSCALE)
        fwd->scale = MIN(segment->wscale, SCALE_MAX);
    if (!(segment->flags & TW_SYN) || !reaches_end_of_header(frame))
        return;
    if (fwd->scale == TW_WS_SCALE_UNKNOWN) {
        fwd->scale = TW_WS_SCALE_ABSENT;
        rev->scale = TW_WS_SCALE_ABSENT;
    } else if (tw_ws_is_syn_ack(segment) && rev->scale == TW_WS_SCALE_ABSENT) {
        fwd->scale = TW_WS_SCALE_ABSENT;
    }
}

static void learn_options(struct tw_ws_frame *frame)
{
    struct tw_ws_side *fwd = frame->fwd;

    fwd->n_sack = MIN(frame->segment->n_sack, TW_WS_SACK_MAX);
    for (int i = 0; i < fwd->n_sack; i++) {
        fwd->sack[i][0] = frame->segment->sack[i][0];
        fwd->sack[i][1] = frame->segment->sack[i][1];
    }
    learn_scale(frame);
    if (frame->segment->flags & TW_SYN)
        fwd->acked_after_syn = false;
    else if (frame->segment->flags & TW_ACK)
        fwd->acked_after_syn = true;
}

static int64_t printed_window(const struct tw_ws_frame *frame)
{
    int64_t window = frame->segment->window;

    if (frame->segment->flags & TW_SYN || frame->fwd->scale < 0)
        return window;
    return window << frame->fwd->scale;
}

/* tshark prints what it knows of the stream only where the frame itself adds something. */
static bool has_analysis(const struct tw_ws_frame *frame)
{
    return frame->out->flags != 0 || frame->out->acks_frame != 0 || frame->has_entry ||
           tw_ws_has_flight(frame);
}

static const struct tcpwhy_wireshark nothing = {
    .bytes_in_flight = -1,
    .push_bytes_sent = -1,
    .ack_rtt_ns = TCPWHY_NS_UNKNOWN,
    .initial_rtt_ns = TCPWHY_NS_UNKNOWN,
    .rto_ns = TCPWHY_NS_UNKNOWN,
};

static enum tcpwhy_ws_header header_of(const struct tw_segment *segment)
{
    if (segment->header_len < MIN_HEADER)
        return TCPWHY_WS_HEADER_SHORT;
    return segment->facts & TW_SEG_NO_LENGTH ? TCPWHY_WS_HEADER_LONG : TCPWHY_WS_HEADER_WHOLE;
}

/* Header fields as tshark prints them: without a length of the segment, as they were sent. */
static void print_fields(const struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    struct tcpwhy_wireshark *out = frame->out;
    bool as_sent = out->header == TCPWHY_WS_HEADER_LONG;

    out->seq = as_sent ? segment->seq : segment->seq - frame->fwd->base;
    out->ack =
        as_sent || !(segment->flags & TW_ACK) ? segment->ack : segment->ack - frame->rev->base;
    out->window_bytes = as_sent ? segment->window : printed_window(frame);
}

static void analyse(struct tw_ws_frame *frame)
{
    set_bases(frame);
    if (frame->segment->flags & TW_ACK)
        frame->rev->flight_valid = true;
    tw_ws_check(frame);
    remember(frame);
    tw_ws_acknowledge(frame);
    tw_ws_measure_flight(frame);
}

/* For an impossible or truncated header tshark reports nothing of its analysis. */
static void leave_untold(const struct tw_ws_frame *frame)
{
    struct tcpwhy_wireshark *out = frame->out;

    *out = (struct tcpwhy_wireshark) {
        .header = out->header,
        .completeness = out->completeness,
        .bytes_in_flight = -1,
        .push_bytes_sent = -1,
        .ack_rtt_ns = TCPWHY_NS_UNKNOWN,
        .initial_rtt_ns = TCPWHY_NS_UNKNOWN,
        .rto_ns = TCPWHY_NS_UNKNOWN,
    };
}

void tw_ws_push(struct tw_ws *ws, const struct tw_segment *segment, int direction,
                bool new_on_used_ports, tcpwhy_ns time_ns, uint32_t frame_number,
                struct tcpwhy_wireshark *out)
{
    bool reused = new_on_used_ports && !ws->started;
    struct tw_ws_frame frame = {
        .segment = segment,
        .fwd = &ws->side[direction],
        .rev = &ws->side[!direction],
        .time_ns = time_ns,
        .number = frame_number,
        .initial_rtt_ns = ws->initial_rtt_ns,
        .out = out,
    };

    *out = nothing;
    out->header = header_of(segment);
    if (reused)
        out->flags = TCPWHY_WS_REUSED_PORTS;
    tw_ws_note_completeness(ws, &frame, reused);
    take_syn(&frame);
    if (out->header != TCPWHY_WS_HEADER_LONG)
        analyse(&frame);
    if (out->header != TCPWHY_WS_HEADER_SHORT)
        tw_ws_measure_initial_rtt(ws, &frame);
    if (out->header != TCPWHY_WS_HEADER_WHOLE || !reaches_end_of_header(&frame))
        leave_untold(&frame);
    else if (has_analysis(&frame))
        out->initial_rtt_ns = ws->initial_rtt_ns;
    print_fields(&frame);
    frame.fwd->n_sack = 0;
    if (out->header != TCPWHY_WS_HEADER_SHORT)
        learn_options(&frame);
}
