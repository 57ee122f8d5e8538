/* SPDX-License-Identifier: MIT */
/*
 * A folder of rotated files (dumpcap -b, tcpdump -C, -G, -W): the newest file, and successors, by
 * modification time, then by name.
 */
#ifndef TW_SOURCE_RING_H
#define TW_SOURCE_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/memory.h"

/* Position of a file in the order. */
struct tw_ring_place {
    int64_t changed_ns;
    char *name; /* in its folder; tw_free() */
};

/* When the file was changed, in nanoseconds. */
int64_t tw_ring_changed_ns(const struct stat *st);

void tw_ring_clear(struct tw_ring_place *place);

/* The newest capture of the folder. @return false if there is none. */
bool tw_ring_newest(const char *folder, struct tw_ring_place *found);

/*
 * The oldest of those newer than `after`. Files that are not captures are skipped; empty ones may
 * become captures. @return false if there is none.
 */
bool tw_ring_next(const char *folder, const struct tw_ring_place *after,
                  struct tw_ring_place *found);

#endif
