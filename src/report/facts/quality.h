/* SPDX-License-Identifier: MIT */
/*
 * Flaws of the capture itself: shown first, because they limit every verdict.
 */
#ifndef TW_REPORT_FACTS_QUALITY_H
#define TW_REPORT_FACTS_QUALITY_H

#include <glib.h>

#include "report/report.h"
#include "report/rows/connection_row.h"
#include "source/source.h"

/* A bound was reached, and this gave way. */
enum tw_bound {
    TW_BOUND_SPLIT,     /* connections told in parts */
    TW_BOUND_FORGOTTEN, /* five-tuples */
    TW_BOUND_ROWS,      /* streams left out of the report */
    TW_BOUND_OPENINGS,  /* connections whose ports were counted in parts */
    TW_BOUND_ENDPOINTS, /* gaps of endpoints beyond those kept separately */
    TW_BOUND_FAILURES,  /* failures left out of the report */
    TW_BOUND_LOOKUPS,   /* DNS queries beyond those that are kept */
};

/* Sums over all frames of the capture. */
struct tw_names;
struct tw_udp_flows;

struct tw_totals {
    uint64_t frames, tcp_frames, bytes;
    bool timed;                /* a frame with a time was seen */
    int64_t first_ns, last_ns; /* of the first such and of the last, since the epoch; else 0 */
    tcpwhy_ns latest_ns;       /* of all of them, since the first */
    uint64_t fragments, cut_short, malformed, unsupported; /* frames not dissected to the end */
    uint32_t first_fragment, first_cut_short, first_malformed, first_unsupported;
    uint64_t dropped;  /* packets that never came, as who captured them says */
    uint64_t overlaps; /* fragments that contradict others of their datagram */
    uint32_t first_overlap;
    const struct tw_udp_flows *udp; /* NULL: there were none */
    const struct tw_names *names;   /* NULL: no DNS, ARP or NDP */
    tcpwhy_ns clock_step_ns;        /* of the capture's clock; 0: fine ones, or not known */
};

struct tw_quality;

struct tw_quality *tw_quality_new(void);
struct tw_quality *tw_quality_copy(const struct tw_quality *quality);
void tw_quality_free(struct tw_quality *quality);

/* Add what a finished connection shows. */
void tw_quality_add(struct tw_quality *quality, const struct tw_connection_row *conn);

/* Note that a bound was reached, and the number of items that were dropped for it. */
void tw_quality_bound(struct tw_quality *quality, enum tw_bound bound, uint64_t count,
                      uint32_t frame);

/* Write the facts, with those of the source and of the frames, into the report. */
void tw_quality_close(struct tw_quality *quality, const struct tw_totals *totals,
                      const struct tw_source *source, struct tcpwhy_report *report);

#endif
