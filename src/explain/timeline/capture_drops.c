/* SPDX-License-Identifier: MIT */
#include "explain/timeline/capture_drops.h"

#include <glib.h>

/* Never passed here what this record skipped? */
static bool skips(const struct tw_context *scene, const struct tw_record *r)
{
    const struct tw_side *side = &scene->connection->side[r->from];

    return r->facts & TW_FACT_HOLE_BEFORE &&
           tw_ranges_overlap(&side->holes, r->seq - 1, r->seq) > 0;
}

/* And did it arrive? Then it was sent before the record, and an ACK tells of it only later. */
static bool skips_unseen(const struct tw_context *scene, const struct tw_record *r)
{
    return skips(scene, r) && scene->connection->side[r->from].acked >= r->seq;
}

/* The first that is held of a side whose SYN is not: it stands beyond what the other one had got by
 * then. What lies between was under way when the capture began, or did not pass in it. */
static bool begins_beyond(const struct tw_context *scene, const struct tw_record *r)
{
    const struct tw_record *before = r;
    int64_t told = 0;

    if (scene->connection->side[r->from].syn)
        return false;
    while (before-- > scene->log->record && before->from != r->from)
        told = MAX(told, before->ack);
    return before < scene->log->record && told > 0 && r->seq > told;
}

bool tw_capture_drops_may_end_at(const struct tw_context *scene, uint32_t record)
{
    const struct tw_record *r = &scene->log->record[record];
    const struct tw_record *last = scene->survey.last_of[!r->from];

    if (begins_beyond(scene, r))
        return true;
    return skips(scene, r) &&
           (!last || last->time_ns - r->time_ns <= 2 * scene->vantage.to_side_ns[!r->from]);
}

bool tw_capture_drops_search(const struct tw_context *scene, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i <= to; i++) {
        const struct tw_record *r = &scene->log->record[i];

        if (tw_record_is_behind_gap(r) || skips_unseen(scene, r))
            return true;
    }
    return false;
}

static void mark(struct tw_context *scene, int side)
{
    const struct tw_recovery *recovery = &scene->recovery[side];
    const struct tw_rounds *rounds = &scene->rounds[side];
    const struct tw_sender_timeline *x = &scene->sends[side];

    for (uint32_t i = 0; i < recovery->n; i++) {
        struct tw_recovery_episode *e = &recovery->episode[i];

        e->missing = tw_capture_drops_between(scene, e->first_record, e->last_record);
    }
    for (uint32_t i = 0; i < rounds->n; i++) {
        struct tw_round *r = &rounds->round[i];

        r->missing = tw_capture_drops_between(scene, x->send[r->first].record,
                                              x->send[MIN(r->last + 1, x->n - 1)].record);
    }
}

void tw_capture_drops_mark(struct tw_context *scene)
{
    for (int side = 0; scene->survey.lacks && side < 2; side++)
        mark(scene, side);
}
