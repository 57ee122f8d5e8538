/* SPDX-License-Identifier: MIT */
/*
 * Help is made of the tables of commands and options, and of each command's own examples.
 */
#include "help.h"

#include <stdio.h>

#include "options.h"

static void print_option(const struct option_row *row)
{
    char left[40];

    snprintf(left, sizeof(left), "%s%c%s--%s%s%s", row->code < 128 ? "-" : " ",
             row->code < 128 ? row->code : ' ', row->code < 128 ? ", " : "  ", row->name,
             row->argument ? " " : "", row->argument ? row->argument : "");
    printf("  %-28s  %s\n", left, row->help);
}

static void print_options(const struct command *command)
{
    printf("\nOptions:\n");
    for (int i = 0; options_table[i].name; i++)
        if (!(options_table[i].accepts & ~command->accepts))
            print_option(&options_table[i]);
}

static void print_commands(void)
{
    printf("\nCommands ('tcpwhy COMMAND --help' tells more):\n");
    for (const struct command *const *c = commands; *c; c++)
        if ((*c)->name)
            printf("  %-10s  %s\n", (*c)->name, (*c)->summary);
}

void help_print(const struct command *command)
{
    printf("Usage: tcpwhy %s\n\n%s\n\nExamples:\n%s", command->synopsis, command->about,
           command->examples);
    if (!command->name)
        print_commands();
    print_options(command);
    if (!command->name)
        printf("\nExit status: 0 analysed, 1 could not read or write, 2 usage, 3 found "
               "(--fail-on).\n");
}
