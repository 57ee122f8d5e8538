/* SPDX-License-Identifier: MIT */
#include "base/ranges.h"

#include <string.h>

#include <glib.h>

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
    memmove(&set->range[at], &set->range[at + n], (set->n - at - n) * sizeof *set->range);
    set->n -= n;
}

static void insert(struct tw_ranges *set, uint32_t at, struct tw_range range)
{
    if (set->n == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 4;
        set->range = g_renew(struct tw_range, set->range, set->capacity);
    }
    memmove(&set->range[at + 1], &set->range[at], (set->n - at) * sizeof *set->range);
    set->range[at] = range;
    set->n++;
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
    erase(set, at, n);
    insert(set, at, (struct tw_range) { from, to });
    if (set->n <= TW_RANGES_MAX)
        return true;
    erase(set, 0, 1);
    return false;
}

int64_t tw_ranges_remove(struct tw_ranges *set, int64_t from, int64_t to)
{
    int64_t removed = 0;
    uint32_t at = tw_ranges_find(set, from);

    while (at < set->n && set->range[at].from < to) {
        struct tw_range r = set->range[at];
        int64_t cut_from = r.from > from ? r.from : from, cut_to = r.to < to ? r.to : to;

        if (cut_from >= cut_to) {
            at++;
            continue;
        }
        removed += cut_to - cut_from;
        erase(set, at, 1);
        if (r.from < cut_from)
            insert(set, at++, (struct tw_range) { r.from, cut_from });
        if (cut_to < r.to)
            insert(set, at++, (struct tw_range) { cut_to, r.to });
    }
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

void tw_ranges_clear(struct tw_ranges *set)
{
    g_free(set->range);
    *set = (struct tw_ranges) { 0 };
}
