/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy causes: what is to be known of each cause, without a capture.
 */
#include "complain.h"
#include "completion.h"
#include "output.h"

static enum exit_code run(const struct args *args)
{
    enum tcpwhy_cause cause = TCPWHY_CAUSE_ANY;

    if (args->n_names > 0 && !tcpwhy_cause_by_name(args->names[0], &cause)) {
        complain("%s: no such cause; 'tcpwhy causes' lists them", args->names[0]);
        return EXIT_USAGE;
    }
    if (args->format == FORMAT_JSON)
        tcpwhy_render_cause_json(cause, output_write, args->output);
    else
        tcpwhy_render_cause_text(cause, &args->style, output_write, args->output);
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
