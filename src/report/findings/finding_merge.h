/* SPDX-License-Identifier: MIT */
/*
 * Several findings of one cause at one host (many ports, many peers) speak with one voice; the
 * costliest is the verdict.
 */
#ifndef TW_REPORT_FINDINGS_FINDING_MERGE_H
#define TW_REPORT_FINDINGS_FINDING_MERGE_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "report/report_rows.h"

/* For a GHashTable: findings are the same by cause, party, endpoint and peer. */
guint tw_finding_hash(gconstpointer finding);
gboolean tw_finding_same(gconstpointer a, gconstpointer b);

/* The finding without what one voice does not tell apart. */
struct tw_finding_row tw_finding_voice(const struct tw_finding_row *finding);

/* @param findings  struct tw_finding_row, one at least, the costliest first. Its share is not set.
 */
struct tcpwhy_verdict tw_worst_voice(const GArray *findings);

#endif
