/* SPDX-License-Identifier: MIT */
#include "completion.h"

#include <string.h>

char *completion_causes(const char *further)
{
    GString *names = g_string_new(further);

    for (int c = TCPWHY_CAUSE_NONE + 1; c < TCPWHY_N_CAUSES; c++)
        g_string_append_printf(names, "%s%s", names->len ? " " : "",
                               tcpwhy_cause_info((enum tcpwhy_cause)c)->name);
    return g_string_free(names, FALSE);
}

enum completion_kind completion_value(const struct option_row *option, char **words)
{
    *words = NULL;
    if (!option->argument)
        return COMPLETE_NOTHING;
    if (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "PATH") == 0)
        return COMPLETE_FILES;
    if (strcmp(option->name, "color") == 0)
        *words = g_strdup("auto always never");
    else if (strcmp(option->name, "side") == 0)
        *words = g_strdup("client server");
    else if (strcmp(option->name, "fail-on") == 0)
        *words = completion_causes("any");
    else if (strcmp(option->name, "cause") == 0)
        *words = completion_causes(NULL);
    return *words ? COMPLETE_WORDS : COMPLETE_NOTHING;
}

char *completion_words(const struct command *command, int position)
{
    return command->words ? command->words(position) : NULL;
}

bool completion_accepts(const struct command *command, const struct option_row *option)
{
    return !(option->accepts & ~command->accepts);
}

const char *completion_name(const struct command *command)
{
    return command->name ? command->name : COMPLETION_UNNAMED;
}
