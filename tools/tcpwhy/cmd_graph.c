/* SPDX-License-Identifier: MIT */
/*
 * tcpwhy graph: a connection over time.
 */
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "complain.h"
#include "document.h"
#include "nearest.h"
#include "output.h"
#include "values.h"
#include "worst.h"

/* The one stream to draw. @return false when -s names none or several; that has been said. */
static bool choose_stream(const struct args *args, const char *capture, uint32_t *stream)
{
    *stream = 0;
    if (!args->streams) {
        /* When there is none the graph itself says so. */
        worst_stream(args, capture, stream);
        return true;
    }
    if (value_count(args->streams, 0, UINT32_MAX, stream))
        return true;
    complain("--stream %s: give one stream number", args->streams);
    return false;
}

static enum tcpwhy_party side_of(const char *side)
{
    if (!side)
        return TCPWHY_PARTY_NONE;
    return strcmp(side, "client") == 0 ? TCPWHY_PARTY_CLIENT : TCPWHY_PARTY_SERVER;
}

static enum exit_code draw(const struct args *args, const char *capture, enum tcpwhy_graph graph,
                           uint32_t stream)
{
    struct tcpwhy_options options = document_options(args);
    struct tcpwhy_graph_options how = { .struct_size = sizeof(how),
                                        .stream = stream,
                                        .from = side_of(args->side),
                                        .from_ns = args->flow.from_ns,
                                        .to_ns = args->flow.to_ns,
                                        .interval_ns = args->interval_ns };
    struct tcpwhy_render_options render = args->render;
    char number[16];
    enum exit_code refused;
    tcpwhy_report *report;
    int code;

    snprintf(number, sizeof(number), "%u", stream);
    options.streams = number;
    options.keep_spans = true;
    report = document_report(capture, &options, &refused);
    if (!report)
        return refused;
    render.graph = graph;
    render.graph_options = &how;
    code = check_memory(tcpwhy_render(report, TCPWHY_DOC_GRAPH, (enum tcpwhy_format)args->format,
                                      &render, output_write, args->output));
    tcpwhy_report_free(report);
    if (code == TCPWHY_ERR_ARGUMENT) {
        complain("%s: no stream %u; 'tcpwhy streams' lists them", capture, stream);
        return EXIT_CANNOT;
    }
    return EXIT_DONE;
}

/* -s names several: 3,4 or 3-7. */
static bool has_several(const struct args *args)
{
    uint32_t one;

    return args->streams && !value_count(args->streams, 0, UINT32_MAX, &one);
}

static enum exit_code draw_rates(const struct args *args, const char *capture)
{
    struct tcpwhy_options options = document_options(args);
    struct tcpwhy_graph_options how = { .struct_size = sizeof(how),
                                        .from = side_of(args->side),
                                        .from_ns = args->flow.from_ns,
                                        .to_ns = args->flow.to_ns,
                                        .interval_ns = args->interval_ns };
    struct tcpwhy_render_options render = args->render;
    enum exit_code refused;
    tcpwhy_report *report;

    if (args->format == FORMAT_XPLOT) {
        complain("--xplot: only of one stream");
        return EXIT_USAGE;
    }
    options.keep_spans = true;
    report = document_report(capture, &options, &refused);
    if (!report)
        return refused;
    render.graph_options = &how;
    check_memory(tcpwhy_render(report, TCPWHY_DOC_RATES, (enum tcpwhy_format)args->format, &render,
                               output_write, args->output));
    tcpwhy_report_free(report);
    return EXIT_DONE;
}

/* All kinds, parted by blanks. */
static char *kinds(void)
{
    GString *names = g_string_new(NULL);

    for (size_t g = 0; g < tcpwhy_graph_count(); g++)
        g_string_append_printf(names, "%s%s", g > 0 ? " " : "",
                               tcpwhy_graph_name((enum tcpwhy_graph)g));
    return g_string_free(names, FALSE);
}

/* A lone capture asks for the graph that shows most. */
static bool choose_kind(const struct args *args, enum tcpwhy_graph *graph, const char **capture)
{
    *graph = TCPWHY_GRAPH_SEQUENCE;
    *capture = args->names[0];
    if (tcpwhy_graph_by_name(args->names[0], graph)) {
        *capture = args->names[1];
        if (args->n_names < 2)
            complain("no capture given: tcpwhy %s", args->command->synopsis);
        return args->n_names > 1;
    }
    if (args->n_names > 1)
        complain_of_name(args->names[0], "graph", kinds(), "tcpwhy graph --help");
    return args->n_names == 1;
}

static enum exit_code run(const struct args *args)
{
    enum tcpwhy_graph graph;
    const char *capture;
    uint32_t stream;

    if (!choose_kind(args, &graph, &capture))
        return EXIT_USAGE;
    if (args->interval_ns > 0 && graph != TCPWHY_GRAPH_THROUGHPUT) {
        complain("--interval: only for throughput, not for %s", tcpwhy_graph_name(graph));
        return EXIT_USAGE;
    }
    if (graph == TCPWHY_GRAPH_THROUGHPUT && has_several(args))
        return draw_rates(args, capture);
    if (!choose_stream(args, capture, &stream))
        return EXIT_USAGE;
    return draw(args, capture, graph, stream);
}

static char *words(int position)
{
    return position == 1 ? kinds() : NULL;
}

const struct command command_graph = {
    .name = "graph",
    .synopsis = "graph [OPTION...] [KIND] [-s N] CAPTURE",
    .summary = "graph over time: sequence, inflight, window, throughput, rtt, cwnd",
    .about =
        "Draws one direction of a connection over time, with the causes as background "
        "colours.\nKIND is\n  sequence    segments, ACKs, receive window limit, SACK blocks, "
        "retransmissions\n  inflight    bytes in flight at the sender, receive window, limit "
        "found\n  window      receive window and usable window\n  throughput  bits per second, "
        "sent and acknowledged\n  rtt         RTT of segments sent once (Karn's "
        "algorithm), SRTT, RTO\n  cwnd        bounds of cwnd and ssthresh by a replay of the "
        "sender's TCP, "
        "flight, pipe\nDefault: the stream that lost most time, and the direction with more "
        "payload.",
    .examples = "  tcpwhy graph sequence slow.pcap -o why.svg\n"
                "                                            of the costliest stream\n"
                "  tcpwhy graph inflight -s 4 --from 2 --to 3.5 slow.pcap -o why.svg\n"
                "                                            1.5 s of stream 4\n"
                "  tcpwhy graph throughput -s 4 --interval 1s --csv slow.pcap\n"
                "                                            like iperf3 intervals\n"
                "  tcpwhy graph throughput -s 4-7 slow.pcap -o sum.svg\n"
                "                                            several streams and their sum\n"
                "  tcpwhy graph sequence -s 4 --xplot slow.pcap -o why.xpl && xplot.org why.xpl\n",
    .accepts = ACCEPT_CAPTURE | ACCEPT_JSON | ACCEPT_CSV | ACCEPT_SVG | ACCEPT_SIDE | ACCEPT_RANGE |
               ACCEPT_GRAPH | ACCEPT_INTERVAL | ACCEPT_OUTPUT,
    .format = FORMAT_SVG,
    .max_captures = 2,
    .run = run,
    .words = words,
};
