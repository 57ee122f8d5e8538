/* SPDX-License-Identifier: MIT */
/*
 * SYNs that measure: sent by hping3, nmap or traceroute, whose kernel knows nothing of them and
 * resets what is answered; or with a TTL that ends at a router, which says so by ICMP.
 */
#ifndef TW_REPORT_FACTS_PROBES_H
#define TW_REPORT_FACTS_PROBES_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/array.h"
#include "log/log.h"
#include "report/facts/setup.h"

enum tw_probe_answer {
    TW_PROBE_LOST,
    TW_PROBE_OPEN,        /* SYN/ACK */
    TW_PROBE_CLOSED,      /* RST */
    TW_PROBE_EXPIRED,     /* ICMP time exceeded */
    TW_PROBE_UNREACHABLE, /* ICMP destination unreachable */
};

/* One SYN that led to no connection. */
struct tw_probe {
    tcpwhy_ns sent_ns;   /* at the prober */
    tcpwhy_ns answer_ns; /* from there to the answer; unknown: none */
    uint32_t frame, answer_frame, stream;
    enum tw_probe_answer answer;
    uint8_t router[16]; /* who sent the ICMP error */
    uint16_t port;      /* of the prober */
    uint16_t window;    /* of the answer, unscaled */
    uint16_t ip_id;     /* of the answer */
    uint8_t ttl;        /* of the SYN as captured */
    uint8_t answer_ttl;
    bool is_one;  /* no program that connects leaves this: the others of its group may be probes */
    bool may_be;  /* one SYN, no handshake, no payload */
    bool settled; /* there was a second's time for an answer, or there is one */
};

/* Probes of one prober to one port. */
struct tw_probe_group {
    struct tcpwhy_endpoint prober; /* port 0 */
    struct tcpwhy_endpoint target;
    tw_array *probes; /* struct tw_probe, in the order of time */
    bool is_one;      /* at least one of them is a probe for sure */
};

/* Read the beginning of a connection; way_ns: from the vantage to the client. */
void tw_probe_read(const struct tw_connection *connection, const struct tw_log *log,
                   const struct tw_setup *setup, tcpwhy_ns way_ns, struct tw_probe *out);

struct tw_probes;

/* bytes: about what they may take; 0: no limit. */
struct tw_probes *tw_probes_new(uint64_t bytes);
struct tw_probes *tw_probes_copy(const struct tw_probes *probes);
void tw_probes_free(struct tw_probes *probes);
void tw_probes_add(struct tw_probes *probes, const struct tcpwhy_endpoint *client,
                   const struct tcpwhy_endpoint *server, const struct tw_probe *probe);
/* The groups that are probes (struct tw_probe_group, owned by the array), those with most first. */
tw_array *tw_probes_close(struct tw_probes *probes, tcpwhy_ns end_ns);

/* Figures of a group's answers by the target itself. */
struct tw_probe_figures {
    uint64_t sent, answered, open, closed, expired, lost;
    tcpwhy_ns min_ns, mean_ns, max_ns, deviation_ns; /* unknown without an answer */
    uint8_t ttl;                                     /* of the answers; 0: none, or several */
};

struct tw_probe_figures tw_probe_figures(const struct tw_probe_group *group);

/* Do its SYNs measure the path hop by hop? */
bool tw_probe_group_is_route(const struct tw_probe_group *group);

#endif
