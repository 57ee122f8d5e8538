/* SPDX-License-Identifier: MIT */
/*
 * Frames in the order in which they passed. Of two queues of a card, two ports of a tap or several
 * CPUs one may be written later than the other, and sometimes stamped later: then an ACK stands
 * before the data that it acknowledges. Such a frame waits, with all that follow of its connection,
 * until what it acknowledges comes, which is taken first. Where that does not come soon, it is not
 * in the capture, and nothing is moved. Of a connection where it did come, all frames wait from
 * then on until no earlier one can come.
 */
#ifndef TW_ENGINE_RESEQUENCER_H
#define TW_ENGINE_RESEQUENCER_H

#include <glib.h>

#include "engine/resequence_queue.h"

/* Connections with frames that wait; of more, frames do not wait. */
#define TW_RESEQUENCER_QUEUES 32

/* Takes a frame, come what may. @return false when a callback asked to stop. */
typedef bool tw_resequencer_take_fn(void *user, const struct tw_prefetch_segment *a);

struct tw_resequencer {
    struct tw_resequence_queue
        queue[TW_RESEQUENCER_QUEUES]; /* by their first frames; none is empty */
    unsigned n;
    size_t frames, bytes; /* that wait */
    bool busy;            /* one that waited is being taken */
    bool ends;            /* no more frames come */
    bool stopped;         /* a callback asked for it */
    struct tw_tracker *tracker;
    tw_resequencer_take_fn *take;
    void *user;
};

void tw_resequencer_init(struct tw_resequencer *order, struct tw_tracker *tracker,
                         tw_resequencer_take_fn *take, void *user);
void tw_resequencer_clear(struct tw_resequencer *order);

/* While none waits, there is nothing to be asked. */
static inline bool tw_resequencer_is_empty(const struct tw_resequencer *order)
{
    return G_LIKELY(order->n == 0);
}

/* The tracker did not take this one: it waits, if there is room. @return false when a callback
 * asked to stop. */
__attribute__((cold)) bool tw_resequencer_hold(struct tw_resequencer *order,
                                               const struct tw_prefetch_segment *a);

/* Before the tracker is given the next frame: others have waited long enough, or it has to wait
 * behind them. @return whether it does, or nothing more is to be taken. */
__attribute__((cold)) bool tw_resequencer_keeps(struct tw_resequencer *order,
                                                const struct tw_prefetch_segment *a);

/* No more comes: take all that wait. */
void tw_resequencer_end(struct tw_resequencer *order);

#endif
