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
        "Lists DNS lookups over UDP and TCP: client, resolver, result, response time, number of "
        "tries, and\nthe stream that the lookup was for. Below that, the delay of each "
        "connection before its SYN: name\nlookups, and ARP or NDP for the next hop.",
    .examples = "  tcpwhy names slow.pcap                    every lookup\n"
                "  tcpwhy names --json slow.pcap | jq '.lookups[] | select(.took_ms > 100)'\n",
    .accepts =
        ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_MOST,
    .run = run,
};
