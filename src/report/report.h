/* SPDX-License-Identifier: MIT */
/*
 * The door of src/report: connections and their explanations to findings, verdicts, listeners and
 * summaries; and the storage behind the public views.
 */
#ifndef TW_REPORT_H
#define TW_REPORT_H

#include <pthread.h>

#include <glib.h>

#include <tcpwhy/report.h>

#include "app/app.h"
#include "explain/explain.h"
#include "log/log.h"

struct tw_rows;

struct tcpwhy_report {
    gint shared; /* how many hold on to it beside its owner */
    struct tcpwhy_capture capture;
    struct tcpwhy_verdict verdict;
    struct tcpwhy_percentiles latency;
    GArray *findings;     /* struct tcpwhy_finding */
    gint packed;          /* are the streams still in rows? */
    struct tw_rows *rows; /* NULL when not */
    pthread_mutex_t unpacking;
    GArray *streams;   /* struct tcpwhy_stream: tcpwhy_report_streams() fills it */
    bool owns_rows;    /* what streams point to is none of the blocks */
    GArray *listeners; /* struct tcpwhy_listener */
    const struct tcpwhy_ledger_entry *ledger; /* of all streams; a block */
    size_t n_ledger;
    struct tcpwhy_traffic traffic;
    struct tcpwhy_status_classes status;
    uint16_t only_status; /* the one status that every answer had; TW_STATUS_* */
    GArray *ports;        /* struct tcpwhy_ports */
    GArray *facts;        /* struct tcpwhy_fact */
    GPtrArray *logs; /* struct tw_log of each stream, in the order of streams; NULL if not kept */
    GStringChunk *texts;
    GPtrArray *blocks; /* g_malloc'd arrays that views point into */
};

/* Hold on to a report: it takes one tcpwhy_report_free() more. From any thread. */
void tw_report_share(tcpwhy_report *report);

#endif
