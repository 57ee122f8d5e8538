/* SPDX-License-Identifier: MIT */
/*
 * Help is made of the tables of commands and options, and of each command's own examples.
 */
#include "help.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "options.h"

/* A terminal's; wider ones show as much beside it. */
#define COLUMNS 80

/* Columns at which the words on options and commands begin. */
#define OPTION_COLUMN  32
#define COMMAND_COLUMN 14

/* Print words from a column on, every line; the cursor is there already. */
static void print_words(const char *words, int from)
{
    int at = from;

    while (*words) {
        size_t len = strcspn(words, " \n");

        if (at > from && at + 1 + (int)g_utf8_strlen(words, (gssize)len) > COLUMNS) {
            printf("\n%*s", from, "");
            at = from;
        } else if (at > from) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)len, words);
        at += (int)g_utf8_strlen(words, (gssize)len);
        words += len + strspn(words + len, " \n");
    }
    putchar('\n');
}

/* Is the line that begins here no part of a paragraph? */
static bool stands_alone(const char *line)
{
    return *line == ' ' || *line == '\n' || *line == '\0';
}

/* Fill paragraphs; lines that are empty or begin with a space stay as they are. */
static void print_text(const char *text)
{
    while (*text) {
        const char *end = text + strcspn(text, "\n");

        if (stands_alone(text)) {
            printf("%.*s\n", (int)(end - text), text);
        } else {
            while (*end && !stands_alone(end + 1))
                end += 1 + strcspn(end + 1, "\n");

            char *paragraph = g_strndup(text, (gsize)(end - text));

            print_words(paragraph, 0);
            g_free(paragraph);
        }
        text = *end ? end + 1 : end;
    }
}

static void print_option(const struct option_row *row)
{
    char left[40], argument[20] = "";

    if (option_argument_is_optional(row))
        snprintf(argument, sizeof(argument), "[=%s", row->argument + 1);
    else if (row->argument)
        snprintf(argument, sizeof(argument), " %s", row->argument);
    snprintf(left, sizeof(left), "%s%c%s--%s%s", row->code < 128 ? "-" : " ",
             row->code < 128 ? row->code : ' ', row->code < 128 ? ", " : "  ", row->name, argument);
    printf("  %-*s", OPTION_COLUMN - 2, left);
    print_words(row->help, OPTION_COLUMN);
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
    printf("\nCommands (see 'tcpwhy COMMAND --help'):\n");
    for (const struct command *const *c = commands; *c; c++)
        if ((*c)->name) {
            printf("  %-*s", COMMAND_COLUMN - 2, (*c)->name);
            print_words((*c)->summary, COMMAND_COLUMN);
        }
}

void help_print(const struct command *command)
{
    printf("Usage: tcpwhy %s\n\n", command->synopsis);
    print_text(command->about);
    printf("\nExamples:\n%s", command->examples);
    if (!command->name)
        print_commands();
    print_options(command);
    if (!command->name)
        print_text("\nExit status: 0 analysed, 1 read or write error, 2 usage error, 3 found "
                   "(--fail-on).\n");
}
