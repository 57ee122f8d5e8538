/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with the capture itself: said first, because it bounds every verdict.
 */
#ifndef TW_REPORT_QUALITY_H
#define TW_REPORT_QUALITY_H

#include <glib.h>

#include "report/build.h"

struct tw_quality;

struct tw_quality *tw_quality_new(void);
void tw_quality_free(struct tw_quality *quality);

/* Take what one connection's log shows. */
void tw_quality_add(struct tw_quality *quality, const struct tw_connection *connection,
                    const struct tw_log *log);

/* Write the facts, with those of the source and of the frames, into the report. */
void tw_quality_close(struct tw_quality *quality, const struct tw_totals *totals,
                      const struct tw_source *source, struct tcpwhy_report *report);

#endif
