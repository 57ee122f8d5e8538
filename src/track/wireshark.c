/* SPDX-License-Identifier: MIT */
/*
 * tshark 4.0's labels for the frames of one connection: the state that its checks look at, kept in
 * the order in which tshark keeps it.
 */
#include "track/wireshark.h"

#include <string.h>

#include <glib.h>

#include "base/seq.h"
#include "track/wireshark_state.h"

/* RFC 7323, section 2.3: a larger shift counts as this. */
#define SCALE_MAX 14

/* Bits of tcp.completeness. */
#define SEEN_SYN     0x01
#define SEEN_SYN_ACK 0x02
#define SEEN_ACK     0x04
#define SEEN_DATA    0x08
#define SEEN_FIN     0x10
#define SEEN_RST     0x20

/* tshark prints no flight of this size or above. */
#define FLIGHT_MAX 2000000000u

struct tw_ws *tw_ws_new(void)
{
    struct tw_ws *ws = g_new0(struct tw_ws, 1);

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
    g_free(ws);
}

static bool is_pure_syn(const struct tw_segment *segment)
{
    return (segment->flags & (TW_SYN | TW_ACK)) == TW_SYN;
}

static bool is_syn_ack(const struct tw_segment *segment)
{
    return (segment->flags & (TW_SYN | TW_ACK)) == (TW_SYN | TW_ACK);
}

static bool is_later_ack(const struct tw_segment *segment)
{
    return (segment->flags & (TW_SYN | TW_ACK)) == TW_ACK;
}

bool tw_ws_opens_stream(const struct tw_ws *ws, const struct tw_segment *segment)
{
    bool same_source =
        memcmp(ws->first_address, segment->tuple.address[0], sizeof(ws->first_address)) == 0 &&
        ws->first_port == segment->tuple.port[0];
    const struct tw_ws_side *fwd = &ws->side[same_source ? 0 : 1];

    return is_pure_syn(segment) && fwd->base_set && segment->seq != fwd->base;
}

/* Step 0: what relative numbers count from. */
static void set_bases(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;

    if (!frame->fwd->base_set) {
        frame->fwd->base = segment->flags & TW_SYN ? segment->seq : segment->seq - 1;
        frame->fwd->base_set = true;
    } else if (is_syn_ack(segment) && segment->seq != frame->fwd->base) {
        frame->fwd->base = segment->seq;
        frame->fwd->unacked.bounds_valid = false;
        frame->out->flags |= TCPWHY_WS_REUSED_PORTS;
    } else if (is_pure_syn(segment)) {
        frame->fwd->next = frame->fwd->max_ackable;
        frame->touched = true;
    }
    if (!frame->rev->base_set && segment->flags & TW_ACK) {
        frame->rev->base = segment->ack - 1;
        frame->rev->base_set = true;
    }
}

/* Steps 13 and 14: the frame becomes part of the state. */
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

/* tshark takes a time of 0 for one that was not measured. */
static tcpwhy_ns known(tcpwhy_ns time_ns)
{
    return time_ns == 0 ? TCPWHY_NS_UNKNOWN : time_ns;
}

/* Step 15. */
static void acknowledge(struct tw_ws_frame *frame)
{
    struct tw_ws_unacked_entry match;

    if (!tw_ws_unacked_acknowledge(&frame->rev->unacked, frame->segment->ack, &match))
        return;
    frame->out->acks_frame = match.frame;
    frame->out->ack_rtt_ns = known(frame->time_ns - match.time_ns);
}

static bool has_flight(const struct tw_ws_frame *frame)
{
    return frame->segment->len > 0 && frame->fwd->flight_valid;
}

/* Step 16. */
static void measure_flight(struct tw_ws_frame *frame)
{
    uint32_t flight = tw_ws_unacked_extent(&frame->fwd->unacked, frame->fwd->base);

    for (int i = 0; i < frame->rev->n_sack; i++)
        flight -= frame->rev->sack[i][1] - frame->rev->sack[i][0];
    if (flight > 0 && flight < FLIGHT_MAX && frame->segment->flags & (TW_SYN | TW_FIN))
        flight--;
    if (flight > 0 && flight < FLIGHT_MAX)
        frame->out->bytes_in_flight = flight;
}

/* Step 17: bytes since the frame after the last PSH. */
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

/* Step 18. */
static void measure_initial_rtt(struct tw_ws *ws, const struct tw_ws_frame *frame)
{
    if (is_pure_syn(frame->segment))
        ws->syn_ns = frame->time_ns;
    if (ws->initial_rtt_ns == TCPWHY_NS_UNKNOWN && ws->syn_ns != TCPWHY_NS_UNKNOWN &&
        is_later_ack(frame->segment))
        ws->initial_rtt_ns = known(frame->time_ns - ws->syn_ns);
}

