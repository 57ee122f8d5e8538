/* SPDX-License-Identifier: MIT */
#include "explain/loss/recovery_episodes.h"

#include <glib.h>

static bool is_sure(const struct tw_recovery_episode *e)
{
    return !e->unseen && !e->arrived && !e->first;
}

static void push(struct tw_recovery_episodes *s, const struct tw_recovery_episode *e)
{
    struct tw_recovery *out = s->out;

    out->episode =
        tw_scratch_grow(s->scratch, out->episode, out->n, &s->capacity, sizeof *out->episode);
    out->episode[out->n++] = *e;
}

/* Does a sure episode continue after an unsure one, to its end at least, or the other way round? */
static bool goes_on_otherwise(const struct tw_recovery_episode *last,
                              const struct tw_recovery_episode *e)
{
    return is_sure(e) != is_sure(last) && e->from_ns > last->from_ns &&
           (e->to_ns > last->to_ns || (is_sure(e) && e->to_ns == last->to_ns));
}

/* A sure episode takes over from an unsure one for as long as it lasts. */
static void push_behind(struct tw_recovery_episodes *s, struct tw_recovery_episode *last,
                        struct tw_recovery_episode e)
{
    if (is_sure(last)) {
        e.from_ns = last->to_ns;
        e.first_record = last->last_record;
    } else {
        last->to_ns = e.from_ns;
        last->last_record = e.first_record;
    }
    push(s, &e);
}

/* For copies of one segment, a doubt must hold for all; of several segments, the one with most of
 * the time decides. */
static void join_doubts(struct tw_recovery_episode *last, const struct tw_recovery_episode *e)
{
    if (e->first_record == last->first_record) {
        last->unseen &= e->unseen;
        last->arrived &= e->arrived;
        last->first &= e->first;
    } else if (e->to_ns - e->from_ns > last->to_ns - last->from_ns) {
        last->unseen = e->unseen;
        last->arrived = e->arrived;
        last->first = e->first;
    }
}

static void join(struct tw_recovery_episode *last, const struct tw_recovery_episode *e,
                 tcpwhy_ns since_ns)
{
    join_doubts(last, e);
    last->from_ns = MAX(MIN(last->from_ns, e->from_ns), since_ns);
    if (e->to_ns > last->to_ns) {
        last->to_ns = e->to_ns;
        last->last_record = e->last_record;
    }
    if (e->kind > last->kind) {
        last->kind = e->kind;
        last->repair_record = e->repair_record;
    }
    last->repeats += e->repeats;
    last->lacking = MAX(last->lacking, e->lacking);
    last->black_hole |= e->black_hole;
}

void tw_recovery_episodes_add(struct tw_recovery_episodes *s, const struct tw_recovery_episode *e)
{
    struct tw_recovery *out = s->out;
    struct tw_recovery_episode *last = out->n ? &out->episode[out->n - 1] : NULL;

    if (!last || e->from_ns > last->to_ns)
        push(s, e);
    else if (goes_on_otherwise(last, e))
        push_behind(s, last, *e);
    else
        join(last, e, out->n > 1 ? last[-1].to_ns : INT64_MIN);
}

const struct tw_recovery_episode *tw_recovery_search(const struct tw_recovery *recovery,
                                                     tcpwhy_ns at_ns, tcpwhy_ns *next_ns)
{
    uint32_t low = 0, high = recovery->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (recovery->episode[middle].to_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    *next_ns = INT64_MAX;
    if (low == recovery->n)
        return NULL;

    const struct tw_recovery_episode *e = &recovery->episode[low];

    *next_ns = e->from_ns > at_ns ? e->from_ns : e->to_ns;
    return e->from_ns <= at_ns ? e : NULL;
}
