/* SPDX-License-Identifier: MIT */
/*
 * The records of schema tcpwhy/1 that several documents share.
 */
#ifndef TW_RENDER_VIEW_RECORDS_H
#define TW_RENDER_VIEW_RECORDS_H

#include <tcpwhy/report.h>

#include "render/renderer.h"
#include "render/writers/json.h"
#include "report/report_rows.h"

void tw_json_capture(struct tw_json *json, const char *key, const struct tw_capture_row *capture);
void tw_json_verdict(struct tw_json *json, const struct tcpwhy_verdict *verdict);
void tw_json_findings(struct tw_json *json, const struct tw_request *request);
/* The failures. */
void tw_json_failures(struct tw_json *json, const struct tw_request *request);
/* How many rows of a list are not in the document, unless all are. */
void tw_json_left_out(struct tw_json *json, const char *key, uint64_t n);
/* The numbers and texts of a finding, as members of the object that is open. */
void tw_json_details(struct tw_json *json, const struct tw_finding_row *finding);
/* with_traffic: each with its intervals. */
void tw_json_listeners(struct tw_json *json, const tcpwhy_report *report, bool with_traffic);

void tw_json_stream_facts(struct tw_json *json, const struct tw_stream_row *stream);
void tw_json_facts(struct tw_json *json, const tcpwhy_report *report);
void tw_json_ports(struct tw_json *json, const tcpwhy_report *report);
/* whole: of the capture, which knows the bytes on the wire. */
/* open: connections at the end of each interval, or NULL. */
void tw_json_traffic(struct tw_json *json, const struct tw_interval_series *traffic, bool whole,
                     const uint64_t *open);

/* Latencies and, when not NULL, status classes, under that key. */
void tw_json_latency(struct tw_json *json, const char *key,
                     const struct tcpwhy_percentiles *latency,
                     const struct tcpwhy_status_classes *status);

/* All streams, each an object of an array (or a line), with its spans when they were kept; or as an
 * array. */
void tw_json_each_stream(struct tw_json *json, const tcpwhy_report *report, bool with_spans);
void tw_json_streams(struct tw_json *json, const tcpwhy_report *report, bool with_spans);

/* The ledger of one or several streams; shares are of its total. */
void tw_json_ledger(struct tw_json *json, const struct tcpwhy_ledger_entry *entry, size_t n);

/* The intervals of a stream, as they were kept. */
void tw_json_spans(struct tw_json *json, const struct tw_stream_row *stream);

/* Number and endpoints of a stream, as members of the object that is open. */
void tw_json_stream_ends(struct tw_json *json, const struct tw_stream_row *stream);

/* "cause", "party", "direction", "confidence", "rival" of an interval. */
void tw_json_charge(struct tw_json *json, const struct tcpwhy_span *span);

/* A ledger as folded stacks, which flame graph tools read. */
void tw_ledger_folded(const struct tw_request *request, struct tw_writer *out);

#endif
