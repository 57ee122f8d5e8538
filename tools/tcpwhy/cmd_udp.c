/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy udp: UDP flows.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_UDP });
}

const struct command command_udp = {
    .name = "udp",
    .synopsis = "udp [OPTION...] CAPTURE...",
    .summary = "UDP flows: rate, packets per second, loss, reordering, jitter",
    .about = "Lists UDP flows, one row per direction, most bytes first. Loss and reordering are "
             "shown if the\ndatagrams are numbered: by RTP, by iperf3, or by the IP "
             "identification. Jitter is defined as in\nRFC 3550, from the sender's timestamps "
             "(iperf3) or else from the spacing of arrivals.",
    .examples = "  tcpwhy udp call.pcap                      every flow\n"
                "  tcpwhy udp -f 'port 5004' call.pcap -o flows.csv\n"
                "                                            one port, for a spreadsheet\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_MOST,
    .run = run,
};
