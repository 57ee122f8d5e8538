/* SPDX-License-Identifier: MIT */
/*
 * A file that takes the place of another in one step: whoever looks sees the old one or the whole
 * new one.
 */
#ifndef REPLACEMENT_H
#define REPLACEMENT_H

#include <stdbool.h>
#include <stdio.h>

struct replacement {
    const char *path; /* what is to be replaced */
    char *temporary;  /* beside it; NULL when path is written directly (a device, a pipe) */
    FILE *file;
};

/* @return false with errno set. */
bool replacement_open(struct replacement *r, const char *path);

/* Put it in place, or, when keep is false, drop it. @return false with errno set. */
bool replacement_close(struct replacement *r, bool keep);

#endif
