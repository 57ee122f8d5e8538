/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy explain: where the time of a connection went.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    /* People read the ledger; programs get each interval of it too. */
    bool keep_spans = args->format != FORMAT_TEXT;

    return document_run(
        args, &(struct document) { .kind = TCPWHY_DOC_EXPLAIN, .keep_spans = keep_spans });
}

const struct command command_explain = {
    .name = "explain",
    .synopsis = "explain [OPTION...] -s N CAPTURE",
    .summary = "one connection: where every millisecond went, and its findings",
    .about = "Shows the ledger of a connection: each interval of its life is charged to one cause, "
             "so the\n"
             "rows add up to its length. \"whose\" names the side that holds the knob, \"sender\" "
             "the side\n"
             "whose data waited.",
    .examples =
        "  tcpwhy explain -s 4 slow.pcap             stream 4\n"
        "  tcpwhy explain slow.pcap                  every stream\n"
        "  tcpwhy explain -s 4 --json slow.pcap | jq '.streams[0].spans[]'\n"
        "                                            each interval, its cause, its frames\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_FAIL_ON,
    .run = run,
};
