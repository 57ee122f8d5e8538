/* SPDX-License-Identifier: MIT */
/* A curve of a series as SVG. */
#ifndef TW_RENDER_PICTURES_GRAPH_CURVE_H
#define TW_RENDER_PICTURES_GRAPH_CURVE_H

#include "render/pictures/graph_axis.h"
#include "render/writers/svg.h"

struct tw_plot {
    struct tw_svg *svg;
    const struct tw_series *series;
    struct tw_axis x, y;
};

void tw_plot_curve(const struct tw_plot *plot, const struct tw_curve *curve);

/* A piece of the curve for the legend, about 20 pixels wide, its left end at x. */
void tw_plot_sample(struct tw_svg *svg, const struct tw_curve *curve, int x, int y);

#endif
