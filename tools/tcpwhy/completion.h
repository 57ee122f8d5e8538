/* SPDX-License-Identifier: MIT */
/*
 * Completion for shells, made of the tables of commands and options, so that it cannot say anything
 * else than they do.
 */
#ifndef COMPLETION_H
#define COMPLETION_H

#include <glib.h>

#include "command.h"
#include "options.h"

/* A name for the command that needs none. */
#define COMPLETION_UNNAMED "diagnosis"

/* Kinds of option values. */
enum completion_kind {
    COMPLETE_NOTHING, /* it takes none, or one that cannot be guessed */
    COMPLETE_FILES,
    COMPLETE_WORDS,
};

/* words: parted by blanks, released by the caller; NULL unless there are some. */
enum completion_kind completion_value(const struct option_row *option, char **words);

/* Words for the name of a command at a position, 1 or 2, likewise; NULL: a file. */
#define COMPLETION_NAMES 2
char *completion_words(const struct command *command, int position);

/* All causes. */
char *completion_causes(void);
/* Those, and the names of all failures: the pages of 'tcpwhy causes'. */
char *completion_pages(void);

/* Does the command take the option? */
bool completion_accepts(const struct command *command, const struct option_row *option);

const char *completion_name(const struct command *command);

/* One for each shell. */
void completion_bash(GString *out);
void completion_zsh(GString *out);
void completion_fish(GString *out);

#endif
