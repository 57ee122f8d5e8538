/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy as: a capture in the layout of another tool.
 */
#include <glib.h>

#include "complain.h"
#include "document.h"

static enum exit_code run(const struct args *args)
{
    struct args rest = *args;

    if (args->n_names == 0 || !tcpwhy_tool_by_name(args->names[0], &rest.render.tool)) {
        complain("%s: no such tool: give wrk, ab, hping3, iperf3, traceroute or ss before the "
                 "capture",
                 args->n_names ? args->names[0] : "as");
        return EXIT_USAGE;
    }
    if (args->n_names < 2) {
        complain("no capture given: tcpwhy %s", args->command->synopsis);
        return EXIT_USAGE;
    }
    rest.names++;
    rest.n_names--;
    return document_run(
        &rest,
        &(struct document) { .kind = TCPWHY_DOC_AS, .keep_exchanges = true, .keep_spans = true });
}

static char *words(int position)
{
    GString *names = position == 1 ? g_string_new(NULL) : NULL;

    if (!names)
        return NULL;
    for (size_t i = 0; i < tcpwhy_tool_count(); i++)
        g_string_append_printf(names, "%s%s", i > 0 ? " " : "",
                               tcpwhy_tool_name((enum tcpwhy_tool)i));
    return g_string_free(names, FALSE);
}

const struct command command_as = {
    .name = "as",
    .synopsis = "as [OPTION...] TOOL CAPTURE",
    .summary = "print a capture like wrk, ab, hping3, iperf3, traceroute or ss",
    .about = "Prints what a capture shows in the layout of a measuring tool:\n"
             "  wrk         latencies with wrk's correction, requests and bytes per second\n"
             "  ab          connect, processing, waiting, total; percentiles\n"
             "  hping3      SYN probes and their answers\n"
             "  iperf3      bytes, bits/s, Retr and Cwnd per stream and second\n"
             "  traceroute  hops that answered SYNs with a small TTL\n"
             "  ss          connections at the end of the capture\n"
             "Below the figures it explains why those of the tool itself differ.",
    .examples = "  tcpwhy as wrk load.pcap                   next to wrk's own report\n"
                "  tcpwhy as iperf3 sender.pcap              Retr and Cwnd where iperf3 had none\n"
                "  tcpwhy as traceroute trace.pcap           the hops\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_SLOWER | ACCEPT_INTERVAL,
    .max_captures = 2,
    .run = run,
    .words = words,
};
