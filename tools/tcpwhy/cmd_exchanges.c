/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy exchanges: requests with their responses.
 */
#include "document.h"

/* These forms hold phases alone. */
static bool wants_phases(const struct args *args)
{
    return args->waterfall || args->format == FORMAT_HAR || args->format == FORMAT_SVG;
}

static enum exit_code run(const struct args *args)
{
    return document_run(args,
                        &(struct document) { .kind = wants_phases(args) ? TCPWHY_DOC_WATERFALL
                                                                        : TCPWHY_DOC_EXCHANGES,
                                             .keep_exchanges = true });
}

const struct command command_exchanges = {
    .name = "exchanges",
    .synopsis = "exchanges [OPTION...] CAPTURE...",
    .summary = "requests and responses: times, sizes, status, percentiles",
    .about = "Lists requests with their responses as seen by the client: time from the first byte "
             "of the\nrequest to the first and to the last byte of the response. For unknown "
             "protocols the\nalternation of the two sides delimits requests and responses. "
             "--waterfall divides each as browsers do:\nname, connect, TLS, send, wait, receive.",
    .examples = "  tcpwhy exchanges slow.pcap                all requests\n"
                "  tcpwhy exchanges -s 4 slow.pcap           only stream 4\n"
                "  tcpwhy exchanges --waterfall slow.pcap    phases of each request, and medians\n"
                "  tcpwhy exchanges -o slow.har slow.pcap    for a browser's network panel\n"
                "  tcpwhy exchanges --operations slow.pcap   statements, the slowest first\n"
                "  tcpwhy exchanges --ndjson slow.pcap | jq 'select(.total_ms > 100) | .request'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_SVG | ACCEPT_WATERFALL | ACCEPT_SELECT | ACCEPT_MOST,
    .run = run,
};
