/* SPDX-License-Identifier: MIT */
/*
 * Building a report: streams are added in their order, then it is closed.
 */
#ifndef TW_REPORT_BUILD_H
#define TW_REPORT_BUILD_H

#include <tcpwhy/tcpwhy.h>

#include "report/report.h"
#include "report/rows/connection_row.h"
#include "report/rows/traffic.h"
#include "source/source.h"

struct tw_builder;

/* A bound was reached, and this gave way. */
enum tw_bound {
    TW_BOUND_SPLIT,     /* connections told in parts */
    TW_BOUND_FORGOTTEN, /* five-tuples */
    TW_BOUND_ROWS,      /* streams left out of the report */
    TW_BOUND_OPENINGS,  /* connections whose ports were counted in parts */
    TW_BOUND_ENDPOINTS, /* waits of endpoints beyond those told apart */
    TW_BOUND_FAILURES,  /* failures left out of the report */
};

/* What the frames of the whole capture add up to. */
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
    tcpwhy_ns clock_step_ns; /* of the capture's clock; 0: fine ones, or not known */
};

/*
 * options (kept) say what to keep of each stream and whom to tell; traffic holds all frames so far,
 * stays the caller's, and is emptied by the finish.
 */
struct tw_builder *tw_builder_new(const struct tcpwhy_options *options, struct tw_traffic *traffic);
struct tw_builder *tw_builder_copy(const struct tw_builder *builder,
                                   const struct tcpwhy_options *options,
                                   struct tw_traffic *traffic);
void tw_builder_free(struct tw_builder *builder);

/* The number by which the builder knows a connection's listener; connections come in the order of
 * their streams. */
guint tw_builder_listener(struct tw_builder *builder, const struct tw_connection *connection);

/*
 * Take a told story, in any order of streams, and what its row points to; the log too when spans
 * are kept (then told->log is empty). The first, second ... that is the first of its connection
 * gets row 0, 1 ... @return false when a callback asked to stop.
 */
bool tw_builder_tell(struct tw_builder *builder, guint listener, struct tw_connection_row *conn);

/* About what it holds; give way to the memory bound, and say what else did. */
size_t tw_builder_bytes(const struct tw_builder *builder);
void tw_builder_shrink(struct tw_builder *builder);
void tw_builder_note(struct tw_builder *builder, enum tw_bound bound, uint64_t count,
                     uint32_t frame);

/* Close the report and release the builder. source may be NULL. */
tcpwhy_report *tw_builder_finish(struct tw_builder *builder, const char *file,
                                 const struct tw_totals *totals, const struct tw_source *source);

#endif
