/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy flow: a connection as a ladder of arrows.
 */
#include <stdio.h>

#include "document.h"
#include "worst.h"

static enum exit_code run(const struct args *args)
{
    struct args chosen = *args;
    char number[16];
    uint32_t stream = 0;

    if (!args->streams && !args->flow.together && worst_stream(args, args->names[0], &stream)) {
        snprintf(number, sizeof(number), "%u", stream);
        chosen.streams = number;
    }
    return document_run(
        &chosen,
        &(struct document) { .kind = TCPWHY_DOC_FLOW, .keep_exchanges = true, .keep_spans = true });
}

const struct command command_flow = {
    .name = "flow",
    .synopsis = "flow [OPTION...] [-s N] CAPTURE",
    .summary = "flow graph: segments as arrows, gaps with time and cause",
    .about = "Draws a connection as a sequence diagram: client left, server right, time "
             "downwards.\nGaps are labelled with their cause, runs of similar segments are folded "
             "into one row.\nWithout -s it shows the stream that lost most time. Short streams are "
             "shown whole, long\nstreams only with their costliest request.",
    .examples = "  tcpwhy flow slow.pcap                     the costliest part\n"
                "  tcpwhy flow -s 4 slow.pcap                costliest part of stream 4\n"
                "  tcpwhy flow -s 4 --svg slow.pcap -o why.svg\n"
                "                                            as a picture\n"
                "  tcpwhy flow -s 4 --whole slow.pcap        the whole stream, folded\n"
                "  tcpwhy flow -s 4 --frames 120-160 --unfold slow.pcap\n"
                "                                            these frames, one row each\n"
                "  tcpwhy flow -s 4 --from 2.5 --to 2.6 slow.pcap\n"
                "                                            a tenth of a second\n"
                "  tcpwhy flow --together -f 'port 8080' slow.pcap\n"
                "                                            all streams of that port\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_FLOW | ACCEPT_RANGE |
               ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_SVG,
    .max_captures = 1,
    .run = run,
};
