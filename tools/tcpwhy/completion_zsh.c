/* SPDX-License-Identifier: MIT */
/*
 * For zsh: the arguments of _arguments for the command on the line.
 */
#include <string.h>

#include "completion.h"

/* Inside single quotes, where _arguments and _describe have meanings for some characters. */
static void quoted(GString *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            g_string_append(out, "'\\''");
        else if (strchr("[]:\\", *p))
            g_string_append_printf(out, "\\%c", *p);
        else
            g_string_append_c(out, *p);
    }
}

static void describe_commands(GString *out)
{
    g_string_append(out, "    local -a commands=(\n");
    for (const struct command *const *c = commands; *c; c++) {
        if (!(*c)->name)
            continue;
        g_string_append_printf(out, "        '%s:", (*c)->name);
        quoted(out, (*c)->summary);
        g_string_append(out, "'\n");
    }
    g_string_append(out, "    )\n");
}

static void value(GString *out, const struct option_row *row)
{
    char *words;
    enum completion_kind kind = completion_value(row, &words);

    if (!row->argument)
        return;
    g_string_append(out, option_argument_is_optional(row) ? "::" : ":");
    quoted(out, row->argument);
    if (kind == COMPLETE_FILES)
        g_string_append(out, ":_files");
    else if (words)
        g_string_append_printf(out, ":(%s)", words);
    else
        g_string_append(out, ": ");
    g_free(words);
}

/* '(-f --filter)'{-f+,--filter=}'[help]:BPF: ' */
static void option(GString *out, const struct option_row *row)
{
    const char *joins = option_argument_is_optional(row) ? "=-" : row->argument ? "=" : "";

    g_string_append(out, "            ");
    if (row->code < 128)
        g_string_append_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->code, row->name, row->code,
                               row->argument ? "+" : "", row->name, joins);
    else
        g_string_append_printf(out, "'--%s%s[", row->name, joins);
    quoted(out, row->help);
    g_string_append_c(out, ']');
    value(out, row);
    g_string_append(out, "'\n");
}

static void arguments_of(GString *out, const struct command *command)
{
    g_string_append_printf(out, "    %s)\n        arguments=(\n", completion_name(command));
    for (const struct option_row *row = options_table; row->name; row++)
        if (completion_accepts(command, row))
            option(out, row);
    g_string_append(out,
                    command->name ? "            '1: : '\n" : "            '1: :_tcpwhy_first'\n");
    for (int position = 1; position <= COMPLETION_NAMES && command->name; position++) {
        char *words = completion_words(command, position);

        /* the command itself is the first */
        if (words)
            g_string_append_printf(out, "            '%d: :(%s)'\n", position + 1, words);
        else
            g_string_append_printf(out, "            '%d:capture:_files'\n", position + 1);
        g_free(words);
    }
    g_string_append(out, "            '*:capture:_files'\n        ) ;;\n");
}

void completion_zsh(GString *out)
{
    g_string_append(out, "#compdef tcpwhy\n"
                         "# zsh completion for tcpwhy, written by 'tcpwhy completion zsh'\n"
                         "_tcpwhy_first()\n"
                         "{\n");
    describe_commands(out);
    g_string_append(out, "    _describe -t commands command commands\n"
                         "    _files\n"
                         "}\n"
                         "_tcpwhy()\n"
                         "{\n"
                         "    local command=" COMPLETION_UNNAMED " word\n"
                         "    local -a arguments\n"
                         "    for word in \"${(@)words[2,CURRENT-1]}\"; do\n"
                         "        case $word in\n");
    g_string_append(out, "        ");
    for (const struct command *const *c = commands + 1; *c; c++)
        g_string_append_printf(out, "%s%s", (*c)->name, c[1] ? "|" : ") command=$word; break ;;\n");
    g_string_append(out, "        esac\n    done\n    case $command in\n");
    for (const struct command *const *c = commands; *c; c++)
        arguments_of(out, *c);
    g_string_append(out, "    esac\n"
                         "    _arguments -s -S \"${arguments[@]}\"\n"
                         "}\n"
                         "if [[ $funcstack[1] == _tcpwhy ]]; then\n"
                         "    _tcpwhy \"$@\"\n"
                         "else\n"
                         "    compdef _tcpwhy tcpwhy\n"
                         "fi\n");
}
