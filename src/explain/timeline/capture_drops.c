/* SPDX-License-Identifier: MIT */
#include "explain/timeline/capture_drops.h"

#include <glib.h>

/* Did the data that this record skips never pass here? */
static bool skips(const struct tw_context *context, const struct tw_record *r)
{
    const struct tw_side *side = &context->connection->side[r->from];

    return r->facts & TW_FACT_HOLE_BEFORE &&
           tw_ranges_overlap(&side->holes, r->seq - 1, r->seq) > 0;
}

/* Did the skipped data arrive? Then it was sent before the record, and a later ACK covers it. */
static bool skips_unseen(const struct tw_context *context, const struct tw_record *r)
{
    return skips(context, r) && context->connection->side[r->from].acked >= r->seq;
}

/* The first record of a side whose SYN is missing begins beyond what the other side had received:
 * the data in between was in transit when the capture began, or is missing from it. */
static bool begins_beyond(const struct tw_context *context, const struct tw_record *r)
{
    const struct tw_record *before = r;
    int64_t told = 0;

    if (context->connection->side[r->from].syn)
        return false;
    while (before-- > context->log->record && before->from != r->from)
        told = MAX(told, before->ack);
    return before < context->log->record && told > 0 && r->seq > told;
}

bool tw_capture_drops_may_end_at(const struct tw_context *context, uint32_t record)
{
    const struct tw_record *r = &context->log->record[record];
    const struct tw_record *last = context->prescan.last_of[!r->from];

    if (begins_beyond(context, r))
        return true;
    return skips(context, r) &&
           (!last || last->time_ns - r->time_ns <= 2 * context->vantage.to_side_ns[!r->from]);
}

bool tw_capture_drops_search(const struct tw_context *context, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i <= to; i++) {
        const struct tw_record *r = &context->log->record[i];

        if (tw_record_is_behind_gap(r) || skips_unseen(context, r))
            return true;
    }
    return false;
}

static void mark(struct tw_context *context, int side)
{
    const struct tw_recovery *recovery = &context->recovery[side];
    const struct tw_rounds *rounds = &context->rounds[side];
    const struct tw_sender_timeline *x = &context->sends[side];

    for (uint32_t i = 0; i < recovery->n; i++) {
        struct tw_recovery_episode *e = &recovery->episode[i];

        e->missing = tw_capture_drops_between(context, e->first_record, e->last_record);
    }
    for (uint32_t i = 0; i < rounds->n; i++) {
        struct tw_round *r = &rounds->round[i];

        r->missing = tw_capture_drops_between(context, x->send[r->first].record,
                                              x->send[MIN(r->last + 1, x->n - 1)].record);
    }
}

void tw_capture_drops_mark(struct tw_context *context)
{
    for (int side = 0; context->prescan.lacks && side < 2; side++)
        mark(context, side);
}
