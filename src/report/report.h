/* SPDX-License-Identifier: MIT */
/*
 * The interface of src/report: connections and their explanations become findings, verdicts,
 * listeners and summaries; storage behind the public views.
 */
#ifndef TW_REPORT_H
#define TW_REPORT_H

#include <pthread.h>

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "app/app.h"
#include "explain/explain.h"
#include "log/log.h"
#include "report/report_rows.h"

struct tw_rows;

/* Public views of a report are made on request: see report_views.h. */
enum tw_view {
    TW_VIEW_CAPTURE,
    TW_VIEW_TRAFFIC,
    TW_VIEW_FINDING,
    TW_VIEW_FAILURE,
    TW_VIEW_STREAM,
    TW_VIEW_LISTENER,
    TW_N_VIEWS,
};

struct tcpwhy_report {
    gint shared; /* how many hold on to it beside its owner */
    struct tw_capture_row capture;
    struct tcpwhy_verdict verdict;
    struct tcpwhy_percentiles latency;
    struct tcpwhy_percentiles good; /* likewise without answers 5xx */
    uint64_t unheard;               /* requests without an answer */
    tw_array *findings;             /* struct tw_finding_row */
    tw_array *failures;             /* struct tw_failure_row */
    gint packed;                    /* are the streams still in rows? */
    struct tw_rows *rows;           /* NULL when not */
    pthread_mutex_t lazy;           /* held while something is made that a reader asks for first */
    gpointer *views[TW_N_VIEWS];    /* by enum tw_view, then by index; NULL until asked for */
    tw_array *streams;              /* struct tw_stream_row: tw_report_streams() fills it */
    bool owns_rows;                 /* what streams point to is none of the blocks */
    tw_array *listeners;            /* struct tw_listener_row */
    const struct tcpwhy_ledger_entry *ledger; /* of all streams; a block */
    size_t n_ledger;
    struct tw_interval_series traffic;
    struct tcpwhy_status_classes status;
    uint16_t only_status;      /* the one status that every answer had; TW_STATUS_* */
    tw_array *ports;           /* struct tcpwhy_ports */
    tw_array *facts;           /* struct tcpwhy_fact */
    tw_array *udp;             /* struct tw_udp_row; NULL: none */
    tw_array *lookups;         /* struct tw_lookup_row; NULL: none, here and below */
    tw_array *before_syn;      /* struct tcpwhy_before_syn */
    tw_hash_table *host_names; /* by struct tcpwhy_endpoint, without a port what DNS called it, with
                                  that of a listener what its clients did; "": not all the same */
    bool numeric;              /* no names beside addresses */
    tw_array *probes;          /* struct tw_probe_group; NULL: none */
    tw_ptr_array
        *logs; /* struct tw_log of each stream, in the order of streams; NULL if not kept */
    tw_string_chunk *texts;
    tw_ptr_array *blocks; /* tw_malloc'd arrays that views point into */
};

/* Release what programs were shown. */
void tw_report_drop_views(tcpwhy_report *report);

#endif
