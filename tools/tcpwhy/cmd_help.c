/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy help: what --help says, for those who ask with a word.
 */
#include "help.h"

#include <glib.h>

#include "nearest.h"

static enum exit_code run(const struct args *args)
{
    const char *name = args->n_names > 0 ? args->names[0] : NULL;
    const struct command *command = name ? command_by_name(name) : commands[0];

    if (!command) {
        complain_of_name(name, "command", args->command->words(1), "tcpwhy help");
        return EXIT_USAGE;
    }
    help_print(command);
    return EXIT_DONE;
}

static char *words(int position)
{
    GString *names = g_string_new(NULL);

    for (const struct command *const *c = commands; *c && position == 1; c++)
        if ((*c)->name)
            g_string_append_printf(names, "%s%s", names->len ? " " : "", (*c)->name);
    return g_string_free(names, FALSE);
}

const struct command command_help = {
    .name = "help",
    .synopsis = "help [COMMAND]",
    .summary = "list of commands, or help for one",
    .about = "The same as 'tcpwhy --help' and 'tcpwhy COMMAND --help'.",
    .examples = "  tcpwhy help                               commands and options\n"
                "  tcpwhy help flow                          about one command\n",
    .max_captures = 1,
    .run = run,
    .words = words,
};
