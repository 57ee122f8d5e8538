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
    .summary = "response times of each server: percentiles, requests per second, heat map",
    .about = "Prints for each server, beginning with the one that clients contact, what load "
             "generators print:\nmean, standard deviation and percentiles of the response times, "
             "requests and bytes per second,\nconcurrent requests, and requests that were never "
             "answered or took longer than --slower. If each\nrequest opens a connection, also the "
             "phases that ab prints. Then the same by status and by\noperation, and latencies over "
             "time: one column per interval, darker with more requests.",
    .examples = "  tcpwhy latency load.pcap                  every server\n"
                "  tcpwhy latency -f 'port 80' --slower 500ms load.pcap\n"
                "                                            one service, another limit\n"
                "  tcpwhy latency load.pcap -o heat.svg      the heat map as a picture\n"
                "  tcpwhy latency load.pcap -o seconds.csv   over time, for a spreadsheet\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_SVG | ACCEPT_SLOWER,
    .run = run,
};
