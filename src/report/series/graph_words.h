/* SPDX-License-Identifier: MIT */
/* Names of graphs, curves and units, the same in every format. */
#ifndef TW_REPORT_SERIES_GRAPH_WORDS_H
#define TW_REPORT_SERIES_GRAPH_WORDS_H

#include "base/short_text.h"
#include "report/series/series.h"

enum tw_unit { TW_UNIT_BYTES, TW_UNIT_BITS_PER_SECOND, TW_UNIT_NS };

/* By enum tcpwhy_graph: its name, "Bytes in flight", and the column or member that holds a value:
 * "bytes", "bits_per_second", "rtt_us". */
extern const struct tw_graph_words {
    const char *name, *title, *value;
    enum tw_unit unit;
} tw_graphs[];

/* By enum tw_role: for programs ("window_edge"), for people ("receive window limit"). */
extern const struct tw_role_words {
    const char *name, *title;
} tw_roles[];

/* By enum tw_mark, for programs. */
extern const char *const tw_mark_names[];

/* "19.2 kB", "57.3 Mbit/s", "20.4 ms" */
struct tw_short_text tw_graph_value(enum tw_unit unit, int64_t value);

#endif
