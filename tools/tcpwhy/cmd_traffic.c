/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy traffic: what was carried when, and how connections were opened.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_TRAFFIC });
}

const struct command command_traffic = {
    .name = "traffic",
    .synopsis = "traffic [OPTION...] CAPTURE...",
    .summary = "frames, bits and SYNs a second; listeners; client ports",
    .about =
        "Shows the capture over time: all its frames and bits, the payload that TCP carried\n"
        "(what was sent again is not counted twice), retransmissions, SYNs and how many of them\n"
        "nobody answered; then each listener with what its unanswered SYNs mean, and the client\n"
        "hosts that used many ports or used them again soon.\n"
        "Intervals are doubled until the capture fits into 4096 of them; those without a frame\n"
        "share a row of dashes.\n"
        "With -s payload, SYNs and listeners are of those streams alone; frames and bits are\n"
        "of the whole capture all the same, unless -f leaves some out.",
    .examples = "  tcpwhy traffic slow.pcap                  second by second\n"
                "  tcpwhy traffic --interval 100ms slow.pcap ten times as fine\n"
                "  tcpwhy traffic -f 'port 443' slow.pcap    one service\n"
                "  tcpwhy traffic --csv slow.pcap            for a spreadsheet, listeners too\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_CSV | ACCEPT_INTERVAL,
    .run = run,
};