/* RFC 7323, section 2.2: scaling is on only when both SYNs carry the option. */
static void learn_scale(struct tw_ws_frame *frame)
{
    const struct tw_segment *segment = frame->segment;
    struct tw_ws_side *fwd = frame->fwd, *rev = frame->rev;

    if (segment->options & TW_OPT_WSCALE)
        fwd->scale = MIN(segment->wscale, SCALE_MAX);
    if (!(segment->flags & TW_SYN))
        return;
    if (fwd->scale == TW_WS_SCALE_UNKNOWN) {
        fwd->scale = TW_WS_SCALE_ABSENT;
        rev->scale = TW_WS_SCALE_ABSENT;
    } else if (is_syn_ack(segment) && rev->scale == TW_WS_SCALE_ABSENT) {
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
}

/*
 * Step 19. The first frame of a five-tuple counts only as a SYN; later ones count by combinations
 * of flags, so that some odd ones show less than they hold.
 */
static uint8_t shown_by(const struct tw_segment *segment, bool first)
{
    uint8_t seen = 0;

    if (first && !is_pure_syn(segment))
        return 0;
    if (first)
        return SEEN_SYN | (segment->len > 0 ? SEEN_DATA : 0);
    if (is_syn_ack(segment))
        seen = SEEN_SYN_ACK;
    else if (segment->flags & TW_ACK)
        seen = segment->len > 0 ? SEEN_DATA : SEEN_ACK;
    if ((segment->flags & (TW_FIN | TW_ACK)) == (TW_FIN | TW_ACK))
        seen |= SEEN_FIN;
    if (segment->flags & TW_RST)
        seen |= SEEN_RST;
    return seen;
}

static int64_t printed_window(const struct tw_ws_frame *frame)
{
    int64_t window = frame->segment->window;

    if (frame->segment->flags & TW_SYN || frame->fwd->scale < 0)
        return window;
    return window << frame->fwd->scale;
}

static void start(struct tw_ws *ws, const struct tw_segment *segment)
{
    memcpy(ws->first_address, segment->tuple.address[0], sizeof(ws->first_address));
    ws->first_port = segment->tuple.port[0];
    ws->started = true;
}

void tw_ws_push(struct tw_ws *ws, const struct tw_segment *segment, int direction,
                bool new_on_used_ports, tcpwhy_ns time_ns, uint32_t frame_number,
                struct tcpwhy_wireshark *out)
{
    struct tw_ws_frame frame = {
        .segment = segment,
        .fwd = &ws->side[direction],
        .rev = &ws->side[!direction],
        .time_ns = time_ns,
        .number = frame_number,
        .initial_rtt_ns = ws->initial_rtt_ns,
        .out = out,
    };

    *out = (struct tcpwhy_wireshark) {
        .flags = new_on_used_ports && !ws->started ? TCPWHY_WS_REUSED_PORTS : 0,
        .bytes_in_flight = -1,
        .push_bytes_sent = -1,
        .ack_rtt_ns = TCPWHY_NS_UNKNOWN,
        .initial_rtt_ns = TCPWHY_NS_UNKNOWN,
        .rto_ns = TCPWHY_NS_UNKNOWN,
    };
    bool first = !ws->started;
    if (first)
        start(ws, segment);
    if (out->flags & TCPWHY_WS_REUSED_PORTS)
        ws->completeness |= SEEN_SYN;
    out->completeness = ws->completeness;
    set_bases(&frame);
    if (segment->flags & TW_ACK)
        frame.rev->flight_valid = true;
    tw_ws_check(&frame);
    remember(&frame);
    acknowledge(&frame);
    if (has_flight(&frame)) {
        measure_flight(&frame);
        measure_push(&frame);
    }
    measure_initial_rtt(ws, &frame);
    if (out->flags != 0 || out->acks_frame != 0 || has_flight(&frame) || frame.touched)
        out->initial_rtt_ns = ws->initial_rtt_ns;
    out->seq = segment->seq - frame.fwd->base;
    out->ack = segment->flags & TW_ACK ? segment->ack - frame.rev->base : segment->ack;
    out->window_bytes = printed_window(&frame);
    learn_options(&frame);
    if (segment->flags & TW_SYN)
        frame.fwd->acked_after_syn = false;
    else if (segment->flags & TW_ACK)
        frame.fwd->acked_after_syn = true;
    ws->completeness |= shown_by(segment, first && !new_on_used_ports);
}
