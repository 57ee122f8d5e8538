/* SPDX-License-Identifier: MIT */
/*
 * A sub-command: one file with a descriptor, and its name in meson.build.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "args.h"

/* Exit codes, beside EXIT_DONE. */
enum exit_code { EXIT_DONE = 0, EXIT_CANNOT = 1, EXIT_USAGE = 2, EXIT_FOUND = 3 };

struct command {
    const char *name;     /* NULL: what runs when no command is named */
    const char *synopsis; /* what follows "tcpwhy " */
    const char *summary;  /* a line for the list of commands */
    const char *about;    /* paragraphs for its own help */
    const char *examples; /* lines, each with what it is for */
    unsigned accepts;     /* ACCEPT_* bits of its options */
    enum format format;   /* of its answer when no option asks for another */
    int max_captures;     /* 0: any number */
    bool confines_itself; /* its needs are not all on the command line */
    enum exit_code (*run)(const struct args *args);
    /* For shells: what its name at a position, 1 or 2, can be, parted by blanks; NULL: a file. */
    char *(*words)(int position);
};

/* All commands, ended by NULL; the first is the one that needs no name. */
extern const struct command *const commands[];

const struct command *command_by_name(const char *name);

#endif
