/* SPDX-License-Identifier: MIT */
/*
 * A stretch of time in the colours of its causes: a strip true to scale, with a legend that sums
 * each cause up.
 */
#ifndef TW_RENDER_PICTURES_CAUSE_STRIP_H
#define TW_RENDER_PICTURES_CAUSE_STRIP_H

#include <tcpwhy/report.h>

#include "render/writers/svg.h"
#include "report/series/cause_columns.h"

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
