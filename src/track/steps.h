/* SPDX-License-Identifier: MIT */
/*
 * Steps shared by both ways of classifying a frame.
 */
#ifndef TW_TRACK_STEPS_H
#define TW_TRACK_STEPS_H

#include "track/track.h"

/* A number further away than this is beyond any window (RFC 7323: 2^30 at most). */
#define TW_MAX_JUMP (1 << 30)

/* Does Ethernet pad it? The shortest headers leave 6 bytes to 60 (IEEE 802.3). */
static inline bool tw_is_short(const struct tw_segment *s)
{
    return s->header_len == TW_TCP_HEADER && s->len < 6 && s->tuple.version == 4;
}

/* The window of a segment that is no SYN. */
static inline int64_t tw_scaled_window(const struct tw_side *side, uint16_t window)
{
    if (side->wscale == TW_WSCALE_UNKNOWN)
        return window ? ~(int64_t)window : 0;
    return (int64_t)window << side->wscale;
}

/* Advance what a side has sent. */
static inline void tw_advance(struct tw_side *side, int64_t end, uint32_t end_seq)
{
    if (end > side->next) {
        side->next = end;
        side->next_seq = end_seq;
    }
}

/* The ID advances by other than one: packets may lie in between. */
static inline void tw_clock_jump_id(struct tw_side *own, uint16_t id, uint16_t step)
{
    bool small = id != 0 && step != 0 && step < TW_ID_STEP;

    own->id_steps = small ? own->id_steps + (own->id_steps < UINT8_MAX) : 0;
    own->ids_lack |= own->started && step > 1 && step <= TW_ID_LOST_MAX;
}

static inline void tw_follow_id(struct tw_side *own, uint16_t id)
{
    const uint16_t step = (uint16_t)(id - own->last_ip_id);

    own->last_ip_id = id;
    if (G_UNLIKELY(step != 1 || id == 0))
        tw_clock_jump_id(own, id, step);
    else if (own->id_steps < UINT8_MAX)
        own->id_steps++;
}

/* Update the counters for a frame that is neither a copy nor late. */
static inline void tw_follow_counters(struct tw_side *own, const struct tw_segment *s)
{
    tw_follow_id(own, s->ip_id);
    if (s->options & TW_OPT_TIMESTAMP) {
        own->last_tsval = s->tsval;
        own->timestamps = true;
    }
}

/* Update its sender for every frame; copies add nothing. */
static inline void tw_leave_trace(const struct tw_tracked *t, struct tw_side *own)
{
    if (t->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
        own->last_class = t->frame_class;
    own->frames++;
    tw_recent_add(&own->recent, t->segment, t->time_ns);
}

#endif
