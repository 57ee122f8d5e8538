/* SPDX-License-Identifier: MIT */
/*
 * Whatever a caller may ask of a capture: sixteen bytes choose the options of the analysis, the
 * callbacks, a document and the part of it that is shown; the rest is the capture.
 */
#include <assert.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

#define CHOICE 16

/* A call asks for little, so that none costs much. */
#define ROWS_MAX 63

static const char *const streams[] = { NULL, "0", "0,2-3", "1-4294967295", "3-1", "", "x", "7," };
static const char *const filters[] = { NULL, "tcp", "port 80",   "host 10.0.0.1 and not udp",
                                       "((", "",    "tcp[13]=2", "vlan" };
static const char *const words[] = { NULL, "HTTP", "GET", "200", "error", "DNS", "", "\xff" };

struct sink {
    uint64_t sum, calls, stop_after;
    tcpwhy_follow *shown;
};

static bool go_on(struct sink *sink)
{
    return ++sink->calls != sink->stop_after;
}

static bool on_write(void *user, const char *bytes, size_t len)
{
    struct sink *sink = user;

    for (size_t i = 0; i < len; i++)
        sink->sum += (uint8_t)bytes[i];
    return true;
}

static bool on_segment(void *user, const struct tcpwhy_segment *segment)
{
    (void)segment;
    return go_on(user);
}

static bool on_stream(void *user, const struct tcpwhy_stream *stream)
{
    (void)stream;
    return go_on(user);
}

static bool on_finding(void *user, const struct tcpwhy_finding *finding)
{
    (void)finding;
    return go_on(user);
}

static bool on_incident(void *user, const struct tcpwhy_incident *incident)
{
    (void)incident;
    return go_on(user);
}

static bool on_progress(void *user, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return go_on(user);
}

static bool on_follow(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                      const uint8_t *bytes, size_t len)
{
    struct sink *sink = user;

    (void)stream;
    return tcpwhy_follow_bytes(sink->shown, from, frame, bytes, len) == 0 && go_on(sink);
}

static void take_callbacks(struct input *in, struct tcpwhy_callbacks *callbacks, struct sink *sink)
{
    uint8_t which = input_u8(in);

    callbacks->on_segment = which & 1 ? on_segment : NULL;
    callbacks->on_follow = which & 2 ? on_follow : NULL;
    callbacks->on_stream = which & 4 ? on_stream : NULL;
    callbacks->on_finding = which & 8 ? on_finding : NULL;
    callbacks->on_incident = which & 16 ? on_incident : NULL;
    callbacks->on_progress = which & 32 ? on_progress : NULL;
    callbacks->in_batches = which & 64;
    callbacks->user = sink;
    sink->stop_after = which & 128 ? 5 : 0;
}

static void take_options(struct input *in, struct tcpwhy_options *options)
{
    uint8_t keep = input_u8(in), few = input_u8(in), names = input_u8(in);

    options->keep_exchanges = keep & 1;
    options->keep_spans = keep & 2;
    options->wireshark = keep & 4;
    options->keep_weighings = keep & 8;
    options->numeric = keep & 16;
    options->show_values = keep & 32;
    options->follow_decrypted = keep & 64;
    options->memory_bytes = keep & 128;
    options->keep_streams = few & 7;
    options->keep_waits = few >> 3 & 7;
    options->threads = 1 + (few >> 6);
    options->streams = streams[names & 7];
    options->filter = filters[names >> 3 & 7];
    options->weigh_frame = names >> 6;
    options->interval_ns = TCPWHY_S(86400);
}

static void take_flow(struct input *in, struct tcpwhy_flow_options *flow)
{
    static const uint32_t show[] = { 1, 4, 5, 9, 300 };
    uint8_t how = input_u8(in), from = input_u8(in), to = input_u8(in);

    flow->only = (enum tcpwhy_flow_only)(how & 7);
    flow->no_acks = how & 8;
    flow->whole = how & 16;
    flow->unfold = how & 32;
    flow->together = how & 64;
    flow->show = how & 128 ? show : NULL;
    flow->n_show = how & 128 ? sizeof show / sizeof show[0] : 0;
    flow->from_ns = from & 1 ? TCPWHY_MS(1) * from : 0;
    flow->first_frame = from & 2 ? from : 0;
    flow->to_ns = to & 1 ? TCPWHY_MS(9) * to : 0;
    flow->last_frame = to & 2 ? to : 0;
    flow->max_rows = 1 + (from & ROWS_MAX);
}

