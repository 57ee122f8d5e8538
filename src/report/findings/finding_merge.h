/* SPDX-License-Identifier: MIT */
/*
 * Several findings of one cause at one host (many ports, many peers) speak with one voice; the
 * costliest is the verdict.
 */
#ifndef TW_REPORT_FINDINGS_FINDING_MERGE_H
#define TW_REPORT_FINDINGS_FINDING_MERGE_H

#include <glib.h>

#include <tcpwhy/report.h>

/* For a GHashTable: findings are the same by cause, party, endpoint and peer. */
guint tw_finding_hash(gconstpointer finding);
gboolean tw_finding_same(gconstpointer a, gconstpointer b);

/* The finding without what one voice does not tell apart. */
struct tcpwhy_finding tw_finding_voice(const struct tcpwhy_finding *finding);

/* @param findings  struct tcpwhy_finding, one at least, the costliest first. Its share is not set.
 */
struct tcpwhy_verdict tw_worst_voice(const GArray *findings);

#endif
