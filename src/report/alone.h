/* SPDX-License-Identifier: MIT */
/*
 * One stream judged as if the capture held nothing else.
 */
#ifndef TW_REPORT_ALONE_H
#define TW_REPORT_ALONE_H

#include "report/materiality.h"
#include "report/report.h"

struct tw_alone; /* storage that serves one stream after the other */

/* for_verdict: nobody reads the findings; they have no advice, details or frames. */
struct tw_alone *tw_alone_new(bool for_verdict);
void tw_alone_free(struct tw_alone *alone);

/* What tw_explain() works in. */
struct tw_explainer *tw_alone_explainer(struct tw_alone *alone);

/* @return findings and verdict of this stream; valid until the next call. */
const struct tcpwhy_report *tw_alone_judge(struct tw_alone *alone,
                                           const struct tcpwhy_stream *stream,
                                           const struct tw_log *log,
                                           const struct tw_weight *weight);

#endif
