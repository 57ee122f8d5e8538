/* SPDX-License-Identifier: MIT */
/*
 * Captures in, documents out. Several captures give several texts, several lines, or one JSON
 * document that holds them all.
 */
#include "document.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "output.h"

struct tcpwhy_options document_options(const struct args *args)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;

    options.filter = args->filter;
    options.streams = args->streams;
    options.keys = args->keys;
    options.show_values = args->values;
    options.numeric = args->numeric;
    options.interval_ns = args->interval_ns;
    options.memory_bytes = args->memory_bytes;
    options.unpack_bytes = args->unpack_bytes;
    options.threads = args->threads;
    options.keep_exchanges = gate_asks_operations(args->fail_on, args->n_fail_on);
    return options;
}

void document_complain(const char *error)
{
    bool named = strncmp(error, "tcpwhy: ", 8) == 0;

    complain("%s", error + (named ? 8 : 0));
}

/* A filter that does not compile is a wrong argument, whatever the capture. */
static enum exit_code code_of(int error)
{
    return error == TCPWHY_ERR_FILTER ? EXIT_USAGE : EXIT_CANNOT;
}

tcpwhy_report *document_report(const char *capture, const struct tcpwhy_options *options,
                               enum exit_code *code)
{
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;
    int result = tcpwhy_analyze_file(capture, options, &report, error, sizeof error);

    if (result == 0)
        return report;
    document_complain(error);
    *code = code_of(result);
    return NULL;
}

tcpwhy_report *document_read(const struct args *args, const struct tcpwhy_options *options,
                             enum exit_code *code)
{
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;
    int result = tcpwhy_analyze_file(args->names[0], options, &report, error, sizeof error);

    *code = result == 0 || result == TCPWHY_ERR_STOPPED ? EXIT_DONE : code_of(result);
    if (result == 0)
        return report;
    if (result != TCPWHY_ERR_STOPPED)
        document_complain(error);
    return NULL;
}

struct naming {
    struct output *output;
    uint32_t highest;
};

static bool print_name(void *user, const struct tcpwhy_stream *s)
{
    const struct naming *naming = user;
    char server[TCPWHY_ENDPOINT_TEXT], line[TCPWHY_ENDPOINT_TEXT + 320];

    if (!s->server_name || s->stream > naming->highest)
        return true;
    tcpwhy_endpoint_format(&s->server, server);
    snprintf(line, sizeof(line), "stream %" PRIu32 ": server %s (%s)\n", s->stream, server,
             s->server_name);
    return output_text(naming->output, line);
}

void document_names(const struct args *args, const tcpwhy_report *report, uint32_t highest)
{
    struct naming naming = { args->output, highest };

    tcpwhy_report_visit_streams(report, print_name, &naming);
}

static int print(const struct args *args, const struct document *document,
                 const tcpwhy_report *report)
{
    struct tcpwhy_render_options options = args->render;
    const struct tcpwhy_graph_options rows = { .struct_size = sizeof(rows),
                                               .interval_ns = args->interval_ns };

    options.max_rows = args->limit;
    options.flow_options = &args->flow;
    options.graph_options = &rows;
    return check_memory(tcpwhy_render(report, document->kind, (enum tcpwhy_format)args->format,
                                      &options, output_write, args->output));
}

/* Streams, or a filter, that no connection of the capture answers to. */
static bool asked_in_vain(const struct args *args, const char *capture, const tcpwhy_report *report)
{
    if ((!args->streams && !args->filter) || tcpwhy_report_stream_count(report) > 0)
        return false;
    complain("%s: no connection that -%c %s selects", capture, args->streams ? 's' : 'f',
             args->streams ? args->streams : args->filter);
    return true;
}

/* Begin the frame around the documents of several captures. */
static void begin(const struct args *args)
{
    if (args->format != FORMAT_JSON || args->n_names < 2)
        return;
    output_text(args->output, "{\"schema\": \"tcpwhy/1\", \"command\": \"");
    output_text(args->output, args->command->name ? args->command->name : "diagnosis");
    output_text(args->output, "\", \"documents\": [\n");
}

static void between(const struct args *args)
{
    if (args->format == FORMAT_JSON)
        output_text(args->output, ",\n");
    else if (args->format == FORMAT_TEXT)
        output_text(args->output, "\n");
}

static void end(const struct args *args)
{
    if (args->format == FORMAT_JSON && args->n_names > 1)
        output_text(args->output, "]}\n");
}

/* More than the first screen shows of them. */
#define SHOWN_STREAMS 16

enum exit_code document_run(const struct args *args, const struct document *document)
{
    struct tcpwhy_options options = document_options(args);
    enum exit_code code = EXIT_DONE;
    int printed = 0, stopped = 0;

    options.keep_exchanges |= document->keep_exchanges;
    options.keep_spans = document->keep_spans;
    options.keep_weighings = args->why;
    options.weigh_frame = args->why_frame;
    if (document->kind == TCPWHY_DOC_DIAGNOSIS && args->format == FORMAT_TEXT &&
        !options.keep_exchanges)
        options.keep_streams = SHOWN_STREAMS;
    if (args->limit > 0 && document->rows_are_streams)
        options.keep_streams = args->limit;
    for (int i = 0; i < args->n_names && !stopped; i++) {
        tcpwhy_report *report = document_report(args->names[i], &options, &code);

        if (!report)
            continue;
        if (printed++ == 0)
            begin(args);
        else
            between(args);
        stopped = print(args, document, report);
        if (code == EXIT_DONE && asked_in_vain(args, args->names[i], report))
            code = EXIT_CANNOT;
        else if (code == EXIT_DONE && gate_fails(args->fail_on, args->n_fail_on, report))
            code = EXIT_FOUND;
        gate_complain(args->fail_on, args->n_fail_on, args->names[i], report);
        tcpwhy_report_free(report);
    }
    if (printed > 0)
        end(args);
    return code;
}
