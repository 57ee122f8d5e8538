/* SPDX-License-Identifier: MIT */
/*
 * Position of a file name in a rotation by tcpdump -C, -W and -G, dumpcap -b or logrotate.
 */
#ifndef TW_SOURCE_ROTATION_H
#define TW_SOURCE_ROTATION_H

#include <stdbool.h>

#include <glib.h>

struct tw_rotation {
    char *family;   /* the name without its counter; freed by the caller */
    int64_t number; /* -1: time only */
    bool backwards; /* logrotate: the highest number is the oldest */
};

/* Compiled patterns of names. */
struct tw_rotations;

struct tw_rotations *tw_rotations_new(void);
void tw_rotations_free(struct tw_rotations *rotations);

/* @return false if the base name does not look rotated. */
bool tw_rotation_of(const struct tw_rotations *rotations, const char *name,
                    struct tw_rotation *rotation);

#endif
