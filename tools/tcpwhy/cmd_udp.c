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
    .summary = "UDP flows: rate, packets a second, loss, order, jitter",
    .about = "Lists UDP flows, a row a direction, those with most bytes first. Loss and order are "
             "told\nwhere the sender counts its datagrams: by RTP's sequence number, iperf3's "
             "count, or the IP\nidentification. Jitter is that of RFC 3550, by the sender's "
             "timestamps (iperf3) or else by\nthe spacing of arrivals.",
    .examples = "  tcpwhy udp call.pcap                      every flow\n"
                "  tcpwhy udp -f 'port 5004' call.pcap -o flows.csv\n"
                "                                            one port, for a spreadsheet\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_MOST,
    .run = run,
};
