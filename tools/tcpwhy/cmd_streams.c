/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy streams: one row a connection.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_STREAMS });
}

const struct command command_streams = {
    .name = "streams",
    .synopsis = "streams [OPTION...] CAPTURE...",
    .summary = "one row a connection: ends, length, bytes, time lost and to what",
    .about = "Lists the connections in a capture, numbered as tshark numbers them (tcp.stream). A "
             "client\n"
             "marked \"?\" was inferred, because the capture does not hold the SYN.\n"
             "A wider terminal, or --width, shows more columns.",
    .examples = "  tcpwhy streams slow.pcap                  every connection\n"
                "  tcpwhy streams -s 0,4-7 slow.pcap         these five\n"
                "  tcpwhy streams --width 160 slow.pcap      with every column\n"
                "  tcpwhy streams --ndjson slow.pcap | jq 'select(.retransmissions > 0)'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_FAIL_ON,
    .run = run,
};
