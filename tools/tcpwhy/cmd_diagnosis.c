/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy CAPTURE...: the diagnosis.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(
        args, &(struct document) { .kind = TCPWHY_DOC_DIAGNOSIS, .rows_are_streams = true });
}

const struct command command_diagnosis = {
    .synopsis = "[OPTION...] CAPTURE...\n       tcpwhy COMMAND [OPTION...] CAPTURE",
    .about =
        "Explains why TCP connections in a packet capture are slow: the causes with the time "
        "each\ncost, the side that can fix it, and the frames that prove it.\nCAPTURE is a "
        "pcap or pcapng file or one of Solaris snoop, Microsoft Network Monitor, Sniffer,\nERF, "
        "OmniPeek, Observer and others, plain or compressed (gzip, zstd, lz4, xz); \"-\" is\n"
        "standard input. Give a file with the name of a command as ./NAME.",
    .examples = "  tcpwhy slow.pcap                          the diagnosis, costliest first\n"
                "  tcpwhy -f 'port 8080' slow.pcap           only port 8080\n"
                "  tcpwhy --json slow.pcap | jq .verdict     for programs\n"
                "  tcpdump -w - -c 5000 port 443 | tcpwhy -  from a capture tool\n"
                "  tcpwhy --fail-on nagle_delayed_ack:500 test.pcap || exit\n"
                "                                            in a test: exit 3 from 500 ms\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_FAIL_ON | ACCEPT_MOST,
    .run = run,
};
