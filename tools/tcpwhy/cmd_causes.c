/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy causes: what is to be known of each cause, without a capture.
 */
#include "completion.h"
#include "nearest.h"
#include "output.h"

static enum exit_code run(const struct args *args)
{
    struct tcpwhy_render_options options = args->render;
    bool all = args->n_names == 0;

    if (!all && !tcpwhy_cause_by_name(args->names[0], &options.cause)) {
        complain_of_name(args->names[0], "cause", completion_causes(), "tcpwhy causes");
        return EXIT_USAGE;
    }
    tcpwhy_render(NULL, all ? TCPWHY_DOC_CAUSES : TCPWHY_DOC_CAUSE,
                  (enum tcpwhy_format)args->format, &options, output_write, args->output);
    return EXIT_DONE;
}

static char *words(int position)
{
    return position == 1 ? completion_causes() : NULL;
}

const struct command command_causes = {
    .name = "causes",
    .synopsis = "causes [OPTION...] [NAME]",
    .summary = "list of causes: meaning, detection, confirmation, fix",
    .about = "Lists all causes. With a name: what it means, how it is detected in packets, what "
             "only looks\nlike it, how to confirm it on the host and how to fix it.",
    .examples = "  tcpwhy causes                             one line each\n"
                "  tcpwhy causes nagle_delayed_ack           everything about one\n"
                "  tcpwhy causes --json | jq -r '.causes[].cause'\n",
    .accepts = ACCEPT_JSON,
    .max_captures = 1,
    .run = run,
    .words = words,
};
