/* SPDX-License-Identifier: MIT */
/*
 * Restores the order in which frames passed. Several NIC queues, tap ports or CPUs may write frames
 * late, and stamp them late: an ACK then precedes its data, and waits with all later frames of its
 * connection until the data comes, or is known to be missing. Once it came, all frames of the
 * connection wait until no earlier one can come.
 */
#ifndef TW_ENGINE_RESEQUENCER_H
#define TW_ENGINE_RESEQUENCER_H

#include <glib.h>

#include "engine/resequence_queue.h"

/* Limit of connections with waiting frames. */
#define TW_RESEQUENCER_QUEUES 32

/* Process a frame in any case. @return false if a callback asked to stop. */
typedef bool tw_resequencer_take_fn(void *user, const struct tw_prefetch_segment *a);

struct tw_resequencer {
    struct tw_resequence_queue
        queue[TW_RESEQUENCER_QUEUES]; /* ordered by first frames; none is empty */
    unsigned n;
    size_t frames, bytes; /* waiting */
    bool busy;            /* a waiting frame is being processed */
    bool ends;            /* end of the capture */
    bool stopped;         /* by a callback */
    struct tw_tracker *tracker;
    tw_resequencer_take_fn *take;
    void *user;
};

void tw_resequencer_init(struct tw_resequencer *order, struct tw_tracker *tracker,
                         tw_resequencer_take_fn *take, void *user);
void tw_resequencer_clear(struct tw_resequencer *order);

/* Nothing to do while no frame waits. */
static inline bool tw_resequencer_is_empty(const struct tw_resequencer *order)
{
    return G_LIKELY(order->n == 0);
}

/* The tracker rejected the frame: it waits, if there is room. @return false if a callback asked
 * to stop. */
__attribute__((cold)) bool tw_resequencer_hold(struct tw_resequencer *order,
                                               const struct tw_prefetch_segment *a);

/* Before the next frame is tracked: release frames that waited long enough, or queue it behind
 * them. @return whether it was queued, or processing has stopped. */
__attribute__((cold)) bool tw_resequencer_keeps(struct tw_resequencer *order,
                                                const struct tw_prefetch_segment *a);

/* End of the capture: process all waiting frames. */
void tw_resequencer_end(struct tw_resequencer *order);

#endif
