/* SPDX-License-Identifier: MIT */
/*
 * Finds the stream, has its series computed, and hands it to a format.
 */
#include "base/counts.h"
#include "render/pictures/graph.h"

#include "render/renderer.h"
#include "report/flow/flow.h"

static bool ready(const struct tw_request *request)
{
    struct tw_flow_source source;

    return (unsigned)request->options.graph < TW_N_GRAPHS &&
           tw_flow_find(request->report, request->graph.stream, &source);
}

static void draw(const struct tw_request *request, struct tw_writer *out,
                 void (*format)(const struct tw_graph_job *, struct tw_writer *))
{
    struct tw_flow_source source;
    struct tw_series series;

    tw_flow_find(request->report, request->graph.stream, &source);
    tw_series_build(source.stream, source.log, request->options.graph, &request->graph, &series);
    format(&(struct tw_graph_job) { request->report, &series, &request->graph }, out);
    tw_series_clear(&series);
}

static void svg(const struct tw_request *request, struct tw_writer *out)
{
    draw(request, out, tw_graph_svg);
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    draw(request, out, tw_graph_csv);
}

static void json(const struct tw_request *request, struct tw_writer *out)
{
    draw(request, out, tw_graph_json);
}

static void xplot(const struct tw_request *request, struct tw_writer *out)
{
    draw(request, out, tw_graph_xplot);
}

const struct tw_renderer tw_renderer_graph = {
    .document = TCPWHY_DOC_GRAPH,
    .ready = ready,
    .write = { [TCPWHY_FORMAT_SVG] = svg,
               [TCPWHY_FORMAT_CSV] = csv,
               [TCPWHY_FORMAT_JSON] = json,
               [TCPWHY_FORMAT_XPLOT] = xplot },
};
