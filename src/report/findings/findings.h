/* SPDX-License-Identifier: MIT */
/*
 * Findings: one cause at one endpoint over all streams, with what it cost and what proves it.
 */
#ifndef TW_REPORT_FINDINGS_FINDINGS_H
#define TW_REPORT_FINDINGS_FINDINGS_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/causes.h"
#include "explain/explain.h"
#include "report/findings/materiality.h"
#include "report/report.h"
#include "report/facts/setups.h"

struct tw_gathering; /* findings in the making */

/*
 * Each finding keeps keep_waits gaps with their frames. most: groups of gaps kept separately by
 * their endpoints; the rest are added up without.
 */
struct tw_gathering *tw_gathering_new(uint32_t keep_waits, guint most);
/* For one stream at a time, with a reset between them; brief when only its verdict is asked for,
 * and the report has no texts. */
struct tw_gathering *tw_gathering_new_alone(bool brief);
struct tw_gathering *tw_gathering_copy(const struct tw_gathering *gathering);
void tw_gathering_free(struct tw_gathering *gathering);

/*
 * Take what one stream's spans cost; told_before has a bit for each enum tcpwhy_cause to which that
 * stream was charged when parts of it were told before.
 */
void tw_gathering_add(struct tw_gathering *gathering, const struct tw_stream_row *stream,
                      const struct tw_log *log, const struct tw_weight *weight,
                      tw_causes told_before);

size_t tw_gathering_bytes(const struct tw_gathering *gathering);
/* Waits that were added up with those of other endpoints, as there were too many of these. */
uint64_t tw_gathering_n_mixed(const struct tw_gathering *gathering);

/*
 * Write the findings, costliest first, and the capture's verdict into the report. setups: what is
 * known of unanswered SYNs; may be NULL. tw_advise_all() gives the findings their words. A report
 * without texts serves its verdict only: its findings have no words, details or frames.
 */
void tw_gathering_close(struct tw_gathering *gathering, const struct tw_setups *setups,
                        struct tcpwhy_report *report);

/* Forget the stream; only of a gathering that is for one at a time. */
void tw_gathering_reset(struct tw_gathering *gathering);

#endif
