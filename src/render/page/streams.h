/* SPDX-License-Identifier: MIT */
/* The connections of a capture as a table, worst first, each with its time as a stacked bar. */
#ifndef TW_RENDER_PAGE_STREAMS_H
#define TW_RENDER_PAGE_STREAMS_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "render/page/ledger.h"
#include "report/report_rows.h"

/* Streams with graphs: for more of them the graphs would be too coarse. */
#define TW_HTML_MAX_DETAILED 300

struct tw_ranked {
    const struct tw_stream_row *stream;
};

/*
 * All streams of a report as struct tw_ranked, those that lost most first, but those that the
 * costliest findings name never beyond the detailed ones; released by the caller.
 */
tw_array *tw_html_worst_first(const tcpwhy_report *report);

/* sums: of the whole capture, for the order of the colours. prefix: of the page's ids. */
void tw_html_streams(struct tw_writer *out, const tw_array *streams,
                     const struct tw_cause_sums *sums, const char *prefix);

#endif
