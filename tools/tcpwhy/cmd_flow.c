/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy flow: a connection as a ladder of arrows.
 */
#include <stdio.h>

#include <string.h>

#include <glib.h>

#include "complain.h"
#include "document.h"
#include "worst.h"

static bool note_frame(void *user, const struct tcpwhy_segment *segment)
{
    g_array_append_val(user, segment->frame);
    return true;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
    const guint32 *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The frames that --show lets pass: a reading of their own, since the analysis needs all. */
static bool find_shown(const struct args *args, GArray *frames, enum exit_code *code)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = document_options(args);
    tcpwhy_report *report;

    options.filter = args->show;
    options.streams = NULL;
    callbacks.on_segment = note_frame;
    callbacks.user = frames;
    options.callbacks = &callbacks;
    report = document_read(args, &options, code);
    if (!report)
        return false;
    tcpwhy_report_free(report);
    g_array_sort(frames, by_number);
    return true;
}

static enum exit_code draw(const struct args *args)
{
    struct args chosen = *args;
    char number[16];
    uint32_t stream = 0;

    if (!args->streams && !args->flow.together && worst_stream(args, args->names[0], &stream)) {
        snprintf(number, sizeof(number), "%u", stream);
        chosen.streams = number;
    }
    return document_run(
        &chosen,
        &(struct document) { .kind = TCPWHY_DOC_FLOW, .keep_exchanges = true, .keep_spans = true });
}

static enum exit_code run(const struct args *args)
{
    static const uint32_t none = 0;
    struct args chosen = *args;
    enum exit_code code;
    GArray *frames;

    if (!args->show)
        return draw(args);
    if (strcmp(args->names[0], "-") == 0) {
        complain("--show: needs a file, which is read twice; not standard input");
        return EXIT_USAGE;
    }
    frames = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (find_shown(args, frames, &code)) {
        chosen.flow.n_show = frames->len;
        chosen.flow.show = frames->len ? (const uint32_t *)(const void *)frames->data : &none;
        code = draw(&chosen);
    }
    g_array_free(frames, TRUE);
    return code;
}

const struct command command_flow = {
    .name = "flow",
    .synopsis = "flow [OPTION...] [-s N] CAPTURE",
    .summary = "flow graph: segments as arrows, gaps with time and cause",
    .about =
        "Draws a connection as a sequence diagram: client left, server right, time "
        "downwards.\nGaps are labelled with their cause, runs of similar segments are folded "
        "into one row.\nWithout -s it shows the stream that lost most time. Short streams are "
        "shown whole, long\nstreams only with their costliest request; --whole shows every "
        "wait of the "
        "verdict.\n-f removes frames from the analysis, which makes verdicts doubtful; --only, "
        "--no-acks and\n--show only hide rows of the graph.",
    .examples = "  tcpwhy flow slow.pcap                     the costliest part\n"
                "  tcpwhy flow -s 4 slow.pcap                costliest part of stream 4\n"
                "  tcpwhy flow -s 4 --svg slow.pcap -o why.svg\n"
                "                                            as a picture\n"
                "  tcpwhy flow -s 4 --whole slow.pcap        the whole stream, folded\n"
                "  tcpwhy flow -s 4 --frames 120-160 --unfold slow.pcap\n"
                "                                            these frames, one row each\n"
                "  tcpwhy flow -s 4 --from 2.5 --to 2.6 slow.pcap\n"
                "                                            a tenth of a second\n"
                "  tcpwhy flow -s 4 --whole --only data slow.pcap\n"
                "                                            only rows with payload\n"
                "  tcpwhy flow --together -f 'port 8080' slow.pcap\n"
                "                                            all streams of that port\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_NDJSON | ACCEPT_FLOW | ACCEPT_RANGE |
               ACCEPT_OUTPUT | ACCEPT_TEXT | ACCEPT_SVG,
    .max_captures = 1,
    .run = run,
};
