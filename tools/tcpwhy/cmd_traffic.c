/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy traffic: what was carried when, and how connections were opened.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_TRAFFIC,
                                                   .keep_exchanges = args_want_operations(args) });
}

const struct command command_traffic = {
    .name = "traffic",
    .synopsis = "traffic [OPTION...] CAPTURE...",
    .summary = "frames, bits and SYNs over time; listeners; client ports",
    .about = "Shows the capture over time: frames, bits, TCP payload without "
             "retransmissions,\nretransmissions, SYNs and unanswered SYNs; then each listener with "
             "the reason of its\nunanswered SYNs, and client hosts that used many ports or reused "
             "them early.\nThe interval is doubled until the capture fits into 4096 intervals; "
             "intervals without\nframes share a row of dashes.\nWith -s, payload, SYNs and "
             "listeners are those of the selected streams; frames and bits are\nthose of the whole "
             "capture, unless -f excludes some.",
    .examples = "  tcpwhy traffic slow.pcap                  per second\n"
                "  tcpwhy traffic --interval 100ms slow.pcap per 0.1 s\n"
                "  tcpwhy traffic -f 'port 443' slow.pcap    one service\n"
                "  tcpwhy traffic --link 100M slow.pcap      use of a link of that rate\n"
                "  tcpwhy traffic --operations slow.pcap     bytes of requests, by name\n"
                "  tcpwhy traffic --csv slow.pcap            as CSV, per listener\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_INTERVAL | ACCEPT_LINK | ACCEPT_SELECT,
    .run = run,
};
