/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy: the command line of libtcpwhy.
 */
#include <signal.h>
#include <stdio.h>

#include <glib.h>

#include "complain.h"
#include "confine.h"
#include "deadline.h"
#include "form_by_name.h"
#include "help.h"
#include "output.h"

static void print_version(void)
{
    char sandbox[64];

    sandbox_describe(sandbox, sizeof(sandbox));
    printf("tcpwhy %s\nsandbox: %s\n", tcpwhy_version(), sandbox);
}

int main(int argc, char **argv)
{
    struct output output = { 0 };
    struct args args;
    int code;

    complain_at_the_end();
    /* A reader that goes away ends the output, not the process in the middle of a line. */
    signal(SIGPIPE, SIG_IGN);
    /* a file that may not grow (ulimit -f) is reported like a full disk */
    signal(SIGXFSZ, SIG_IGN);
    if (!args_parse(&args, argc, argv))
        return EXIT_USAGE;
    if (args.wants_version) {
        print_version();
        return output_finish(&output, EXIT_DONE);
    }
    if (args.wants_help) {
        help_print(args.command);
        return output_finish(&output, EXIT_DONE);
    }
    args.output = &output;
    output_prepare(&args);
    if (!output_spares_captures(&args) || !form_by_name(&args) || !output_suits_terminal(&args))
        return EXIT_USAGE;
    if (!args.command->confines_itself) {
        confine(&args);
        deadline_begin(args.timeout_ns);
    }
    code = output_finish(&output, args.command->run(&args));
    g_free(args.keys);
    return code;
}
