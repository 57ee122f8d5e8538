/* SPDX-License-Identifier: MIT */
/*
 * Standard output, or a file that is there whole or not at all: buffered, and a reader that went
 * away is no error.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

#include "command.h"
#include "replacement.h"

/* Fill in width, colour and character set from the options and the terminal. */
void output_prepare(struct args *args);

/* Does somebody look at it as it is written? */
bool output_is_terminal(const struct args *args);

/* A picture or a page is not for a terminal, unless '-o -' asks for it; says so when it is one. */
bool output_suits_terminal(const struct args *args);

/* A file that is read is not replaced; says so when it would be. */
bool output_spares_captures(const struct args *args);

struct output {
    const char *path; /* NULL: standard output */
    struct replacement to;
    FILE *file;   /* NULL until something is written */
    int error;    /* errno of the first write that failed */
    bool dropped; /* what was written is not whole: the file that was there stays */
};

/* The tcpwhy_write_fn of everything that is printed; user is a struct output. */
bool output_write(void *user, const char *bytes, size_t len);
bool output_text(struct output *output, const char *text);

/* Show what was written to whoever is watching. */
void output_flush(struct output *output);

/* Put the file in its place. @return code, or EXIT_CANNOT when the output could not be written
 * (said on stderr). */
enum exit_code output_finish(struct output *output, enum exit_code code);

#endif
