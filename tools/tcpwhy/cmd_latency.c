/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy latency: how long answers took, in figures and over time.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    return document_run(args,
                        &(struct document) { .kind = TCPWHY_DOC_LATENCY, .keep_exchanges = true });
}

const struct command command_latency = {
    .name = "latency",
    .synopsis = "latency [OPTION...] CAPTURE...",
    .summary = "response times of each server: percentiles, requests a second, heat map",
    .about =
        "Prints of each server, the one that users ask first, what load generators print: "
        "mean,\nstandard deviation and percentiles of the response times, requests and bytes a "
        "second,\nrequests at once, requests that were never answered or slower than --slower; "
        "where each\nrequest opens a connection also its parts, as ab has them. Then the same "
        "by status and by\noperation, and latencies over time: a column is an interval, the "
        "denser the more requests.",
    .examples = "  tcpwhy latency load.pcap                  every server\n"
                "  tcpwhy latency -f 'port 80' --slower 500ms load.pcap\n"
                "                                            one service, another limit\n"
                "  tcpwhy latency load.pcap -o heat.svg      the heat map as a picture\n"
                "  tcpwhy latency load.pcap -o seconds.csv   over time, for a spreadsheet\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_SVG | ACCEPT_SLOWER,
    .run = run,
};
