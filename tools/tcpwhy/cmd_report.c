/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy report: one page to send to a colleague.
 */
#include "document.h"
#include "output.h"

/* More chapters than this no one reads in one page. */
#define MAX_CAPTURES 32

/* Analyse every capture. @return how many reports there are; *code: what became of the others. */
static size_t analyze(const struct args *args, tcpwhy_report **reports, enum exit_code *code)
{
    struct tcpwhy_options options = document_options(args);
    size_t n = 0;

    options.keep_exchanges = true;
    options.keep_spans = true;
    for (int i = 0; i < args->n_names; i++) {
        reports[n] = document_report(args->names[i], &options);
        if (!reports[n]) {
            *code = EXIT_CANNOT;
            continue;
        }
        if (*code == EXIT_DONE && document_fails(args, reports[n]))
            *code = EXIT_FOUND;
        n++;
    }
    return n;
}

static enum exit_code run(const struct args *args)
{
    tcpwhy_report *reports[MAX_CAPTURES];
    enum exit_code code = EXIT_DONE;
    size_t n;

    n = analyze(args, reports, &code);
    if (n > 0)
        tcpwhy_render_html((const tcpwhy_report *const *)reports, n, output_write, args->output);
    for (size_t i = 0; i < n; i++)
        tcpwhy_report_free(reports[i]);
    return code;
}

const struct command command_report = {
    .name = "report",
    .synopsis = "report [OPTION...] CAPTURE... -o FILE.html",
    .summary = "one page to send: verdict, ledger, graphs of every connection",
    .about =
        "Writes one HTML file that needs no other and asks no network: the verdict, where the "
        "time\n"
        "went, what to change, the worst as a picture, a table of the connections to sort and\n"
        "filter, and of the one that is chosen its graphs, flow graph and exchanges.\n"
        "Several captures stand in one page, one after the other.",
    .examples = "  tcpwhy report slow.pcap -o why.html       the page\n"
                "  tcpwhy report -f 'port 8080' slow.pcap -o why.html\n"
                "                                            of one service\n"
                "  tcpwhy report client.pcap server.pcap -o why.html\n"
                "                                            both ends in one page\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_FAIL_ON | ACCEPT_OUTPUT,
    .format = FORMAT_HTML,
    .max_captures = MAX_CAPTURES,
    .run = run,
};
