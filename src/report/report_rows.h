/* SPDX-License-Identifier: MIT */
/*
 * Rows of a report as the library itself keeps them: lists follow each other in memory. Their
 * fields mean what those of the public struct of that name do, which report/views/ makes of them.
 */
#ifndef TW_REPORT_REPORT_ROWS_H
#define TW_REPORT_REPORT_ROWS_H

#include <tcpwhy/report.h>

#include "app/exchange.h"
#include "explain/weighings.h"

struct tw_interval_series {
    tcpwhy_ns interval_ns;
    tcpwhy_ns first_ns;
    const struct tcpwhy_interval *interval;
    size_t n;
};

struct tw_capture_row {
    const char *file;
    const char *comment;
    uint64_t frames;
    uint64_t tcp_frames;
    uint64_t bytes;
    int64_t first_ns;
    int64_t last_ns;
    const struct tcpwhy_quality *quality;
    size_t n_quality;
    const struct tcpwhy_part *parts;
    size_t n_parts;
    uint64_t streams;
};

struct tw_finding_row {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    struct tcpwhy_endpoint endpoint;
    struct tcpwhy_endpoint peer;
    uint32_t stream;
    uint32_t streams;
    tcpwhy_ns cost_ns;
    uint64_t count;
    tcpwhy_ns median_ns;
    const uint32_t *frames;
    size_t n_frames;
    const struct tcpwhy_detail *details;
    size_t n_details;
    const char *summary;
    const char *remedy;
    const struct tcpwhy_wait *waits;
    size_t n_waits;
    tcpwhy_ns whole_ns; /* the time of all connections of its report, whose unit its own has; 0: its
                           own unit */
    double
        relayed; /* share of its cost in which its endpoint itself waited for another finding's */
    const char *endpoint_name; /* as tcpwhy_report_name() gives it */
};

struct tw_failure_row {
    enum tcpwhy_failure_kind kind;
    enum tcpwhy_failed failed;
    enum tcpwhy_seen_as seen_as;
    enum tcpwhy_culprit who;
    enum tcpwhy_confidence confidence;
    uint32_t stream;
    struct tcpwhy_endpoint client;
    struct tcpwhy_endpoint server;
    tcpwhy_ns time_ns;
    tcpwhy_ns after_ns;
    const uint32_t *frames;
    size_t n_frames;
    const struct tcpwhy_clue *clues;
    size_t n_clues;
    const char *summary;
    const char *remedy;
    const char *name;        /* that was not resolved; NULL: none */
    uint32_t of_sort;        /* how many of its kind, culprit and server follow each other ... */
    tcpwhy_ns in_all_ns;     /* ... and how long they delayed somebody in all; 0: they broke */
    const char *server_name; /* as tcpwhy_report_name() gives it */
};

struct tw_stream_row {
    uint32_t stream;
    struct tcpwhy_endpoint client;
    struct tcpwhy_endpoint server;
    bool roles_inferred;
    bool complete_start;
    bool complete_end;
    enum tcpwhy_vantage vantage;
    enum tcpwhy_confidence vantage_confidence;
    tcpwhy_ns start_ns;
    tcpwhy_ns duration_ns;
    uint32_t first_frame;
    uint32_t last_frame;
    uint64_t frames;
    uint64_t bytes_to_server;
    uint64_t bytes_to_client;
    uint64_t retransmissions;
    struct tcpwhy_repairs repairs;
    tcpwhy_ns rtt_min_ns;
    tcpwhy_ns rtt_median_ns;
    tcpwhy_ns rtt_max_ns;
    struct tcpwhy_verdict verdict;
    const struct tcpwhy_ledger_entry *ledger;
    size_t n_ledger;
    struct tcpwhy_percentiles latency;
    struct tcpwhy_status_classes status;
    const struct tcpwhy_exchange *exchanges;
    size_t n_exchanges;
    const struct tcpwhy_span *spans;
    size_t n_spans;
    tcpwhy_ns way_ns[2];
    int64_t isn[2];
    const struct tw_weighings *weighings; /* NULL: none kept */
    const struct tcpwhy_fact *facts;      /* with their texts in one block; NULL without any */
    size_t n_facts;
    const char *called;      /* as the client called the server; NULL: none */
    const char *server_name; /* that, or what DNS calls it; the report's */
};

/* The client's own time (facts/before_asking.h). */
struct tw_before_asking {
    uint32_t connections; /* with a handshake and a request */
    tcpwhy_ns idle_ns;    /* of their lives, this passed before the first request */
    tcpwhy_ns life_ns;
};

struct tw_listener_row {
    struct tcpwhy_endpoint endpoint;
    uint64_t connections;
    uint64_t unanswered;
    uint64_t refused;
    uint64_t resets;
    struct tcpwhy_percentiles latency;
    struct tcpwhy_status_classes status;
    const struct tcpwhy_ledger_entry *ledger;
    size_t n_ledger;
    struct tcpwhy_openings openings;
    uint64_t forlorn; /* as in struct tw_retransmit_evidence */
    struct tw_interval_series traffic;
    struct tcpwhy_percentiles good; /* latency without answers 5xx */
    uint64_t unheard;               /* requests without an answer */
    struct tw_before_asking before_asking;
    struct tw_named_address named;
    const char *server_name; /* as all its clients call it, or else as DNS does; or NULL */
    bool several_names;      /* its clients call it differently */
};

/* Valid during the call. Return false to stop. */
typedef bool (*tw_stream_row_fn)(void *user, const struct tw_stream_row *stream);

/* A report's contents for later stages; like the public functions of these names. */
const struct tw_capture_row *tw_report_capture(const tcpwhy_report *report);
const struct tw_finding_row *tw_report_findings(const tcpwhy_report *report, size_t *n);
const struct tw_failure_row *tw_report_failures(const tcpwhy_report *report, size_t *n);
const struct tw_stream_row *tw_report_streams(const tcpwhy_report *report, size_t *n);

/* The number of connections without a row, because options kept fewer. */
uint64_t tw_report_left_out(const tcpwhy_report *report);
size_t tw_report_n_streams(const tcpwhy_report *report); /* unpacks none */
const struct tw_listener_row *tw_report_listeners(const tcpwhy_report *report, size_t *n);
const struct tcpwhy_ledger_entry *tw_report_ledger(const tcpwhy_report *report, size_t *n);
/* The time of all connections, or of a finding that took longer: a screen has one unit for what are
 * parts of it. */
tcpwhy_ns tw_report_whole(const tcpwhy_report *report);
const struct tw_interval_series *tw_report_traffic(const tcpwhy_report *report);
/* Latency without answers 5xx; the number of requests without an answer. */
const struct tcpwhy_percentiles *tw_report_good(const tcpwhy_report *report, uint64_t *unheard);
const struct tcpwhy_ports *tw_report_ports(const tcpwhy_report *report, size_t *n);
const struct tcpwhy_fact *tw_report_facts(const tcpwhy_report *report, size_t *n);

/* The streams one after the other, unpacked one at a time. */
void tw_report_visit_streams(const tcpwhy_report *report, tw_stream_row_fn visit, void *user);

/* A report that is held lives on when its owner releases it, until it is let go. NULL is allowed.
 * From any thread. */
void tw_report_hold(const tcpwhy_report *report);
void tw_report_let_go(const tcpwhy_report *report);

#endif
