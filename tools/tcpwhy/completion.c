/* SPDX-License-Identifier: MIT */
#include "completion.h"

#include <string.h>

static bool is_any(enum tcpwhy_cause cause)
{
    return cause != TCPWHY_CAUSE_NONE;
}

/* Append the names of causes; frees them. */
static char *take_names(GString *names, bool (*fits)(enum tcpwhy_cause))
{
    for (size_t c = 0; c < tcpwhy_cause_count(); c++)
        if (fits((enum tcpwhy_cause)c))
            g_string_append_printf(names, "%s%s", names->len ? " " : "",
                                   tcpwhy_cause_info((enum tcpwhy_cause)c)->name);
    return g_string_free(names, FALSE);
}

static char *names_of(const char *further, bool (*fits)(enum tcpwhy_cause))
{
    return take_names(g_string_new(further), fits);
}

char *completion_causes(void)
{
    return names_of(NULL, is_any);
}

char *completion_pages(void)
{
    GString *names = g_string_new(NULL);
    enum tcpwhy_cause same;

    for (size_t f = TCPWHY_FAILURE_NONE + 1; f < tcpwhy_failure_kind_count(); f++) {
        const char *name = tcpwhy_failure_info((enum tcpwhy_failure_kind)f)->name;

        if (!tcpwhy_cause_by_name(name, &same))
            g_string_append_printf(names, "%s%s", names->len ? " " : "", name);
    }
    return take_names(names, is_any);
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
        *words = names_of("any", tcpwhy_cause_makes_findings);
    else if (strcmp(option->name, "cause") == 0)
        *words = completion_causes();
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
