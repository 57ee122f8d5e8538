/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy flow: a connection as a ladder of arrows.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(
        args,
        &(struct document) { .kind = TCPWHY_DOC_FLOW, .keep_exchanges = true, .keep_spans = true });
}

const struct command command_flow = {
    .name = "flow",
    .synopsis = "flow [OPTION...] -s N CAPTURE",
    .summary = "a flow graph: arrows, silent gaps with their milliseconds and cause",
    .about = "Draws a connection as a ladder: the client stands left, the server right, time runs "
             "down.\n"
             "Silence is drawn as a gap with its cause, runs of alike segments fold into one row. "
             "A short\n"
             "stream is shown whole; of a long one, the exchange that lost most.",
    .examples = "  tcpwhy flow -s 4 slow.pcap                what hurts most in stream 4\n"
                "  tcpwhy flow -s 4 --whole slow.pcap        all of it, folded\n"
                "  tcpwhy flow -s 4 --frames 120-160 --unfold slow.pcap\n"
                "                                            these frames, a row each\n"
                "  tcpwhy flow -s 4 --from 2.5 --to 2.6 slow.pcap\n"
                "                                            a tenth of a second\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_FLOW,
    .run = run,
};
