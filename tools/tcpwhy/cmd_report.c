/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy report: one page to send to a colleague.
 */
#include "complain.h"
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
    options.keep_weighings = true;
    for (int i = 0; i < args->n_names; i++) {
        reports[n] = document_report(args->names[i], &options, code);
        if (!reports[n])
            continue;
        if (*code == EXIT_DONE && gate_fails(args->fail_on, args->n_fail_on, reports[n]))
            *code = EXIT_FOUND;
        gate_complain(args->fail_on, args->n_fail_on, args->names[i], reports[n]);
        n++;
    }
    return n;
}

static enum exit_code run(const struct args *args)
{
    struct tcpwhy_render_options options = args->render;
    tcpwhy_report *reports[MAX_CAPTURES];
    enum exit_code code = EXIT_DONE;
    size_t n;

    n = analyze(args, reports, &code);
    if (n > 0) {
        options.more = (const tcpwhy_report *const *)&reports[1];
        options.n_more = n - 1;
        check_memory(tcpwhy_render(reports[0], TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, &options,
                                   output_write, args->output));
    }
    for (size_t i = 0; i < n; i++)
        tcpwhy_report_free(reports[i]);
    return code;
}

const struct command command_report = {
    .name = "report",
    .synopsis = "report [OPTION...] CAPTURE... -o FILE.html",
    .summary = "one HTML page: verdict, ledger, graphs of all connections",
    .about = "Writes a self-contained HTML file without network access: the verdict, time by "
             "cause,\nfindings with fixes, a flow graph of the costliest part, a table of "
             "connections to sort and\nfilter, and graphs, flow graph and requests of the selected "
             "connection.\nSeveral captures are put on one page, one after the other.",
    .examples = "  tcpwhy report slow.pcap -o why.html       the page\n"
                "  tcpwhy report -f 'port 8080' slow.pcap -o why.html\n"
                "                                            one service\n"
                "  tcpwhy report client.pcap server.pcap -o why.html\n"
                "                                            both ends on one page\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_FAIL_ON | ACCEPT_OUTPUT | ACCEPT_HTML,
    .format = FORMAT_HTML,
    .max_captures = MAX_CAPTURES,
    .run = run,
};
