/* SPDX-License-Identifier: MIT */
/*
 * One stream judged as if the capture held nothing else.
 */
#ifndef TW_REPORT_FINDINGS_CONNECTION_FINDINGS_H
#define TW_REPORT_FINDINGS_CONNECTION_FINDINGS_H

#include "report/findings/materiality.h"
#include "report/report.h"

struct tw_connection_findings; /* storage that serves one stream after the other */

/* for_verdict: nobody reads the findings; they have no advice, details or frames. */
struct tw_connection_findings *tw_connection_findings_new(bool for_verdict);
void tw_connection_findings_free(struct tw_connection_findings *per_connection);

/* The working memory of tw_explain(). */
struct tw_explainer *
tw_connection_findings_explainer(struct tw_connection_findings *per_connection);

/* @return findings and verdict of this stream; valid until the next call. */
const struct tcpwhy_report *
tw_connection_findings_judge(struct tw_connection_findings *per_connection,
                             const struct tw_stream_row *stream, const struct tw_log *log,
                             const struct tw_weight *weight);

#endif
