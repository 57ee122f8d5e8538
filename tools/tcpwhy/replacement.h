/* SPDX-License-Identifier: MIT */
/*
 * A file that takes the place of another in one step: whoever looks sees the old one or the whole
 * new one. INT, TERM and HUP drop what is not whole yet. One at a time.
 */
#ifndef REPLACEMENT_H
#define REPLACEMENT_H

#include <stdbool.h>
#include <stdio.h>

struct replacement {
    char *path; /* what is to be replaced, behind links; NULL when it is written as it stands */
    char *temporary; /* beside it; likewise */
    FILE *file;
};

/* A device, a pipe or what is standard output already is written as it stands. @return false with
 * errno set. */
bool replacement_open(struct replacement *r, const char *path);

/* Put it in place, or, when keep is false, drop it. @return false with errno set. */
bool replacement_close(struct replacement *r, bool keep);

/* The file that is not whole yet, for a handler of signals that ends the process to unlink; or
 * NULL. */
extern const char *volatile replacement_unfinished;

#endif
