/* SPDX-License-Identifier: MIT */
/*
 * The weighings that are kept of a connection: of its costliest gaps, or of the one that ended at a
 * frame.
 */
#ifndef TW_EXPLAIN_WEIGHINGS_H
#define TW_EXPLAIN_WEIGHINGS_H

#include <tcpwhy/report.h>

#include "base/counts.h"

struct tw_weighing {
    struct tcpwhy_weighing gap; /* its hypotheses are these */
    tcpwhy_ns cost_ns;          /* of what is charged to a cause that can be changed */
    struct tcpwhy_hypothesis hypothesis[TW_N_CAUSES];
};

struct tw_weighings {
    uint32_t frame; /* asked for; 0: the costliest gaps */
    uint32_t n;
    bool newest_is_kept;                           /* of all gaps so far the newest, which is */
    uint32_t newest;                               /* this one */
    struct tw_weighing weighing[TCPWHY_WEIGHINGS]; /* costliest first */
};

/* Room for a gap with its ends and cost, in the place of a cheaper or more distant one. @return
 * NULL: it is not among those to keep. */
struct tw_weighing *tw_weighings_place(struct tw_weighings *all, const struct tw_weighing *w);

/* The burst behind the newest gap goes on until a frame. */
void tw_weighings_extend(struct tw_weighings *all, uint32_t burst_frame);

#endif
