/* SPDX-License-Identifier: MIT */
/*
 * A stretch of time in the colours of its causes: in columns of a picture, each of the cause that
 * has most of it, and as a strip true to scale, with a legend that sums each cause up.
 */
#ifndef TW_RENDER_PICTURES_CAUSE_STRIP_H
#define TW_RENDER_PICTURES_CAUSE_STRIP_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "render/writers/svg.h"
#include "report/report_rows.h"

/* Columns [from, to) are of one cause. */
struct tw_cause_piece {
    uint32_t from, to;
    enum tcpwhy_cause cause;
    tcpwhy_ns from_ns, to_ns; /* their times */
};

/* An array of struct tw_cause_piece from left to right, released by the caller; where the stream
 * was not alive there is none. */
tw_array *tw_cause_columns(const struct tw_stream_row *stream, tcpwhy_ns from_ns, tcpwhy_ns to_ns,
                           uint32_t columns);

struct tw_cause_strip {
    const struct tw_stream_row *stream;
    tcpwhy_ns from_ns, to_ns;
    int x, width;
};

tw_cause_set tw_cause_strip_causes(const struct tw_cause_strip *strip);

/* Bar and legend. */
int tw_cause_strip_height(const struct tw_cause_strip *strip);
void tw_cause_strip_draw(struct tw_writer *svg, const struct tw_cause_strip *strip, int y);

/* One of them alone. */
void tw_cause_strip_bar(struct tw_writer *svg, const struct tw_cause_strip *strip, int y,
                        int height);
void tw_cause_strip_legend(struct tw_writer *svg, const struct tw_cause_strip *strip, int y);
int tw_cause_strip_legend_height(const struct tw_cause_strip *strip);

#endif
