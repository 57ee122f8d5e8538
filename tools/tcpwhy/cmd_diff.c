/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy diff: two captures held against each other.
 */
#include "complain.h"
#include "document.h"
#include "output.h"

static void print(const struct args *args, const tcpwhy_report *before, const tcpwhy_report *after)
{
    struct tcpwhy_render_options options = args->render;
    tcpwhy_comparison *comparison;

    check_memory(tcpwhy_compare(before, after, &comparison));
    options.comparison = comparison;
    check_memory(tcpwhy_render(NULL, TCPWHY_DOC_COMPARISON, (enum tcpwhy_format)args->format,
                               &options, output_write, args->output));
    tcpwhy_comparison_free(comparison);
}

static enum exit_code run(const struct args *args)
{
    struct tcpwhy_options options = document_options(args);
    tcpwhy_report *report[2];
    enum exit_code code = EXIT_DONE;

    if (args->n_names < 2) {
        complain("%s: give two captures: tcpwhy %s", args->names[0], args->command->synopsis);
        return EXIT_USAGE;
    }
    for (int i = 0; i < 2; i++)
        report[i] = document_report(args->names[i], &options, &code);
    if (report[0] && report[1])
        print(args, report[0], report[1]);
    if (code == EXIT_DONE && gate_worsens(args->fail_on, args->n_fail_on, report[0], report[1]))
        code = EXIT_FOUND;
    tcpwhy_report_free(report[0]);
    tcpwhy_report_free(report[1]);
    return code;
}

const struct command command_diff = {
    .name = "diff",
    .synopsis = "diff [OPTION...] BEFORE AFTER",
    .summary = "compare two captures: better, worse, and why",
    .about =
        "Compares two captures of a service, listener by listener: response times, and the time "
        "per\ncause, per request and per connection. Shows what got better or worse, and warns if "
        "the\ncaptures are not comparable.\nListeners are matched by endpoint, then by port.",
    .examples = "  tcpwhy diff monday.pcap tuesday.pcap      what changed\n"
                "  tcpwhy diff monday.pcap tuesday.pcap -o page.html\n"
                "                                            as an HTML page\n"
                "  tcpwhy diff -f 'port 443' a.pcap b.pcap   one service\n"
                "  tcpwhy diff --fail-on p99:50ms a.pcap b.pcap\n"
                "                                            exit 3 if p99 grew by 50 ms\n"
                "  tcpwhy diff --json a.pcap b.pcap | jq -r .verdict.sentence\n",
    .accepts =
        ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_HTML | ACCEPT_TEXT | ACCEPT_OUTPUT | ACCEPT_FAIL_ON,
    .max_captures = 2,
    .run = run,
};
