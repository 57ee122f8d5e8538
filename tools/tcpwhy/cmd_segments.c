/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy segments: one row a frame, written while the capture is read.
 */
#include "document.h"
#include "output.h"

/* Lines are as long as they must be, unless --width says otherwise. */
#define LONGEST_LINE 400

struct listing {
    const struct args *args;
    struct tcpwhy_style style;
    bool begun;
};

static void begin(struct listing *l)
{
    if (l->begun)
        return;
    l->begun = true;
    switch (l->args->format) {
    case FORMAT_CSV:
        tcpwhy_render_segment_csv_header(output_write, l->args->output);
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

    begin(l);
    switch (l->args->format) {
    case FORMAT_CSV:
        return tcpwhy_render_segment_csv(segment, output_write, output) == 0;
    case FORMAT_JSON:
        return (first || output_text(output, ",")) &&
               tcpwhy_render_segment_json(segment, output_write, output) == 0;
    case FORMAT_NDJSON:
        return tcpwhy_render_segment_json(segment, output_write, output) == 0;
    default:
        return tcpwhy_render_segment_text(segment, &l->style, output_write, output) == 0;
    }
}

static enum exit_code run(const struct args *args)
{
    struct tcpwhy_options options = document_options(args);
    struct listing listing = { .args = args, .style = args->style };
    enum exit_code code;

    if (!args->wants_width)
        listing.style.columns = LONGEST_LINE;
    options.wireshark = true;
    options.on_segment = row;
    options.user = &listing;
    if (!document_read(args, &options, &code))
        return code;
    begin(&listing);
    if (args->format == FORMAT_JSON)
        output_text(args->output, "]}\n");
    return EXIT_DONE;
}

const struct command command_segments = {
    .name = "segments",
    .synopsis = "segments [OPTION...] CAPTURE",
    .summary = "one row per frame: its class and tshark's labels",
    .about = "Lists every TCP frame with its sequence numbers, its class (data, "
             "retransmission,\nduplicate_ack ...) and the tcp.analysis labels that tshark gives "
             "the same frame.\n--csv uses the column names of tshark -T fields, so that scripts "
             "work with both: a flag is\n1 or empty.",
    .examples =
        "  tcpwhy segments slow.pcap                 every frame\n"
        "  tcpwhy segments -s 4 --csv slow.pcap      stream 4, for a script\n"
        "  tcpwhy segments --ndjson slow.pcap | jq 'select(.class == \"retransmission\")'\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_CSV,
    .max_captures = 1,
    .run = run,
};
