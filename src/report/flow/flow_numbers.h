/* SPDX-License-Identifier: MIT */
/* Ordinal numbers of rows that repeat: "duplicate ACK #3", "SYN #2". */
#ifndef TW_REPORT_FLOW_FLOW_NUMBERS_H
#define TW_REPORT_FLOW_FLOW_NUMBERS_H

#include "base/array.h"
#include "report/flow/flow_row.h"

/* Sets nth and nth_duplicate of the rows. */
void tw_flow_number_repeats(const struct tw_flow_source *source, uint32_t n_sources,
                            tw_array *rows);

#endif
