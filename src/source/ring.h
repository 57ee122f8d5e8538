/* SPDX-License-Identifier: MIT */
/*
 * A folder into which a capture tool rotates its files (dumpcap -b, tcpdump -C, -G, -W): which file
 * is the newest, and which follows another. By time of the last change, then by name.
 */
#ifndef TW_SOURCE_RING_H
#define TW_SOURCE_RING_H

#include <stdbool.h>
#include <stdint.h>

/* Where a file stands among the others. */
struct tw_ring_place {
    int64_t changed_ns;
    char *name; /* in its folder; g_free() */
};

void tw_ring_clear(struct tw_ring_place *place);

/* The newest capture of the folder. @return false when there is none. */
bool tw_ring_newest(const char *folder, struct tw_ring_place *found);

/*
 * The oldest of those that are newer than after. Files that are no captures are passed over; an
 * empty one may become a capture. @return false when there is none.
 */
bool tw_ring_next(const char *folder, const struct tw_ring_place *after,
                  struct tw_ring_place *found);

#endif
