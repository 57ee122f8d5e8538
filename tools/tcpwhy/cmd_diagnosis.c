/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy CAPTURE...: the diagnosis.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_DIAGNOSIS });
}

const struct command command_diagnosis = {
    .synopsis = "[OPTION...] CAPTURE...\n       tcpwhy COMMAND [OPTION...] CAPTURE",
    .about =
        "Says why the TCP connections in a packet capture are slow: what was lost to what, in\n"
        "milliseconds, who can change it, and the frames that prove it.\n"
        "CAPTURE is a pcap or pcapng file, plain or compressed (gzip, zstd, lz4, xz); \"-\" is "
        "standard\n"
        "input. A file that is named like a command is given as ./NAME.",
    .examples = "  tcpwhy slow.pcap                          the diagnosis, worst first\n"
                "  tcpwhy -f 'port 8080' slow.pcap           the frames of port 8080 alone\n"
                "  tcpwhy --json slow.pcap | jq .verdict     the same for programs\n"
                "  tcpdump -w - -c 5000 port 443 | tcpwhy -  straight from a capture tool\n"
                "  tcpwhy --fail-on nagle_delayed_ack:500 test.pcap || exit\n"
                "                                            in a test: exit 3 from 500 ms on\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_FAIL_ON,
    .run = run,
};
