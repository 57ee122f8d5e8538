/* SPDX-License-Identifier: MIT */
/*
 * How long somebody waited between one client host and one server endpoint, over all of their
 * connections: what a finding is held against. Against a whole capture with thousands of healthy
 * connections one sick service would vanish.
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

/* How long the pair of a finding's key waited; otherwise_ns where there is no such pair. */
tcpwhy_ns tw_pairs_waited(const struct tw_pairs *pairs, const struct tw_finding_row *key,
                          tcpwhy_ns otherwise_ns);

size_t tw_pairs_bytes(const struct tw_pairs *pairs);

#endif
