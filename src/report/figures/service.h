/* SPDX-License-Identifier: MIT */
/*
 * The figures that a load generator prints of a server, from the requests of its connections as the
 * client lived them.
 */
#ifndef TW_REPORT_FIGURES_SERVICE_H
#define TW_REPORT_FIGURES_SERVICE_H

#include <glib.h>

#include "base/array.h"
#include "report/figures/distribution.h"
#include "report/report_rows.h"

/* One request at its client. */
struct tw_service_request {
    const struct tcpwhy_exchange *exchange; /* in the report */
    uint32_t stream;
    bool opens;           /* the only one of its connection, whose handshake was seen */
    tcpwhy_ns connect_ns; /* of the first of a connection: from the SYN until it was asked */
    tcpwhy_ns waited_ns;  /* without an answer: from the request to the end of its connection */
};

struct tw_service {
    struct tcpwhy_endpoint endpoint;
    const char *server_name; /* as tcpwhy_report_name() gives it */
    tw_array *requests;      /* struct tw_service_request, by time */
    uint64_t connections;
    uint64_t at_once;      /* connections that were in use at the same time, at most */
    uint64_t sockets;      /* the same with those whose SYNs were not answered */
    uint64_t busy_at_once; /* requests under way at the same time, at most */
    double busy;           /* on average, from the first request to the last answer */
    uint64_t answered, unanswered, slower;  /* slower: than asked for, unanswered ones among them */
    uint64_t request_bytes, response_bytes; /* of answers that are whole */
    tcpwhy_ns first_ns;                     /* the first SYN or request */
    tcpwhy_ns asked_ns;                     /* the first request */
    tcpwhy_ns last_ns;                      /* the last answer */
    bool opens;                             /* most requests open a connection of their own */
    uint64_t clients_here; /* connections from a host that serves others in this capture */
};

/* The servers of a report whose exchanges were kept, the one that users speak to first. */
tw_array *tw_services(const tcpwhy_report *report, tcpwhy_ns slower_ns);
void tw_services_free(tw_array *services);

/* Each request is measured by these. */
enum tw_service_part {
    TW_SERVICE_LATENCY,    /* first byte asked to last byte answered */
    TW_SERVICE_FIRST_BYTE, /* to the first byte of the answer */
    TW_SERVICE_TRANSFER,   /* from there to the last */
    TW_SERVICE_CONNECT,    /* SYN to request, of requests that open a connection */
    TW_SERVICE_PROCESSING, /* request to last byte, of those */
    TW_SERVICE_WAITING,    /* request to first byte, of those */
    TW_SERVICE_WHOLE,      /* connect and processing */
    TW_SERVICE_PARTS,
};

/* One request's time; unknown where it has none. */
tcpwhy_ns tw_service_time(const struct tw_service_request *request, enum tw_service_part part);

/* Times (tcpwhy_ns) of the requests that have one, and match: status 0 and operation NULL are any.
 */
tw_array *tw_service_times(const struct tw_service *service, enum tw_service_part part,
                           uint16_t status, const char *operation);

/* Times (tcpwhy_ns) of the answered requests, each until its client asked again on that connection
 * if that was after the answer: a client that asks again at once read the answer before. */
tw_array *tw_service_times_until_next(const struct tw_service *service);

/* Statuses (guint16) and operations (const char *, in the report), most frequent first, each with
 * its count at the same index. */
struct tw_service_kinds {
    tw_array *statuses, *status_counts; /* guint16, guint64 */
    tw_ptr_array *operations;           /* const char * */
    tw_array *operation_counts;         /* guint64 */
};

void tw_service_kinds(const struct tw_service *service, struct tw_service_kinds *out);
void tw_service_kinds_clear(struct tw_service_kinds *kinds);

#endif
