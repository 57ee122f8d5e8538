/* SPDX-License-Identifier: MIT */
/*
 * --fail-on: what a test of its own may not find in a capture.
 */
#ifndef TCPWHY_TOOL_GATE_H
#define TCPWHY_TOOL_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/tcpwhy.h>

/* One value of --fail-on. */
struct gate {
    enum {
        GATE_CAUSE,   /* a finding of the cause, or of TCPWHY_CAUSE_ANY */
        GATE_FAILURE, /* a failure of the kind, or of any */
        GATE_LATENCY, /* a listener's percentile */
    } kind;
    enum tcpwhy_cause cause;
    enum tcpwhy_failure_kind failure; /* also where a cause has that name; NONE: of any kind */
    unsigned percentile;              /* 50, 75, 90, 99; 100 is the maximum */
    tcpwhy_ns least_ns;
    double least_share;    /* of all waiting, 0 to 1 */
    uint64_t least_count;  /* of instances */
    const char *listener;  /* ADDRESS:PORT as printed, of the text read; NULL: each */
    const char *operation; /* instead, requests with this text, of the text read; NULL: all */
};

/* "nagle_delayed_ack", "any:500", "loss_recovery:10%", "zero_window:3x", "failure:2x", "p99:500ms",
 * "p99:500ms@10.0.0.1:80", "p99:500ms@GET /cart". Keeps a pointer into the text. */
bool gate_read(const char *text, struct gate *out);

/* Is one of n gates about operations? It needs reports that keep exchanges. */
bool gate_asks_operations(const struct gate *gate, int n);

/* Does the report hold what one of n gates names? */
bool gate_fails(const struct gate *gate, int n, const tcpwhy_report *report);

/* Complain of those whose listener or requests the capture does not have: they can never fail. */
void gate_complain(const struct gate *gate, int n, const char *capture,
                   const tcpwhy_report *report);

/* Is there more of it after than before, by as much as a gate names? */
bool gate_worsens(const struct gate *gate, int n, const tcpwhy_report *before,
                  const tcpwhy_report *after);

#endif
