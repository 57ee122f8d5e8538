/* SPDX-License-Identifier: MIT */
/* Graphs over time: scales with ticks at round numbers, curves as SVG, and formats of their own. */
#ifndef TW_RENDER_PICTURES_GRAPH_H
#define TW_RENDER_PICTURES_GRAPH_H

#include "report/series/graph_words.h"
#include "render/writers/svg.h"
#include "render/writers/writer.h"
#include "report/series/series.h"

struct tw_axis {
    int64_t low, high;   /* values at the ends */
    int at_low, at_high; /* tenths of a pixel there */
    int64_t step;        /* between ticks */
    unsigned decimals;
    unsigned scale; /* power of ten that the labels leave out */
    const char *unit;
};

/* A scale from low to high with about so many ticks; the ends stay as they are. */
struct tw_axis tw_axis_of_values(enum tw_unit unit, int64_t low, int64_t high, unsigned ticks);
struct tw_axis tw_axis_of_time(tcpwhy_ns from_ns, tcpwhy_ns to_ns, unsigned ticks);

/* Where a value stands; within a screen's reach even when it is outside. */
int tw_axis_at(const struct tw_axis *axis, int64_t value);

/* The first tick; further ones are a step apart. */
int64_t tw_axis_first(const struct tw_axis *axis);
struct tw_short_text tw_axis_label(const struct tw_axis *axis, int64_t value);

/* Draw them, with the grid of their ticks: time from top to bottom, its labels at the height of y;
 * values from left to right, their labels left of it, and the rails at left and bottom. */
void tw_axis_draw_time(struct tw_writer *svg, const struct tw_axis *x, int top, int bottom, int y);
void tw_axis_draw_values(struct tw_writer *svg, const struct tw_axis *y, int left, int right);

struct tw_plot {
    struct tw_writer *svg;
    const struct tw_series *series;
    struct tw_axis x, y;
};

void tw_plot_curve(const struct tw_plot *plot, const struct tw_curve *curve);

/* A piece of the curve for the legend, about 20 pixels wide, its left end at x. */
void tw_plot_sample(struct tw_writer *svg, const struct tw_curve *curve, int x, int y);

struct tw_graph_job {
    const tcpwhy_report *report;
    const struct tw_series *series;
    const struct tcpwhy_graph_options *options;
};

void tw_graph_svg(const struct tw_graph_job *job, struct tw_writer *out);
void tw_graph_xplot(const struct tw_graph_job *job, struct tw_writer *out);

#endif
