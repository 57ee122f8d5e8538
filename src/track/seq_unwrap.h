/* SPDX-License-Identifier: MIT */
/*
 * Finds where each side's sequence numbers begin, whatever the capture holds of its start, and maps
 * a frame's numbers to offsets.
 */
#ifndef TW_TRACK_SEQ_UNWRAP_H
#define TW_TRACK_SEQ_UNWRAP_H

#include "base/seq.h"
#include "track/steps.h"

static inline int64_t tw_offset_of(const struct tw_side *side, uint32_t seq)
{
    return tw_seq_unwrap(seq, side->next_seq, side->next);
}

/* Is the number beyond any window? */
static inline bool tw_jumps(const struct tw_side *side, uint32_t seq)
{
    int32_t d = tw_seq_diff(seq, side->next_seq);

    return d > TW_MAX_JUMP || d < -TW_MAX_JUMP;
}

/* The offset of the frame's first byte, from what is, or becomes, known of its sender. @return
 * false: the number is beyond any window, forged or foreign, and the offset is where the sender
 * is. */
bool tw_seq_unwrap_take_seq(struct tw_tracked *tracked, struct tw_side *own, struct tw_side *peer);

/* The same for its ACK; a number beyond any window acknowledges nothing new. */
void tw_seq_unwrap_take_ack(struct tw_tracked *tracked, const struct tw_side *own,
                            struct tw_side *peer);

#endif
