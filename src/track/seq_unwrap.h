/* SPDX-License-Identifier: MIT */
/*
 * Where each side's sequence numbers begin, whatever the capture holds of its beginning, and which
 * offsets a frame's numbers are.
 */
#ifndef TW_TRACK_SEQ_UNWRAP_H
#define TW_TRACK_SEQ_UNWRAP_H

#include "base/seq.h"
#include "track/steps.h"

static inline int64_t tw_offset_of(const struct tw_side *side, uint32_t seq)
{
    return tw_seq_unwrap(seq, side->next_seq, side->next);
}

/* Is it a number of no window? */
static inline bool tw_jumps(const struct tw_side *side, uint32_t seq)
{
    int32_t d = tw_seq_diff(seq, side->next_seq);

    return d > TW_MAX_JUMP || d < -TW_MAX_JUMP;
}

/* The offset of the frame's first byte, from what is known of its sender, or from now on is.
 * @return false: its number is of no window, forged or foreign, and the offset is where the sender
 * stands. */
bool tw_seq_unwrap_take_seq(struct tw_tracked *tracked, struct tw_side *own, struct tw_side *peer);

/* The same of what it acknowledges; a number of no window acknowledges what was before. */
void tw_seq_unwrap_take_ack(struct tw_tracked *tracked, const struct tw_side *own,
                            struct tw_side *peer);

#endif
