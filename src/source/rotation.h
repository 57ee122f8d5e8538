/* SPDX-License-Identifier: MIT */
/*
 * A name's place in a rotation, as tcpdump -C, -W and -G, dumpcap -b and logrotate write them.
 */
#ifndef TW_SOURCE_ROTATION_H
#define TW_SOURCE_ROTATION_H

#include <stdbool.h>

#include <glib.h>

struct tw_rotation {
    char *family;   /* the name without what counts; the caller frees it */
    int64_t number; /* -1: counts by time only */
    bool backwards; /* logrotate's: the highest number is the oldest */
};

/* What names may look like, compiled. */
struct tw_rotations;

struct tw_rotations *tw_rotations_new(void);
void tw_rotations_free(struct tw_rotations *rotations);

/* @return false when a name, without its folder, does not look rotated. */
bool tw_rotation_of(const struct tw_rotations *rotations, const char *name,
                    struct tw_rotation *rotation);

#endif
