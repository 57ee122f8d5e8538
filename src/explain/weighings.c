/* SPDX-License-Identifier: MIT */
#include "explain/weighings.h"

#include <string.h>

/* Frames between a gap and the frame asked for: 0 if the gap ended there, 1 if the frame lies in
 * the gap or in the burst behind it. */
static uint32_t distance(const struct tw_weighings *all, const struct tcpwhy_weighing *gap)
{
    uint32_t frame = all->frame;

    if (!frame || frame == gap->last_frame)
        return 0;
    if (frame > gap->burst_frame)
        return frame - gap->burst_frame + 1;
    return frame > gap->first_frame ? 1 : gap->first_frame - frame + 2;
}

/* Recoveries cut a gap into pieces, which are kept together. */
static bool is_of_another_gap(const struct tw_weighings *all, const struct tcpwhy_weighing *gap)
{
    return all->frame && all->n > 0 && all->weighing[0].gap.last_frame != gap->last_frame;
}

static bool costs_more(const struct tw_weighing *a, const struct tw_weighing *b)
{
    if (a->cost_ns != b->cost_ns)
        return a->cost_ns > b->cost_ns;
    return a->gap.to_ns - a->gap.from_ns > b->gap.to_ns - b->gap.from_ns;
}

struct tw_weighing *tw_weighings_place(struct tw_weighings *all, const struct tw_weighing *w)
{
    struct tw_weighing *kept = all->weighing;
    uint32_t at;

    all->newest_is_kept = false;
    if (is_of_another_gap(all, &w->gap)) {
        if (distance(all, &w->gap) >= distance(all, &kept[0].gap))
            return NULL;
        all->n = 0;
    }
    for (at = all->n; at > 0 && costs_more(w, &kept[at - 1]); at--)
        ;
    if (at == TCPWHY_WEIGHINGS)
        return NULL;
    if (all->n < TCPWHY_WEIGHINGS)
        all->n++;
    memmove(&kept[at + 1], &kept[at], (all->n - 1 - at) * sizeof *kept);
    kept[at] = *w;
    all->newest_is_kept = true;
    all->newest = at;
    return &kept[at];
}

void tw_weighings_extend(struct tw_weighings *all, uint32_t burst_frame)
{
    if (all->newest_is_kept && burst_frame > all->weighing[all->newest].gap.burst_frame)
        all->weighing[all->newest].gap.burst_frame = burst_frame;
}
