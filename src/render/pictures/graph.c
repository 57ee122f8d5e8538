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

static void draw(const struct tw_request *request, struct tw_writer *out)
{
    static void (*const formats[])(const struct tw_graph_job *, struct tw_writer *) = {
        [TCPWHY_FORMAT_SVG] = tw_graph_svg,
        [TCPWHY_FORMAT_CSV] = tw_graph_csv,
        [TCPWHY_FORMAT_JSON] = tw_graph_json,
        [TCPWHY_FORMAT_XPLOT] = tw_graph_xplot,
    };
    struct tw_flow_source source;
    struct tw_series series;

    tw_flow_find(request->report, request->graph.stream, &source);
    tw_series_build(source.stream, source.log, request->options.graph, &request->graph, &series);
    formats[request->format](&(struct tw_graph_job) { request->report, &series, &request->graph },
                             out);
    tw_series_clear(&series);
}

const struct tw_renderer tw_renderer_graph = {
    .document = TCPWHY_DOC_GRAPH,
    .ready = ready,
    .write = { [TCPWHY_FORMAT_SVG] = draw,
               [TCPWHY_FORMAT_CSV] = draw,
               [TCPWHY_FORMAT_JSON] = draw,
               [TCPWHY_FORMAT_XPLOT] = draw },
};
