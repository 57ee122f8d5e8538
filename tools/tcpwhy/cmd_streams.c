/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy streams: one row a connection.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(
        args, &(struct document) { .kind = TCPWHY_DOC_STREAMS, .rows_are_streams = true });
}

const struct command command_streams = {
    .name = "streams",
    .synopsis = "streams [OPTION...] CAPTURE...",
    .summary = "one row per connection: endpoints, duration, bytes, lost time, cause",
    .about = "Lists the connections in a capture with tshark's stream numbers (tcp.stream). A "
             "client\nmarked \"?\" is inferred, because the SYN was not captured.\nA wider "
             "terminal, or --width, shows more columns.",
    .examples = "  tcpwhy streams slow.pcap                  every connection\n"
                "  tcpwhy streams -s 0,4-7 slow.pcap         these five\n"
                "  tcpwhy streams --width 160 slow.pcap      all columns\n"
                "  tcpwhy streams --ndjson slow.pcap | jq 'select(.retransmissions > 0)'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_FAIL_ON | ACCEPT_MOST,
    .run = run,
};
