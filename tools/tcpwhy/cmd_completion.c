/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy completion: what a shell needs to complete command lines.
 */
#include <string.h>

#include "complain.h"
#include "completion.h"
#include "output.h"

static enum exit_code run(const struct args *args)
{
    static const struct {
        const char *shell;
        void (*write)(GString *out);
    } shells[] = { { "bash", completion_bash },
                   { "zsh", completion_zsh },
                   { "fish", completion_fish } };
    const char *shell = args->n_names > 0 ? args->names[0] : "";

    for (size_t i = 0; i < G_N_ELEMENTS(shells); i++) {
        GString *text;

        if (strcmp(shell, shells[i].shell) != 0)
            continue;
        text = g_string_new(NULL);
        shells[i].write(text);
        output_text(args->output, text->str);
        g_string_free(text, TRUE);
        return EXIT_DONE;
    }
    complain("completion: %s%sgive a shell: bash, zsh or fish", shell,
             shell[0] ? " is not supported: " : "");
    return EXIT_USAGE;
}

static char *words(int position)
{
    return position == 1 ? g_strdup("bash zsh fish") : NULL;
}

const struct command command_completion = {
    .name = "completion",
    .synopsis = "completion SHELL",
    .summary = "shell completion for bash, zsh or fish",
    .about = "Prints a script that completes commands, options and their values. Packages and "
             "'meson\ninstall' install it; otherwise load it at login.",
    .examples = "  tcpwhy completion bash > ~/.local/share/bash-completion/completions/tcpwhy\n"
                "  tcpwhy completion zsh > /usr/local/share/zsh/site-functions/_tcpwhy\n"
                "  tcpwhy completion fish > ~/.config/fish/completions/tcpwhy.fish\n",
    .accepts = 0,
    .max_captures = 1,
    .run = run,
    .words = words,
};
