/* SPDX-License-Identifier: MIT */
/* Replays a connection's frames as if the capture held only those. */
#include "track/classify.h"

static struct tw_side begin_anew(const struct tw_side *side, int64_t start)
{
    return (struct tw_side) {
        .next_seq = side->isn + (uint32_t)start,
        .next = start,
        .first = start,
        .window_bytes = TW_WINDOW_UNKNOWN,
        .wscale = TW_WSCALE_UNKNOWN,
        .wscale_offered = TW_WSCALE_UNKNOWN,
        .isn = side->isn,
        .isn_known = side->isn_known,
        .base = side->base,
        .base_known = side->base_known,
    };
}

void tw_connection_rewind(struct tw_connection *c, const int64_t start[2])
{
    for (int i = 0; i < 2; i++) {
        tw_ranges_clear(&c->side[i].holes);
        tw_recent_clear(&c->side[i].recent);
        c->side[i] = begin_anew(&c->side[i], start[i]);
    }
    c->handshake_rtt_ns = c->syn_ns = TCPWHY_NS_UNKNOWN;
    c->settled = c->closing = false;
    c->first_frame = 0;
}

void tw_connection_push(struct tw_connection *c, const struct tw_segment *s, enum tcpwhy_side from,
                        tcpwhy_ns now, uint32_t frame, struct tw_tracked *out)
{
    if (c->first_frame == 0) {
        c->first_frame = frame;
        c->first_ns = c->last_ns = now;
    }
    *out = (struct tw_tracked) {
        .connection = c, .segment = s, .time_ns = now, .frame = frame, .from = (uint8_t)from
    };
    tw_classify(out);
    c->last_ns = now;
    c->last_frame = frame;
}
