/* SPDX-License-Identifier: MIT */
/*
 * Findings of one cause are added up: at one host over its ports and peers, and over all hosts. The
 * costliest cause is the verdict.
 */
#ifndef TW_REPORT_FINDINGS_FINDING_MERGE_H
#define TW_REPORT_FINDINGS_FINDING_MERGE_H

#include <glib.h>

#include <tcpwhy/report.h>

/* For a GHashTable: findings are the same by cause, party, endpoint and peer. */
guint tw_finding_hash(gconstpointer finding);
gboolean tw_finding_same(gconstpointer a, gconstpointer b);

/* The key of all findings of its cause at its host. */
struct tcpwhy_finding tw_finding_voice(const struct tcpwhy_finding *finding);

/* The key of all findings of its cause, wherever. */
struct tcpwhy_finding tw_finding_of_cause(const struct tcpwhy_finding *finding);

/* @param findings  struct tcpwhy_finding, one at least, the costliest first. Its share is not set.
 */
struct tcpwhy_verdict tw_worst_cause(const GArray *findings);

#endif
