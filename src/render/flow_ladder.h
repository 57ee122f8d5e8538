/* SPDX-License-Identifier: MIT */
/*
 * The ladder of a flow graph in text: frame and time on the left, two rails with arrows and gaps
 * between them, a note on the right.
 */
#ifndef TW_RENDER_FLOW_LADDER_H
#define TW_RENDER_FLOW_LADDER_H

#include <tcpwhy/report.h>

#include "log/log.h"
#include "render/page.h"
#include "report/flow.h"

struct tw_glyphs;

struct tw_ladder {
    struct tw_page *page;
    const struct tw_glyphs *glyphs;
    const struct tcpwhy_stream *stream;
    const struct tw_log *log;
    tcpwhy_ns zero_ns, shown_ns;
    unsigned frame_width, left, right; /* columns of the rails */
};

/* Set columns and glyphs; the rest of the ladder is the caller's to fill. */
void tw_ladder_lay_out(struct tw_ladder *l, const struct tw_flow *flow);

/* The hosts above the rails. */
void tw_ladder_hosts(struct tw_ladder *l);

/* A row is a frame's number and time, an arrow with its label near the sender, and a note. */
void tw_ladder_frame(struct tw_ladder *l, const struct tw_record *r);
void tw_ladder_arrow(struct tw_ladder *l, enum tcpwhy_side from, const char *label, bool folded,
                     enum tw_tone tone);
void tw_ladder_note(struct tw_ladder *l, enum tw_tone tone, const char *text);

/* Or broken rails with words between them. */
void tw_ladder_gap(struct tw_ladder *l, const char *text, enum tw_tone tone, const char *beside);

#endif
