/* SPDX-License-Identifier: MIT */
/*
 * A server that serves one request at a time: those of other connections that came meanwhile wait,
 * each for all before it, so that answers follow each other after one time of service.
 */
#ifndef TW_REPORT_FINDINGS_ONE_AT_A_TIME_H
#define TW_REPORT_FINDINGS_ONE_AT_A_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

/* The detail "kind" of a finding whose requests wait for each other. */
extern const char tw_kind_queued[];

/* Requests in the order of their answers. */
struct tw_served {
    tcpwhy_ns from_ns, to_ns; /* request and answer */
};

struct tw_queued {
    uint32_t n, waited;   /* requests, and those that found another one being served */
    tcpwhy_ns service_ns; /* median */
};

/* @return whether that server, all of whose n requests they are, served them one by one. */
bool tw_one_at_a_time(const struct tw_served *served, uint32_t n, struct tw_queued *out);

#endif
