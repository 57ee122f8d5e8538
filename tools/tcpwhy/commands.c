/* SPDX-License-Identifier: MIT */
/*
 * The table of commands; the list is in meson.build.
 */
#include "command.h"

#include <string.h>

#define X(name) extern const struct command command_##name;
#include "commands.inc"
#undef X

const struct command *const commands[] = {
#define X(name) &command_##name,
#include "commands.inc"
#undef X
    NULL,
};

const struct command *command_by_name(const char *name)
{
    for (const struct command *const *c = commands; *c; c++)
        if ((*c)->name && strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}
