/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with the capture itself: said first, because it bounds every verdict.
 */
#ifndef TW_REPORT_FACTS_QUALITY_H
#define TW_REPORT_FACTS_QUALITY_H

#include <glib.h>

#include "report/build.h"
#include "report/rows/connection_row.h"

struct tw_quality;

struct tw_quality *tw_quality_new(void);
struct tw_quality *tw_quality_copy(const struct tw_quality *quality);
void tw_quality_free(struct tw_quality *quality);

/* Take what a connection shows when it is told. */
void tw_quality_add(struct tw_quality *quality, const struct tw_connection_row *conn);

/* A bound was reached, and so much gave way. */
void tw_quality_bound(struct tw_quality *quality, enum tw_bound bound, uint64_t count,
                      uint32_t frame);

/* Write the facts, with those of the source and of the frames, into the report. */
void tw_quality_close(struct tw_quality *quality, const struct tw_totals *totals,
                      const struct tw_source *source, struct tcpwhy_report *report);

#endif
