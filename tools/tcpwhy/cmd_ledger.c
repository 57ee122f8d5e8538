/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy ledger: where the time of a whole capture went.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_LEDGER });
}

const struct command command_ledger = {
    .name = "ledger",
    .synopsis = "ledger [OPTION...] CAPTURE...",
    .summary = "where the time went, of the whole capture and of each listener",
    .about =
        "Adds up the lives of all connections: what each cause took, whose it was and how sure\n"
        "that is, of the capture and of each listener.\n"
        "With --folded it gives a stack a line, \"HOST;LISTENER;STREAM;CAUSE MILLISECONDS\", HOST\n"
        "and LISTENER being the server's address and endpoint: time as a flame graph.",
    .examples = "  tcpwhy ledger slow.pcap                   as tables\n"
                "  tcpwhy ledger -f 'port 443' slow.pcap     of one service\n"
                "  tcpwhy ledger --folded slow.pcap | flamegraph.pl --countname=ms > time.svg\n"
                "                                            as a flame graph\n"
                "  tcpwhy ledger --folded slow.pcap > time.txt && speedscope time.txt\n"
                "                                            likewise, to click through\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_FOLDED,
    .run = run,
};
