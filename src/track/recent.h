/* SPDX-License-Identifier: MIT */
/*
 * The last frames of a side, to know one that the capture holds twice. Most connections have a
 * handful of frames, so that the memory for all grows with them.
 */
#ifndef TW_TRACK_RECENT_H
#define TW_TRACK_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many as one side of a short connection sends. */
#define TW_RECENT_FIRST 6

struct tw_recent {
    struct tw_recent_frame {
        uint32_t digest, time_us;
    } first[TW_RECENT_FIRST], *ring; /* the ring holds all when they are more than the first */
    uint32_t n;                      /* frames so far */
};

void tw_recent_add(struct tw_recent *recent, uint32_t digest, uint32_t time_us);

/* Is there a frame of that digest no more than limit_us before time_us? */
bool tw_recent_has(const struct tw_recent *recent, uint32_t digest, uint32_t time_us,
                   uint32_t limit_us);

void tw_recent_clear(struct tw_recent *recent);

/* What it holds of the heap. */
size_t tw_recent_bytes(const struct tw_recent *recent);

#endif
