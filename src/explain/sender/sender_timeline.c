/* SPDX-License-Identifier: MIT */
#include "explain/sender/sender_timeline.h"

#include <glib.h>

#include "explain/thresholds.h"
#include "explain/vantage/ip_id.h"

/* A cache line: one is written, read, and read again for each segment. */
G_STATIC_ASSERT(sizeof(struct tw_send) == 64);

tcpwhy_ns tw_sender_timeline_at_once(const struct tw_vantage *vantage, enum tcpwhy_side from)
{
    if (vantage->to_side_ns[from] == 0)
        return TW_HOST_NS;
    return MAX(TW_HOST_NS, vantage->rtt_min_ns / TW_PROMPT_SHARE);
}

tcpwhy_ns tw_sender_timeline_lag_of_way(const struct tw_vantage *vantage, enum tcpwhy_side from)
{
    tcpwhy_ns way_ns = 2 * vantage->to_side_ns[from] + vantage->jitter_ns[from];

    return CLAMP(way_ns, TW_HOST_NS, tw_sender_timeline_at_once(vantage, from));
}

bool tw_send_heard_just_before(const struct tw_sender_timeline *x, const struct tw_send *s,
                               const struct tw_vantage *vantage)
{
    return s->ack_record != TW_NO_RECORD &&
           s->sent_ns - tw_sender_timeline_heard_ns(x, s->ack_record) <=
               tw_sender_timeline_at_once(vantage, x->from);
}

const struct tw_tsval_clock *tw_sender_timeline_clock(struct tw_sender_timeline *x,
                                                      const struct tw_prescan *prescan,
                                                      struct tw_scratch *scratch)
{
    if (!x->clock_read)
        tw_tsval_clock_build(prescan, x->from, scratch, &x->clock);
    x->clock_read = true;
    return &x->clock;
}

bool tw_sender_timeline_lacks(const struct tw_sender_timeline *x, uint32_t record)
{
    uint32_t low = 0, high = x->n_lacks;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (x->lacks[middle].record < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->n_lacks && x->lacks[low].record == record;
}

uint32_t tw_sender_timeline_up_to(const struct tw_sender_timeline *x, int64_t offset)
{
    uint32_t low = 0, high = x->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (x->send[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
