/* SPDX-License-Identifier: MIT */
/* Single waits with the frames that prove them, and the longest of many. */
#ifndef TW_REPORT_FINDINGS_EXAMPLES_H
#define TW_REPORT_FINDINGS_EXAMPLES_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "explain/explain.h"

/* A span as a wait: the frames at its ends, and what ended it when that is another one. */
struct tcpwhy_wait tw_gap_of(uint32_t stream, const struct tw_log *log, const struct tw_span *span);

/* Keep the wait when it is among the longest most; *waits is made with the first. */
void tw_examples_keep(tw_array **waits, const struct tcpwhy_wait *wait, uint32_t most);

/*
 * The waits, longest first, as an array for tw_free(); *waits becomes NULL. One is among them
 * whatever its length: the wait that the finding shows.
 */
struct tcpwhy_wait *tw_examples_finish(tw_array **waits, const struct tcpwhy_wait *shown);

#endif
