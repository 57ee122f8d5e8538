/* SPDX-License-Identifier: MIT */
/*
 * Waiting time between one client host and one server endpoint, over all of their connections: a
 * finding is compared with it. Compared with a whole capture of thousands of healthy connections
 * one sick service would vanish.
 */
#ifndef TW_REPORT_FINDINGS_PAIRS_H
#define TW_REPORT_FINDINGS_PAIRS_H

#include <stddef.h>

#include <tcpwhy/report.h>

#include "report/report_rows.h"

struct tw_pairs;

struct tw_pairs *tw_pairs_new(void);
struct tw_pairs *tw_pairs_copy(const struct tw_pairs *pairs);
void tw_pairs_free(struct tw_pairs *pairs);

/* Add the time that a stream's ends waited. most: pairs kept; no new ones beyond. */
void tw_pairs_add(struct tw_pairs *pairs, const struct tw_stream_row *stream, tcpwhy_ns waited_ns,
                  uint64_t most);

/* The waiting time of the pair of a finding's key; otherwise_ns if there is no such pair. */
tcpwhy_ns tw_pairs_waited(const struct tw_pairs *pairs, const struct tw_finding_row *key,
                          tcpwhy_ns otherwise_ns);

size_t tw_pairs_bytes(const struct tw_pairs *pairs);

#endif
