/* SPDX-License-Identifier: MIT */
/*
 * Building a report: streams are added in their order, then it is closed.
 */
#ifndef TW_REPORT_BUILD_H
#define TW_REPORT_BUILD_H

#include <tcpwhy/tcpwhy.h>

#include "report/report.h"
#include "report/story.h"
#include "report/traffic.h"
#include "source/source.h"

struct tw_builder;

/* What the frames of the whole capture add up to. */
struct tw_totals {
    uint64_t frames, tcp_frames, bytes;
    int64_t first_ns, last_ns;                             /* since the epoch */
    uint64_t fragments, cut_short, malformed, unsupported; /* frames not dissected to the end */
    uint32_t first_fragment, first_cut_short, first_malformed, first_unsupported;
    uint64_t dropped;  /* packets that never came, as who captured them says */
    uint64_t overlaps; /* fragments that contradict others of their datagram */
    uint32_t first_overlap;
};

/*
 * options (kept) say what to keep of each stream and whom to tell; traffic holds all frames so far,
 * stays the caller's, and is emptied by the finish.
 */
struct tw_builder *tw_builder_new(const struct tcpwhy_options *options, struct tw_traffic *traffic);

/*
 * Take a story; the log becomes the report's when spans are kept (then *log is set to NULL).
 * @return false when a callback asked to stop.
 */
bool tw_builder_add(struct tw_builder *builder, struct tw_story *story);

/* Close the report and release the builder. source may be NULL. */
tcpwhy_report *tw_builder_finish(struct tw_builder *builder, const char *file,
                                 const struct tw_totals *totals, const struct tw_source *source);

#endif
