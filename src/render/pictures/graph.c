/* SPDX-License-Identifier: MIT */
/*
 * The public door: finds the stream, has its series computed, and hands it to a format.
 */
#include "base/counts.h"
#include "render/pictures/graph.h"

#include <tcpwhy/tcpwhy.h>

#include "base/options.h"
#include "report/flow/flow.h"

typedef void (*format_fn)(const struct tw_graph_job *, struct tw_writer *);

static const format_fn formats[] = {
    [TCPWHY_GRAPH_SVG] = tw_graph_svg,
    [TCPWHY_GRAPH_CSV] = tw_graph_csv,
    [TCPWHY_GRAPH_JSON] = tw_graph_json,
    [TCPWHY_GRAPH_XPLOT] = tw_graph_xplot,
};

int tcpwhy_render_graph(const tcpwhy_report *report, enum tcpwhy_graph graph,
                        enum tcpwhy_graph_format format, const struct tcpwhy_graph_options *given,
                        tcpwhy_write_fn write, void *user)
{
    struct tcpwhy_graph_options options;
    struct tw_flow_source source;
    struct tw_series series;
    struct tw_writer out;

    if ((unsigned)graph >= TW_N_GRAPHS || (unsigned)format >= G_N_ELEMENTS(formats) ||
        !tw_options_copy(&options, sizeof options, given) ||
        !tw_flow_find(report, options.stream, &source))
        return TCPWHY_ERR_ARGUMENT;
    tw_writer_init(&out, write, user);
    tw_series_build(source.stream, source.log, graph, &options, &series);
    formats[format](&(struct tw_graph_job) { report, &series, &options }, &out);
    tw_series_clear(&series);
    return tw_writer_finish(&out);
}
