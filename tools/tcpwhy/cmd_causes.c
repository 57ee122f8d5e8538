/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy causes: what is to be known of each cause and failure, without a capture.
 */
#include "complain.h"
#include "completion.h"
#include "nearest.h"
#include "output.h"

/* A name may be that of a cause, of a failure, or of both. */
static bool looks_up(const char *name, struct tcpwhy_render_options *options)
{
    bool cause = tcpwhy_cause_by_name(name, &options->cause);

    return tcpwhy_failure_by_name(name, &options->failure) || cause;
}

static enum exit_code run(const struct args *args)
{
    struct tcpwhy_render_options options = args->render;
    bool all = args->n_names == 0;

    if (!all && !looks_up(args->names[0], &options)) {
        complain_of_name(args->names[0], "cause or failure", completion_pages(), "tcpwhy causes");
        return EXIT_USAGE;
    }
    check_memory(tcpwhy_render(NULL, all ? TCPWHY_DOC_CAUSES : TCPWHY_DOC_CAUSE,
                               (enum tcpwhy_format)args->format, &options, output_write,
                               args->output));
    return EXIT_DONE;
}

static char *words(int position)
{
    return position == 1 ? completion_pages() : NULL;
}

const struct command command_causes = {
    .name = "causes",
    .synopsis = "causes [OPTION...] [NAME]",
    .summary = "list of causes and failures: meaning, detection, fix",
    .about = "Lists all causes and failures. With a name: what it means, how it is detected in "
             "packets, what\nonly looks like it, how to confirm it on the host and how to fix it.",
    .examples = "  tcpwhy causes                             one line each\n"
                "  tcpwhy causes nagle_delayed_ack           everything about one\n"
                "  tcpwhy causes idle_forgotten              likewise of a failure\n"
                "  tcpwhy causes --json | jq -r '.causes[].cause'\n",
    .accepts = ACCEPT_JSON,
    .max_captures = 1,
    .run = run,
    .words = words,
};
