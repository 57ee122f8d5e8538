/* SPDX-License-Identifier: MIT */
/*
 * Steps that both ways of classifying a frame take in the same words.
 */
#ifndef TW_TRACK_STEPS_H
#define TW_TRACK_STEPS_H

#include "track/track.h"

/* A sequence number further away than this belongs to no window (RFC 7323: 2^30 at most). */
#define TW_MAX_JUMP (1 << 30)

/* An IP identification may run this far ahead of what we saw of one connection's counter. */
#define TW_ID_STEP 1000

/* The window of a segment that is no SYN. */
static inline int64_t tw_scaled_window(const struct tw_side *side, uint16_t window)
{
    if (side->wscale == TW_WSCALE_UNKNOWN)
        return window ? ~(int64_t)window : 0;
    return (int64_t)window << side->wscale;
}

/* What a side sent reaches up to there. */
static inline void tw_advance(struct tw_side *side, int64_t end, uint32_t end_seq)
{
    if (end > side->next) {
        side->next = end;
        side->next_seq = end_seq;
    }
}

/* The counters of a frame that is neither a copy nor late. */
static inline void tw_follow_counters(struct tw_side *own, const struct tw_segment *s)
{
    uint16_t step = (uint16_t)(s->ip_id - own->last_ip_id);

    if (!s->ip_id || step == 0 || step >= TW_ID_STEP)
        own->id_steps = 0;
    else if (own->id_steps < UINT8_MAX)
        own->id_steps++;
    own->last_ip_id = s->ip_id;
    if (s->options & TW_OPT_TIMESTAMP) {
        own->last_tsval = s->tsval;
        own->timestamps = true;
    }
}

/* What every frame leaves behind at its sender. */
static inline void tw_leave_trace(const struct tw_tracked *t, struct tw_side *own)
{
    own->last_class = t->frame_class;
    own->frames++;
    tw_recent_add(&own->recent, t->segment, t->time_ns);
}

#endif
