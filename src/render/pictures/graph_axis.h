/* SPDX-License-Identifier: MIT */
/* Scales with ticks at round numbers. */
#ifndef TW_RENDER_PICTURES_GRAPH_AXIS_H
#define TW_RENDER_PICTURES_GRAPH_AXIS_H

#include "render/view/graph_words.h"

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

#endif
