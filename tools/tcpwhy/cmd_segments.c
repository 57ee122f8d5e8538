/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy segments: one row a frame, written while the capture is read.
 */
#include <inttypes.h>
#include <stdio.h>

#include "complain.h"
#include "document.h"
#include "output.h"
#include "values.h"

/* Lines are as long as they must be, unless --width says otherwise. */
#define LONGEST_LINE 400

struct listing {
    const struct args *args;
    struct tcpwhy_render_options options;
    bool begun;
    uint64_t n;       /* rows, with those beyond --limit */
    uint32_t highest; /* stream of a row */
};

static bool render(struct listing *l, const struct tcpwhy_segment *segment)
{
    l->options.segment = segment;
    return check_memory(tcpwhy_render(NULL, TCPWHY_DOC_SEGMENT, (enum tcpwhy_format)l->args->format,
                                      &l->options, output_write, l->args->output)) == 0;
}

static void begin(struct listing *l)
{
    if (l->begun)
        return;
    l->begun = true;
    switch (l->args->format) {
    case FORMAT_CSV:
        render(l, NULL);
        break;
    case FORMAT_SCRIPT:
        output_text(l->args->output, "test stream_");
        output_text(l->args->output, l->args->streams);
        output_text(l->args->output, "\n");
        break;
    case FORMAT_JSON:
        output_text(l->args->output,
                    "{\"schema\": \"tcpwhy/1\", \"command\": \"segments\", \"segments\": [\n");
        break;
    case FORMAT_TEXT:
        output_text(
            l->args->output,
            "  frame          ms stream  side   class            segment [tshark's labels]\n");
        break;
    default:
        break;
    }
}

static bool row(void *user, const struct tcpwhy_segment *segment)
{
    struct listing *l = user;
    struct output *output = l->args->output;
    bool first = !l->begun;

    if (l->n++ >= l->args->limit && l->args->limit > 0)
        return true;
    begin(l);
    if (segment->stream > l->highest)
        l->highest = segment->stream;
    if (l->args->format == FORMAT_SCRIPT && !output_text(output, "    "))
        return false;
    if (l->args->format == FORMAT_JSON && !first && !output_text(output, ","))
        return false;
    return render(l, segment);
}

/* Rows that --limit left out are counted. */
static void end(const struct listing *l)
{
    uint64_t limit = l->args->limit;
    bool all = limit == 0 || l->n <= limit;
    char left_out[32];

    snprintf(left_out, sizeof left_out, "%" PRIu64, all ? 0 : l->n - limit);

    if (l->args->format == FORMAT_JSON) {
        output_text(l->args->output, all ? "]}\n" : "], \"left_out\": ");
        output_text(l->args->output, all ? "" : left_out);
        output_text(l->args->output, all ? "" : "}\n");
    } else if (l->args->format == FORMAT_TEXT && !all) {
        output_text(l->args->output, "and ");
        output_text(l->args->output, left_out);
        output_text(l->args->output, " more segments\n");
    }
}

static enum exit_code run(const struct args *args)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = document_options(args);
    struct listing listing = { .args = args, .options = args->render };
    tcpwhy_report *report;
    enum exit_code code;
    uint32_t one;

    if (args->format == FORMAT_SCRIPT &&
        (!args->streams || !value_count(args->streams, 0, UINT32_MAX, &one))) {
        complain("segments: name one stream with -s N; a script tells of one connection");
        return EXIT_USAGE;
    }
    if (!args->wants_width)
        listing.options.columns = LONGEST_LINE;
    options.wireshark = true;
    callbacks.on_segment = row;
    callbacks.user = &listing;
    options.callbacks = &callbacks;
    report = document_read(args, &options, &code);
    if (!report)
        return code;
    begin(&listing);
    end(&listing);
    if (args->format == FORMAT_TEXT)
        document_names(args, report, listing.highest);
    tcpwhy_report_free(report);
    return EXIT_DONE;
}

const struct command command_segments = {
    .name = "segments",
    .synopsis = "segments [OPTION...] CAPTURE",
    .summary = "one row per frame: its class and tshark's labels",
    .about =
        "Lists every TCP frame with its sequence numbers, its class (data, "
        "retransmission,\nduplicate_ack ...) and the tcp.analysis labels that tshark gives "
        "the same frame.\n--csv uses the column names of tshark -T fields, so that scripts "
        "work with both: a flag is\n1 or empty. --script writes one stream as a script, one "
        "segment per line, from\nwhich the unit tests of tcpwhy rebuild it (tests/unit/README.md).",
    .examples =
        "  tcpwhy segments slow.pcap                 every frame\n"
        "  tcpwhy segments -s 4 --csv slow.pcap      stream 4, for a script\n"
        "  tcpwhy segments --ndjson slow.pcap | jq 'select(.class == \"retransmission\")'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_JSON | ACCEPT_NDJSON |
               ACCEPT_CSV | ACCEPT_SCRIPT | ACCEPT_MOST,
    .max_captures = 1,
    .run = run,
};
