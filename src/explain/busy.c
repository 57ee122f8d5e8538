/* SPDX-License-Identifier: MIT */
#include "explain/busy.h"

#include <glib.h>

/* The path counts as busy at this part of its capacity, over a round trip. */
#define BUSY_RATE   0.75
#define BUSY_WINDOW TCPWHY_MS(5)

bool tw_busy_at(struct tw_busy *b, const struct tw_sends *x, const struct tw_rounds *rounds,
                const struct tw_vantage *vantage, uint32_t index)
{
    const tcpwhy_ns half = MAX(vantage->rtt_min_ns, BUSY_WINDOW) / 2;
    const struct tw_send *at = &x->send[index], *end = x->send + x->n;
    const struct tw_send *from = x->send + b->from, *to = x->send + b->to;
    const tcpwhy_ns since_ns = at->sent_ns - half, until_ns = at->sent_ns + half;
    int64_t bytes = b->bytes;

    if (rounds->capacity <= 0)
        return false;
    for (; to < end && to->sent_ns <= until_ns; to++)
        bytes += to->len;
    for (; from < at && from->sent_ns < since_ns; from++)
        bytes -= from->len;
    *b = (struct tw_busy) { (uint32_t)(from - x->send), (uint32_t)(to - x->send), bytes };
    return (double)bytes >= rounds->capacity * BUSY_RATE * (double)(2 * half) / 1e9;
}
