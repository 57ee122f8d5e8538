/* SPDX-License-Identifier: MIT */
/*
 * For bash 4 and later, without the package bash-completion.
 */
#include "completion.h"

static const char begin[] =
    "# bash completion for tcpwhy, written by 'tcpwhy completion bash'\n"
    "_tcpwhy()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=" COMPLETION_UNNAMED " at=0 i options first= second= words=\n"
    "    COMPREPLY=()\n"
    "    # --option=value comes as three words\n"
    "    if [[ $current == = ]]; then\n"
    "        current=\n"
    "    elif [[ $previous == = ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

static const char complete[] =
    "    if [[ $current == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
    "    elif [[ $command == " COMPLETION_UNNAMED " ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$commands\" -- \"$current\"))\n"
    "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
    "    else\n"
    "        ((COMP_CWORD == at + 1)) && words=$first\n"
    "        ((COMP_CWORD == at + 2)) && words=$second\n"
    "        if [[ -n $words ]]; then\n"
    "            compopt +o default\n"
    "            COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
    "        fi\n"
    "    fi\n"
    "}\n"
    "complete -o default -o filenames -F _tcpwhy tcpwhy\n";

static void find_command(GString *out)
{
    g_string_append(out, "    local commands='");
    for (const struct command *const *c = commands; *c; c++)
        if ((*c)->name)
            g_string_append_printf(out, "%s ", (*c)->name);
    g_string_append(out, "'\n    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                         "        if [[ \" $commands\" == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
                         "            command=${COMP_WORDS[i]} at=$i\n"
                         "            break\n"
                         "        fi\n"
                         "    done\n");
}

static void values(GString *out)
{
    g_string_append(out, "    case $previous in\n");
    for (const struct option_row *row = options_table; row->name; row++) {
        char *words;
        enum completion_kind kind = completion_value(row, &words);

        if (!row->argument || option_argument_is_optional(row))
            continue;
        g_string_append(out, "    ");
        if (row->code < 128)
            g_string_append_printf(out, "-%c | ", row->code);
        g_string_append_printf(out, "--%s)\n", row->name);
        if (kind == COMPLETE_FILES)
            g_string_append(out, "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n");
        else
            g_string_append(out, "        compopt +o default\n");
        if (words)
            g_string_append_printf(out, "        COMPREPLY=($(compgen -W '%s' -- \"$current\"))\n",
                                   words);
        g_string_append(out, "        return ;;\n");
        g_free(words);
    }
    g_string_append(out, "    esac\n");
}

static void options_of(GString *out, const struct command *command)
{
    g_string_append_printf(out, "    %s)\n        options='", completion_name(command));
    for (const struct option_row *row = options_table; row->name; row++) {
        if (!completion_accepts(command, row))
            continue;
        if (row->code < 128)
            g_string_append_printf(out, "-%c ", row->code);
        g_string_append_printf(out, "--%s ", row->name);
    }
    g_string_append(out, "'\n");
    for (int position = 1; position <= COMPLETION_NAMES; position++) {
        char *words = completion_words(command, position);

        if (words)
            g_string_append_printf(out, "        %s='%s'\n", position == 1 ? "first" : "second",
                                   words);
        g_free(words);
    }
    g_string_append(out, "        ;;\n");
}

void completion_bash(GString *out)
{
    g_string_append(out, begin);
    find_command(out);
    values(out);
    g_string_append(out, "    case $command in\n");
    for (const struct command *const *c = commands; *c; c++)
        options_of(out, *c);
    g_string_append(out, "    esac\n");
    g_string_append(out, complete);
}
