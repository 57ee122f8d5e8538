/* SPDX-License-Identifier: MIT */
/*
 * For fish: a rule an option, for the commands that take it.
 */
#include "completion.h"

static void quoted(GString *out, const char *text)
{
    g_string_append_c(out, '\'');
    for (const char *p = text; *p; p++) {
        if (*p == '\'' || *p == '\\')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *p);
    }
    g_string_append_c(out, '\'');
}

static void functions(GString *out)
{
    g_string_append(out, "# fish completion for tcpwhy, written by 'tcpwhy completion fish'\n"
                         "function __tcpwhy_in\n"
                         "    set -l command " COMPLETION_UNNAMED "\n"
                         "    for word in (commandline -opc)[2..]\n"
                         "        if contains -- $word");
    for (const struct command *const *c = commands; *c; c++)
        if ((*c)->name)
            g_string_append_printf(out, " %s", (*c)->name);
    g_string_append(out, "\n"
                         "            set command $word\n"
                         "            break\n"
                         "        end\n"
                         "    end\n"
                         "    contains -- $command $argv\n"
                         "end\n");
}

static void command_rules(GString *out, const struct command *command)
{
    if (command->name) {
        g_string_append_printf(
            out, "complete -c tcpwhy -n '__tcpwhy_in " COMPLETION_UNNAMED "' -a %s -d ",
            command->name);
        quoted(out, command->summary);
        g_string_append_c(out, '\n');
    }
    for (int position = 1; position <= COMPLETION_NAMES; position++) {
        char *words = completion_words(command, position);

        if (words)
            g_string_append_printf(out, "complete -c tcpwhy%s -n '__tcpwhy_in %s' -a '%s'\n",
                                   position == 1 ? " -f" : "", command->name, words);
        g_free(words);
    }
}

static void option_rule(GString *out, const struct option_row *row)
{
    char *words;
    enum completion_kind kind = completion_value(row, &words);

    g_string_append(out, "complete -c tcpwhy");
    if (row->accepts) {
        g_string_append(out, " -n '__tcpwhy_in");
        for (const struct command *const *c = commands; *c; c++)
            if (completion_accepts(*c, row))
                g_string_append_printf(out, " %s", completion_name(*c));
        g_string_append_c(out, '\'');
    }
    if (row->code < 128)
        g_string_append_printf(out, " -s %c", row->code);
    g_string_append_printf(out, " -l %s", row->name);
    if (row->argument && !option_argument_is_optional(row))
        g_string_append(out, kind == COMPLETE_FILES ? " -r" : " -x");
    if (words)
        g_string_append_printf(out, " -a '%s'", words);
    g_string_append(out, " -d ");
    quoted(out, row->help);
    g_string_append_c(out, '\n');
    g_free(words);
}

void completion_fish(GString *out)
{
    functions(out);
    for (const struct command *const *c = commands; *c; c++)
        command_rules(out, *c);
    for (const struct option_row *row = options_table; row->name; row++)
        option_rule(out, row);
}
