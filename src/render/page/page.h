/* SPDX-License-Identifier: MIT */
/* The parts of the page of tcpwhy report, and their data for its script. */
#ifndef TW_RENDER_PAGE_PAGE_H
#define TW_RENDER_PAGE_PAGE_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "base/counts.h"
#include "base/hash_table.h"
#include "render/writers/json.h"
#include "render/writers/terminal_layout.h"
#include "render/writers/writer.h"
#include "report/flow/flow.h"
#include "report/report_rows.h"

/* ---- time by cause, as a stacked bar --------------------------------------------------------- */

/* Time by cause, of one ledger or of several. */
struct tw_cause_sums {
    tcpwhy_ns ns[TW_N_CAUSES];
    tcpwhy_ns total_ns;
};

void tw_cause_sums_add(struct tw_cause_sums *sums, const struct tcpwhy_ledger_entry *entry,
                       size_t n);

/* Causes with any time in them, the costliest first. @return how many. */
size_t tw_cause_sums_order(const struct tw_cause_sums *sums, enum tcpwhy_cause *order);

/* The bar, with its parts in the given order so that bars of several rows compare; its title
 * lists all parts. */
void tw_html_bar(struct tw_writer *out, const struct tw_cause_sums *sums,
                 const enum tcpwhy_cause *order, size_t n_order);

/* ---- the head of a capture: what it is, the verdict, what to know before believing it -------- */

/* File, comment, connections, frames, time. */
void tw_html_capture_head(struct tw_writer *out, const tcpwhy_report *report, const char *name);

/* The sentence, its numbers, facts across connections, capture quality. */
void tw_html_verdict(struct tw_layout *page, const tcpwhy_report *report);

/* ---- connections, worst first, each with its time as a stacked bar --------------------------- */

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

/* ---- data for the script: the flow graph of a stream ----------------------------------------- */

/* Texts that others refer to, each once. */
struct tw_notes {
    tw_hash_table *index; /* text to its place in the list and 1 */
    tw_ptr_array *list;
};

void tw_notes_init(struct tw_notes *notes);
void tw_notes_clear(struct tw_notes *notes);
/* Of a text, which is added if it is new. */
guint tw_notes_place(struct tw_notes *notes, const char *text);
void tw_notes_json(struct tw_json *json, const char *key, const struct tw_notes *notes);

/* "rows" as a member of the object that is open: of the whole stream, about max_rows of them. */
void tw_html_rows(struct tw_json *json, const struct tw_flow_source *source, uint32_t max_rows,
                  struct tw_notes *notes);

/* ---- data: how the causes of a stream's costliest gaps were weighed -------------------------- */

/* As the member "why" of the object that is open: in max_length characters, about, but of one gap
 * at least. Nothing where no weighings were kept. */
void tw_html_why(struct tw_json *json, const struct tw_stream_row *stream, struct tw_notes *notes,
                 size_t max_length);

/* ---- data: the graphs of a stream with the causes behind them -------------------------------- */

struct tw_thin_graphs;

/* All graphs of a stream, thinned until they take at most about max_length characters. */
struct tw_thin_graphs *tw_html_curves_thin(const struct tw_flow_source *source, size_t max_length);
void tw_html_curves_free(struct tw_thin_graphs *graphs);

/* "graphs" and "bands" as members of the object that is open. */
void tw_html_curves(struct tw_json *json, const struct tw_thin_graphs *graphs);

/* "graphs" and "roles": the words that they refer to, once a page. */
void tw_html_curve_words(struct tw_json *json);

/* ---- data of a stream, and of all ------------------------------------------------------------ */

/*
 * One stream as an object of an array, of which graphs and flow graph take about max_length
 * characters.
 * source->log may be NULL: then they are left out.
 */
void tw_html_detail(struct tw_json *json, const tcpwhy_report *report,
                    const struct tw_flow_source *source, struct tw_notes *notes, size_t max_length);

/* streams: struct tw_ranked, those that lost most first; they get most of the remaining size, up
 * to about max_total bytes for the page. */
void tw_html_data(struct tw_writer *page, const tcpwhy_report *report, const tw_array *streams,
                  size_t max_total);

#endif
