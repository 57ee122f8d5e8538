/* SPDX-License-Identifier: MIT */
/* A series to bytes, one function a format. */
#ifndef TW_RENDER_PICTURES_GRAPH_H
#define TW_RENDER_PICTURES_GRAPH_H

#include "render/writers/writer.h"
#include "report/series/series.h"

struct tw_graph_job {
    const tcpwhy_report *report;
    const struct tw_series *series;
    const struct tcpwhy_graph_options *options;
};

void tw_graph_svg(const struct tw_graph_job *job, struct tw_writer *out);
void tw_graph_csv(const struct tw_graph_job *job, struct tw_writer *out);
void tw_graph_json(const struct tw_graph_job *job, struct tw_writer *out);
void tw_graph_xplot(const struct tw_graph_job *job, struct tw_writer *out);

#endif