static void take_graph(struct input *in, struct tcpwhy_graph_options *graph)
{
    uint8_t which = input_u8(in), from = input_u8(in);

    graph->stream = which & 3;
    graph->from = (enum tcpwhy_party)(which >> 2 & 3);
    graph->interval_ns = which & 16 ? TCPWHY_MS(100) : 0;
    graph->max_points = which & 32 ? ROWS_MAX : 0;
    graph->from_ns = from & 1 ? TCPWHY_MS(1) * from : 0;
    graph->to_ns = from & 2 ? TCPWHY_MS(20) * from : 0;
}

static void take_render(struct input *in, const tcpwhy_report *report,
                        struct tcpwhy_render_options *options)
{
    uint8_t look = input_u8(in), only = input_u8(in), which = input_u8(in), rows = input_u8(in);

    options->color = look & 1;
    options->ascii = look & 2;
    options->columns = look >> 2;
    options->only_protocol = words[only & 7];
    options->only_operation = words[only >> 3 & 7];
    options->only_status = only & 64 ? "404" : NULL;
    options->by_operation = only & 128;
    options->graph = (enum tcpwhy_graph)(which % (tcpwhy_graph_count() + 1));
    options->tool = (enum tcpwhy_tool)(which % (tcpwhy_tool_count() + 1));
    options->cause = (enum tcpwhy_cause)which;
    options->failure = (enum tcpwhy_failure_kind)which;
    options->max_rows = rows & ROWS_MAX;
    options->link_bits_per_s = rows & 64 ? 1e6 : 0;
    options->slower_ns = rows & 128 ? TCPWHY_MS(30) : 0;
    options->finding = tcpwhy_report_finding(report, rows & 3);
}

static void render(struct input *in, const tcpwhy_report *report, struct sink *sink)
{
    struct tcpwhy_flow_options flow = TCPWHY_FLOW_INIT;
    struct tcpwhy_graph_options graph = TCPWHY_GRAPH_INIT;
    struct tcpwhy_render_options options = TCPWHY_RENDER_INIT;
    enum tcpwhy_document document;

    take_flow(in, &flow);
    take_graph(in, &graph);
    take_render(in, report, &options);
    document = (enum tcpwhy_document)(input_u8(in) % (TCPWHY_DOC_WATERFALL + 2));
    options.flow_options = &flow;
    options.graph_options = &graph;
    options.more = &report;
    options.n_more = 1;
    for (int f = TCPWHY_FORMAT_TEXT; f <= TCPWHY_FORMAT_HAR + 1; f++) {
        tcpwhy_render(report, document, (enum tcpwhy_format)f, &options, on_write, sink);
        tcpwhy_render(NULL, document, (enum tcpwhy_format)f, &options, on_write, sink);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) }, choice = { input_bytes(&in, CHOICE) };
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_follow_options how = TCPWHY_FOLLOW_INIT;
    struct sink sink = { 0 };
    tcpwhy_report *report = NULL;
    char error[TCPWHY_ERROR_TEXT] = "";
    uint8_t format = input_u8(&choice);
    int status;

    how.format = (enum tcpwhy_follow_format)(format % (TCPWHY_FOLLOW_JSON + 1));
    how.hide[0] = format & 64;
    how.hide[1] = format & 128;
    assert(tcpwhy_follow_new(&how, on_write, &sink, &sink.shown) == 0);
    take_callbacks(&choice, &callbacks, &sink);
    take_options(&choice, &options);
    options.callbacks = &callbacks;
    status =
        tcpwhy_analyze_memory(in.rest.data, in.rest.len, &options, &report, error, sizeof error);
    assert(status == 0 ? report != NULL : status == TCPWHY_ERR_STOPPED || *error);
    tcpwhy_follow_end(sink.shown);
    tcpwhy_follow_free(sink.shown);
    if (report)
        render(&choice, report, &sink);
    tcpwhy_report_free(report);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    if (size <= CHOICE)
        return LLVMFuzzerMutate(data, size, max);
    if (seed % 3 == 0) {
        LLVMFuzzerMutate(data, CHOICE, CHOICE);
        return size;
    }
    return CHOICE +
           mutate_capture(data + CHOICE, size - CHOICE, max - CHOICE, seed, LLVMFuzzerMutate);
}
