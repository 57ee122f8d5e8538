/* SPDX-License-Identifier: MIT */
/*
 * The options, in the order in which help shows them.
 */
#include "options.h"

#include "args.h"

const struct option_row options_table[] = {
    { 'f', "filter", "BPF", "look only at frames that this filter lets pass: 'port 8080'",
      ACCEPT_CAPTURE },
    { 's', "stream", "N[,M-K]", "look only at these streams, numbered as tshark does",
      ACCEPT_CAPTURE },
    { OPT_JSON, "json", NULL, "answer with one JSON document (schema tcpwhy/1)", ACCEPT_JSON },
    { OPT_NDJSON, "ndjson", NULL, "answer with one JSON object a line", ACCEPT_NDJSON },
    { OPT_CSV, "csv", NULL, "answer with comma-separated values, a header first", ACCEPT_CSV },
    { OPT_SVG, "svg", NULL, "answer with a picture: one SVG file, on standard output", ACCEPT_SVG },
    { OPT_XPLOT, "xplot", NULL, "answer with commands for xplot, as tcptrace writes them",
      ACCEPT_GRAPH },
    { OPT_FOLDED, "folded", NULL, "answer with folded stacks, for flamegraph.pl and speedscope",
      ACCEPT_FOLDED },
    { OPT_RAW, "raw", NULL, "as tshark -z follow,tcp,raw prints it", ACCEPT_BYTES },
    { OPT_HEX, "hex", NULL, "a hex dump", ACCEPT_BYTES },
    { OPT_TEXT, "text", NULL, "text, with what cannot be shown as '.' (the default)",
      ACCEPT_BYTES },
    { OPT_SIDE, "side", "SIDE", "only what the client, or the server, sent", ACCEPT_SIDE },
    { OPT_FROM, "from", "S", "begin that many seconds into the capture (12.5, 900ms)",
      ACCEPT_RANGE },
    { OPT_TO, "to", "S", "end there", ACCEPT_RANGE },
    { OPT_FRAMES, "frames", "N-M", "show only these frames of the stream", ACCEPT_FLOW },
    { OPT_WHOLE, "whole", NULL, "show the whole stream, not the exchange that lost most",
      ACCEPT_FLOW },
    { OPT_UNFOLD, "unfold", NULL, "a row for every frame: fold no runs", ACCEPT_FLOW },
    { OPT_TOGETHER, "together", NULL, "one graph of all streams, a column a host (text and SVG)",
      ACCEPT_FLOW },
    { OPT_ROWS, "rows", "N", "at most so many rows a graph (200)", ACCEPT_FLOW },
    { OPT_INTERVAL, "interval", "S", "width of an interval: 1 when not given (0.5, 100ms)",
      ACCEPT_INTERVAL },
    { OPT_EVIDENCE, "evidence", NULL,
      "write only streams with findings, cut to the frames around them", ACCEPT_ANNOTATE },
    { OPT_AROUND, "around", "N", "with --evidence: so many frames before and after (20)",
      ACCEPT_ANNOTATE },
    { OPT_WAITS, "waits", "N", "comment the N longest waits of each finding (50, --evidence: 10)",
      ACCEPT_ANNOTATE },
    { OPT_FAIL_ON, "fail-on", "CAUSE[:MS]",
      "exit 3 when CAUSE (or 'any') cost at least MS milliseconds", ACCEPT_FAIL_ON },
    { 'o', "output", "FILE", "write there, not to standard output", ACCEPT_OUTPUT },
    { OPT_COLOR, "color", "WHEN", "auto, always or never; NO_COLOR is honoured", 0 },
    { OPT_ASCII, "ascii", NULL, "draw with ASCII characters alone", 0 },
    { OPT_WIDTH, "width", "N", "columns to draw in", 0 },
    { 'h', "help", NULL, "this help; with a command, that command's", 0 },
    { OPT_VERSION, "version", NULL, "print the version", 0 },
    { 0, NULL, NULL, NULL, 0 },
};

_Static_assert(sizeof(options_table) / sizeof(options_table[0]) <= MAX_OPTIONS,
               "args.c keeps a bit for each option");
