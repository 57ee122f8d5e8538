/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy names: lookups of names, and waits before SYNs.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_NAMES });
}

const struct command command_names = {
    .name = "names",
    .synopsis = "names [OPTION...] CAPTURE...",
    .summary = "DNS lookups, and what connections waited for before their SYN",
    .about =
        "Lists lookups of names (DNS over UDP and TCP): who asked which resolver, what came of "
        "it, how\nlong the answer took, how often it was asked, and the stream that it was "
        "for. Below, what each\nconnection waited for before its SYN: names, and the answers "
        "of next hops (ARP, NDP).",
    .examples = "  tcpwhy names slow.pcap                    every lookup\n"
                "  tcpwhy names --json slow.pcap | jq '.lookups[] | select(.took_ms > 100)'\n",
    .accepts =
        ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_MOST,
    .run = run,
};
