/* SPDX-License-Identifier: MIT */
/*
 * Help, of the whole tool and of one command.
 */
#ifndef HELP_H
#define HELP_H

#include "command.h"

void help_print(const struct command *command);

#endif
