/* SPDX-License-Identifier: MIT */
/*
 * A finding in the making: the waits of one cause at one endpoint, added up stream by stream.
 */
#ifndef TW_REPORT_FINDINGS_FINDING_ACCUMULATOR_H
#define TW_REPORT_FINDINGS_FINDING_ACCUMULATOR_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "base/counts.h"
#include "base/text.h"
#include "report/findings/carried.h"
#include "report/findings/materiality.h"
#include "report/findings/syn_timer.h"
#include "report/report.h"
#include "report/rows/samples.h"

struct tw_queued;
struct tw_relayed;

/* The key is cause, party, endpoint and peer, without the client's port. */
struct tw_finding_accumulator {
    struct tw_finding_row key;
    struct tw_finding_row finding;
    bool brief; /* for a verdict only: without waits' percentiles and frames, and without details */
    struct tw_samples waits;           /* of each instance */
    uint32_t first_stream, first_span; /* where it shows first: the order of groups */
    tcpwhy_ns worst_stream_ns, this_stream_ns;
    struct tcpwhy_wait worst_wait, this_wait; /* the longest of that stream */
    tw_array *top;     /* struct tcpwhy_wait, the longest of all; NULL until there is one to keep */
    tw_array *details; /* struct tcpwhy_detail; NULL when brief */
    char *repeated;    /* the detail "repeated_request", which it owns; or NULL */
    uint32_t this_stream, details_stream;
    tcpwhy_ns by_confidence[3];
    tcpwhy_ns by_rival[TW_N_CAUSES];
    struct tw_finding_row voice; /* the key of its host, when it is merged by host */
    struct tw_syn_timer_waits timers;
    struct tw_carried carried;     /* by streams whose path was full */
    struct tcpwhy_endpoint behind; /* whose SYNs to it are not answered; version 0: none known */
    tcpwhy_ns behind_ns;           /* what those lost */
    uint32_t
        endpoints; /* endpoints that it stands for, if findings too small alone were added up */
    bool merged;   /* into another: not to be published */
};

/* Causes of the handshake, which belong to the listener whoever its clients are. */
bool tw_finding_accumulator_is_setup(enum tcpwhy_cause cause);

/* The group of a span's cause at its endpoint: key and full endpoints filled, the rest zero. */
void tw_finding_accumulator_describe(const struct tw_stream_row *stream, const struct tw_span *span,
                                     struct tw_finding_row *key, struct tw_finding_row *full);

struct tw_finding_accumulator *tw_finding_accumulator_new(const struct tw_finding_row *key,
                                                          const struct tw_finding_row *full,
                                                          bool brief);
struct tw_finding_accumulator *
tw_finding_accumulator_copy(const struct tw_finding_accumulator *accumulator);
void tw_finding_accumulator_free(gpointer accumulator);

/* A wait of a stream. */
struct tw_finding_accumulator_wait {
    const struct tw_stream_row *stream;
    const struct tw_log *log;
    const struct tw_span *span;
    uint32_t index; /* the span's */
    tcpwhy_ns ns;
    bool told_before; /* the stream is among those counted */
};

/* Add a gap at these endpoints; keep is the number kept with frames. The result does not depend on
 * the order of streams. */
void tw_finding_accumulator_add(struct tw_finding_accumulator *accumulator,
                                const struct tw_finding_row *full,
                                const struct tw_finding_accumulator_wait *wait, uint32_t keep);

/* After each wait: keep the details of its stream while that is the worst, of the direction that
 * waited. */
void tw_finding_accumulator_take_details(struct tw_finding_accumulator *accumulator,
                                         const struct tw_finding_accumulator_wait *wait,
                                         const struct tw_weight *weight);

/* Add all of one group to another at the same host; keep keep waits of both at most. */
void tw_finding_accumulator_merge(struct tw_finding_accumulator *into,
                                  struct tw_finding_accumulator *from, uint32_t keep);

/* The same with another endpoint's: it stands for both, and of their details for the common ones.
 */
void tw_finding_accumulator_stand_for(struct tw_finding_accumulator *into,
                                      struct tw_finding_accumulator *from, uint32_t keep);

/* Say whom its endpoint waited for itself; the chunk owns the text. */
void tw_finding_accumulator_relay(struct tw_finding_accumulator *accumulator,
                                  const struct tw_relayed *relayed, tw_string_chunk *texts);

/* Say that its requests waited for each other. */
void tw_finding_accumulator_queue(struct tw_finding_accumulator *accumulator,
                                  const struct tw_queued *queued);

/* Append the finding to the report. */
void tw_finding_accumulator_publish(struct tw_finding_accumulator *accumulator,
                                    struct tcpwhy_report *report);

#endif
