/* SPDX-License-Identifier: MIT */
/*
 * Findings of one cause are added up: at one host over its ports and peers, and over all hosts. The
 * costliest cause is the verdict.
 */
#ifndef TW_REPORT_FINDINGS_FINDING_MERGE_H
#define TW_REPORT_FINDINGS_FINDING_MERGE_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/report_rows.h"

/* For a tw_hash_table: findings are the same by cause, party, endpoint and peer. */
uint64_t tw_finding_hash(gconstpointer finding, uint64_t seed);
gboolean tw_finding_same(gconstpointer a, gconstpointer b);

/* The key of all findings of its cause at its host. */
struct tw_finding_row tw_finding_voice(const struct tw_finding_row *finding);

/* The key of all findings of its cause, wherever. */
struct tw_finding_row tw_finding_of_cause(const struct tw_finding_row *finding);

/* @param findings  struct tw_finding_row, one at least, the costliest first. Its share is not set.
 */
struct tcpwhy_verdict tw_worst_cause(const tw_array *findings);

#endif
