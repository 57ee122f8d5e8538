/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy exchanges: requests with their responses.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(
        args, &(struct document) { .kind = TCPWHY_DOC_EXCHANGES, .keep_exchanges = true });
}

const struct command command_exchanges = {
    .name = "exchanges",
    .synopsis = "exchanges [OPTION...] CAPTURE...",
    .summary = "requests with their responses: times, sizes, status, percentiles",
    .about =
        "Lists each request with its response, as the client saw them: when the first byte of the\n"
        "request left, when the first and the last byte of the response came. Protocols that "
        "tcpwhy\n"
        "does not know are told apart by turn-taking.",
    .examples = "  tcpwhy exchanges slow.pcap                all of them\n"
                "  tcpwhy exchanges -s 4 slow.pcap           those of stream 4\n"
                "  tcpwhy exchanges --ndjson slow.pcap | jq 'select(.total_ms > 100) | .request'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON,
    .run = run,
};
