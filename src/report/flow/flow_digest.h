/* SPDX-License-Identifier: MIT */
/* A long stream's rows, thinned to the most significant. */
#ifndef TW_REPORT_FLOW_FLOW_DIGEST_H
#define TW_REPORT_FLOW_FLOW_DIGEST_H

#include <stdint.h>

#include "base/array.h"
#include "report/flow/flow_row.h"

/*
 * Leave about max_rows; with the sources of the rows, beside those all silences of their verdicts:
 * silences, the longest of those that lost time first, repairs and the ends, each with the rows
 * around it. What lies between becomes one cut.
 */
void tw_flow_thin_rows(const struct tw_flow_source *source, tw_array *rows, uint32_t max_rows);

#endif
