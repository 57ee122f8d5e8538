/* SPDX-License-Identifier: MIT */
/*
 * The process locks itself in before it reads what may be hostile: Landlock (Linux 5.13) leaves it
 * the files that were named, seccomp no programs, no network and no other processes. Where the
 * kernel lacks one, the other holds alone. Builds with sanitizers, which look into their own
 * process, and runs under valgrind go without.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
    int rules;   /* Landlock's; -1: there are none */
    int version; /* of Landlock's interface; 0: the kernel has none */
    bool asks_names;
};

void sandbox_begin(struct sandbox *sandbox);

/* Let a file be read, or a folder and all beneath it. What is not there is passed over. */
void sandbox_let_read(struct sandbox *sandbox, const char *path);

/* The same of the folder that a path stands in, whether it is there or not. */
void sandbox_let_read_beside(struct sandbox *sandbox, const char *path);

/* Let a file be written that is there, in place. */
void sandbox_let_change(struct sandbox *sandbox, const char *path);

/* Let files come, change and go in a folder. */
void sandbox_let_fill(struct sandbox *sandbox, const char *folder);

/* The same with its folders, between which files move. */
void sandbox_let_move(struct sandbox *sandbox, const char *folder);

/* Let the file be written beside its place and moved there; a device or a pipe as it stands. */
void sandbox_let_write(struct sandbox *sandbox, const char *path);

/* Needs of a filter: the names of ports and protocols, of hosts when it names any. */
void sandbox_let_filter(struct sandbox *sandbox, const char *filter);

/* Lock in: there is no way back. Before the first thread begins. */
void sandbox_enter(struct sandbox *sandbox);

/* The locks that hold here: "Landlock ABI 4, seccomp". */
void sandbox_describe(char *text, size_t size);

#endif
