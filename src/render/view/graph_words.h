/* SPDX-License-Identifier: MIT */
/* Names of graphs, curves and units, the same in every format. */
#ifndef TW_RENDER_VIEW_GRAPH_WORDS_H
#define TW_RENDER_VIEW_GRAPH_WORDS_H

#include "base/short_text.h"
#include "report/series/series.h"

enum tw_unit { TW_UNIT_BYTES, TW_UNIT_BITS_PER_SECOND, TW_UNIT_NS };

enum tw_unit tw_graph_unit(enum tcpwhy_graph graph);
/* "Bytes in flight" */
const char *tw_graph_title(enum tcpwhy_graph graph);
/* "window_edge": for programs. */
const char *tw_role_name(enum tw_role role);
/* "edge of the window": for people. */
const char *tw_role_title(enum tw_role role);
/* "step", "bar", "dot": for programs. */
const char *tw_mark_name(enum tw_mark mark);
/* "19.2 kB", "57.3 Mbit/s", "20.4 ms" */
struct tw_short_text tw_graph_value(enum tw_unit unit, int64_t value);

/* The column or member that holds a value: "bytes", "bits_per_second", "rtt_us". */
const char *tw_graph_value_name(enum tcpwhy_graph graph);

#endif
