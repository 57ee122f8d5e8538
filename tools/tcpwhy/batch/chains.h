/* SPDX-License-Identifier: MIT */
/*
 * Which files are one capture: rotated ones of one sensor, told by their names and by the time of
 * their first packets.
 */
#ifndef BATCH_CHAINS_H
#define BATCH_CHAINS_H

#include "batch.h"

enum chaining {
    CHAIN_FOUND, /* what names and times say */
    CHAIN_ALL,   /* all files of a folder */
    CHAIN_NONE,
};

/*
 * A name's place in a rotation, as tcpdump -C, -W and -G, dumpcap -b and logrotate write them. Its
 * family is the name without what counts; NULL: it does not look rotated.
 */
struct rotation {
    char *family;
    int64_t number; /* -1: counts by time only */
    bool backwards; /* logrotate's: the highest number is the oldest */
};

bool rotation_of(const char *name, struct rotation *rotation);

/* Take the files (struct file), give jobs (struct job). */
GPtrArray *chains_of(GPtrArray *files, enum chaining how);

#endif
