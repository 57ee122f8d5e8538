/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy explain: where the time of a connection went.
 */
#include "document.h"

static enum exit_code run(const struct args *args)
{
    /* People read the ledger; programs get each interval of it too. */
    bool keep_spans = args->format != FORMAT_TEXT;

    return document_run(args, &(struct document) { .kind = TCPWHY_DOC_EXPLAIN,
                                                   .keep_spans = keep_spans,
                                                   .rows_are_streams = true });
}

const struct command command_explain = {
    .name = "explain",
    .synopsis = "explain [OPTION...] -s N CAPTURE",
    .summary = "one connection in detail: time by cause, findings",
    .about = "Shows the ledger of a connection: each interval has exactly one cause, so the rows "
             "add up to\nits duration. \"owner\" is the side that can fix it, \"waiting for\" the "
             "side whose data was\nwaited for. \"--why\" shows how each possible cause of a "
             "gap was weighed: the\npart of the gap that it explains, the frame that let the "
             "segment go, and its odds against the\nnext cause, or what refutes it.",
    .examples = "  tcpwhy explain -s 4 slow.pcap             stream 4\n"
                "  tcpwhy explain slow.pcap                  every stream\n"
                "  tcpwhy explain -s 4 --json slow.pcap | jq '.streams[0].spans[]'\n"
                "                                            intervals with cause and frames\n"
                "  tcpwhy explain -s 4 --why=812 slow.pcap   why frame 812 came so late\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_FAIL_ON | ACCEPT_WHY | ACCEPT_MOST,
    .run = run,
};
