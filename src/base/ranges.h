/* SPDX-License-Identifier: MIT */
/*
 * A small, bounded, sorted set of half-open ranges [from, to) of 64-bit offsets.
 */
#ifndef TW_BASE_RANGES_H
#define TW_BASE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw_range {
    int64_t from, to;
};

struct tw_ranges {
    struct tw_range *range;
    uint32_t n;
    uint32_t spare;    /* free places in front, so that dropping the oldest is free */
    uint32_t capacity; /* capacity */
};

/* Beyond this number the oldest range is dropped. */
#define TW_RANGES_MAX 4096

/* Add [from, to), merging adjacent ranges. @return false if the bound dropped a range. */
bool tw_ranges_add(struct tw_ranges *set, int64_t from, int64_t to);

/* Remove [from, to). @return number of bytes of it that were in the set. */
int64_t tw_ranges_remove(struct tw_ranges *set, int64_t from, int64_t to);

/* Index of the first range that ends at or after offset, or n. */
uint32_t tw_ranges_find(const struct tw_ranges *set, int64_t offset);

/* Bytes of [from, to) that are in the set. */
int64_t tw_ranges_overlap(const struct tw_ranges *set, int64_t from, int64_t to);

void tw_ranges_copy(struct tw_ranges *to, const struct tw_ranges *from);
void tw_ranges_clear(struct tw_ranges *set);

#endif
