/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy ledger: where the time of a whole capture went.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    bool operations = args_want_operations(args);

    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_LEDGER,
                                                   .keep_exchanges = operations,
                                                   .keep_spans = operations });
}

const struct command command_ledger = {
    .name = "ledger",
    .synopsis = "ledger [OPTION...] CAPTURE...",
    .summary = "time by cause, for the capture and each listener",
    .about =
        "Adds up the time of all connections by cause, with its owner and confidence, for the "
        "capture\nand for each listener. With --operations, also what requests waited for, "
        "grouped by name, and\nthe slowest of each.\nWith --folded it prints one stack per line, "
        "\"HOST;LISTENER;STREAM;CAUSE MILLISECONDS\",\nwhere HOST and LISTENER are the "
        "server's address and endpoint, for flame graphs.",
    .examples = "  tcpwhy ledger slow.pcap                   as tables\n"
                "  tcpwhy ledger -f 'port 443' slow.pcap     one service\n"
                "  tcpwhy ledger --operations slow.pcap      what requests waited for\n"
                "  tcpwhy ledger --folded slow.pcap | flamegraph.pl --countname=ms > time.svg\n"
                "                                            as a flame graph\n"
                "  tcpwhy ledger --folded slow.pcap > time.txt && speedscope time.txt\n"
                "                                            interactive\n",
    .accepts =
        ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_FOLDED | ACCEPT_SELECT,
    .run = run,
};
