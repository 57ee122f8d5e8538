/* SPDX-License-Identifier: MIT */
/*
 * What documents share, with what they are made of: numbers as text, fields, forms, names, records;
 * words and parts of a page.
 */
#ifndef TW_RENDER_VIEW_VIEW_H
#define TW_RENDER_VIEW_VIEW_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/number.h"
#include "base/text.h"
#include "render/renderer.h"
#include "render/view/names.h"
#include "render/view/records.h"
#include "render/writers/fields.h"
#include "render/writers/form.h"
#include "report/report_rows.h"

/* ---- words and parts of a page --------------------------------------------------------------- */

/* File, connections, frames, duration; then the quality of the capture. */
void tw_text_capture(struct tw_layout *page, const tcpwhy_report *report);

/* Facts across connections, but for one that was told (or NULL); what is wrong with the capture. */
void tw_facts(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report,
              const struct tcpwhy_fact *told);
void tw_quality(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report);

/* Listeners, those that lost most first; client hosts that used many ports. */
void tw_text_listeners(struct tw_layout *page, const tcpwhy_report *report);
void tw_text_ports(struct tw_layout *page, const tcpwhy_report *report);

/* "and 12 more connections", where options kept no more rows. */
void tw_text_say_left_out(struct tw_layout *page, const tcpwhy_report *report);

/* Where the time went; with max_rows (0: all), the rest is summed up in the last. */
void tw_ledger_table(const struct tw_form *form, struct tw_layout *page,
                     const struct tcpwhy_ledger_entry *ledger, size_t n, size_t max_rows);

/* "and 3 more requests" as a paragraph, unless there are none. */
void tw_text_say_more(struct tw_layout *page, uint64_t n, const char *one, const char *many);

/* The response times of all requests; of several listeners each one's own. */
void tw_text_latency(struct tw_layout *page, const tcpwhy_report *report);

/* Words of the above, appended: "21 connections, 3,529 frames in 1.99 s, from ...". */
void tw_text_scope(tw_string *to, const tcpwhy_report *report);
/* The comment of the capture, its lines joined by "; ", cut to a width. */
void tw_text_comment(tw_string *to, const struct tw_capture_row *capture, unsigned width,
                     bool ascii);
/* "1,380 requests, 467/s; response time median 44.0, p75 44.1 ... ms"; then the status classes, if
 * given. */
void tw_text_answered(tw_string *to, const struct tcpwhy_percentiles *latency,
                      const struct tcpwhy_status_classes *status);

/* "GET /a", or "(TLS)" where that is not known, appended. */
void tw_text_request(tw_string *to, const struct tcpwhy_exchange *exchange);

/* Of a report without a stream: why. */
const char *tw_text_no_stream(const tcpwhy_report *report);

/* The same as a paragraph of its own. */
void tw_text_say_no_stream(struct tw_layout *page, const tcpwhy_report *report);

/* "10.9.0.2:8080 (example.com, server)" appended; name may be NULL. */
void tw_text_holder(tw_string *to, const struct tcpwhy_endpoint *endpoint, const char *name,
                    enum tcpwhy_party party);

/* "10.9.0.1:40000 \u2192 10.9.0.2:8080 (example.com)" appended: from that side to the other. */
void tw_text_ends(tw_string *to, const struct tw_stream_row *stream, enum tcpwhy_side from);

/* " at 10.9.0.2:8080 (server)" or " on the path from 10.9.0.2:8080" appended. */
void tw_text_place(tw_string *to, enum tcpwhy_cause cause, const struct tcpwhy_endpoint *endpoint,
                   const char *name, enum tcpwhy_party party);

/* The title of a cause as the beginning of a line, appended. */
void tw_text_title(tw_string *to, enum tcpwhy_cause cause);

/* "1 connection", "20 connections" appended. */
void tw_text_count(tw_string *to, uint64_t n, const char *one, const char *many);

/* Is this cause time lost (bad), a doubt, or time that had to be? */
enum tw_tone tw_text_cause_tone(enum tcpwhy_cause cause);

/* "4 of 12 connections broke: ...". @return false where nothing failed, or a finding says it. */
bool tw_failure_sentence(tw_string *to, const tcpwhy_report *report);

/* ---- findings and failures, in any form ------------------------------------------------------ */

/* By number, costliest first. */
void tw_findings(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report);

/* The most frequent kinds first, each with its first instance; none that a finding reports. */
void tw_failures(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report);

/* Both, as text. */
void tw_text_findings(struct tw_layout *page, const tcpwhy_report *report);

/* ---- lines about a connection: duration, payload, RTT, point of capture, requests, verdict --- */

/* The lines of a connection in their order; words() appends nothing where there is nothing to say.
 */
#define TW_STREAM_LINES 7
extern const struct tw_stream_line {
    const char *label;
    void (*words)(tw_string *to, const struct tw_stream_row *stream);
} tw_stream_lines[TW_STREAM_LINES];

/* Where it was captured: "at the client (certain)". */
void tw_stream_vantage(tw_string *to, const struct tw_stream_row *stream);

/* A connection, as JSON, as a row of a table, and on a page. */
extern const struct tw_field tw_stream_fields[];

/* ---- how the causes of a connection's gaps were weighed -------------------------------------- */

/* Nothing where no weighings were kept. */
void tw_text_why(struct tw_layout *page, const struct tw_stream_row *stream);
/* As the member "why" of the object that is open. */
void tw_json_why(struct tw_json *json, const struct tw_stream_row *stream);

/* One gap: its ends, and its verdict, appended. */
void tw_why_heading(tw_string *text, const struct tw_weighing *weighing);
void tw_why_verdict(tw_string *text, const struct tcpwhy_weighing *gap);
/* The table of the causes that are not refuted, as members "heads" and "rows" of the object that is
 * open. */
void tw_json_why_rows(struct tw_json *json, const struct tw_weighing *weighing);

#endif
