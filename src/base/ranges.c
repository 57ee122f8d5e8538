/* SPDX-License-Identifier: MIT */
#include "base/ranges.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

uint32_t tw_ranges_find(const struct tw_ranges *set, int64_t offset)
{
    uint32_t low = 0, high = set->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (set->range[middle].to < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void erase(struct tw_ranges *set, uint32_t at, uint32_t n)
{
    if (n == 0)
        return;
    if (at == 0) {
        set->range += n;
        set->spare += n;
    } else {
        memmove(&set->range[at], &set->range[at + n], (set->n - at - n) * sizeof *set->range);
    }
    set->n -= n;
}

/* Make room behind the last range; reuse the free places in front if there are many. */
static void make_room(struct tw_ranges *set)
{
    struct tw_range *start = set->range ? set->range - set->spare : NULL;

    if (set->spare + set->n < set->capacity)
        return;
    if (start && set->spare > 0 && set->spare >= set->n) {
        memmove(start, set->range, set->n * sizeof *start);
        set->spare = 0;
    } else {
        set->capacity = set->capacity ? set->capacity * 2 : 4;
        start = tw_renew(struct tw_range, start, set->capacity);
    }
    set->range = start + set->spare;
}

static void insert(struct tw_ranges *set, uint32_t at, struct tw_range range)
{
    make_room(set);
    memmove(&set->range[at + 1], &set->range[at], (set->n - at) * sizeof *set->range);
    set->range[at] = range;
    set->n++;
}

static bool keep_bound(struct tw_ranges *set)
{
    if (set->n <= TW_RANGES_MAX)
        return true;
    erase(set, 0, 1);
    return false;
}

bool tw_ranges_add(struct tw_ranges *set, int64_t from, int64_t to)
{
    if (from >= to)
        return true;

    uint32_t at = tw_ranges_find(set, from), n = 0;

    while (at + n < set->n && set->range[at + n].from <= to) {
        if (set->range[at + n].from < from)
            from = set->range[at + n].from;
        if (set->range[at + n].to > to)
            to = set->range[at + n].to;
        n++;
    }
    if (n > 0) {
        set->range[at] = (struct tw_range) { from, to };
        erase(set, at + 1, n - 1);
        return true;
    }
    insert(set, at, (struct tw_range) { from, to });
    return keep_bound(set);
}

int64_t tw_ranges_remove(struct tw_ranges *set, int64_t from, int64_t to)
{
    uint32_t at = tw_ranges_find(set, from), n = 0;
    int64_t removed = tw_ranges_overlap(set, from, to);

    if (removed == 0)
        return 0;
    if (set->range[at].to == from)
        at++;
    if (set->range[at].from < from) {
        struct tw_range *r = &set->range[at++];
        struct tw_range behind = { to, r->to };

        r->to = from;
        if (behind.from < behind.to) {
            insert(set, at, behind);
            keep_bound(set);
            return removed;
        }
    }
    while (at + n < set->n && set->range[at + n].to <= to)
        n++;
    if (at + n < set->n && set->range[at + n].from < to)
        set->range[at + n].from = to;
    erase(set, at, n);
    return removed;
}

int64_t tw_ranges_overlap(const struct tw_ranges *set, int64_t from, int64_t to)
{
    int64_t sum = 0;

    for (uint32_t i = tw_ranges_find(set, from); i < set->n && set->range[i].from < to; i++) {
        int64_t low = set->range[i].from > from ? set->range[i].from : from;
        int64_t high = set->range[i].to < to ? set->range[i].to : to;

        if (low < high)
            sum += high - low;
    }
    return sum;
}

void tw_ranges_copy(struct tw_ranges *to, const struct tw_ranges *from)
{
    *to = (struct tw_ranges) { .range = tw_memdup2(from->range, from->n * sizeof *from->range),
                               .n = from->n,
                               .capacity = from->n };
}

void tw_ranges_clear(struct tw_ranges *set)
{
    tw_free(set->range ? set->range - set->spare : NULL);
    *set = (struct tw_ranges) { 0 };
}
