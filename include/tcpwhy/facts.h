/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Facts about a capture apart from its waits: traffic over time, how connections were opened,
 * clients short of ports, the status of answers. Views live as long as the report.
 */
#ifndef TCPWHY_FACTS_H
#define TCPWHY_FACTS_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One interval. A frame counts in the interval of its timestamp. Payload counts once, with the
 * frame that brought it first, so that the sum over intervals is what was delivered rather than
 * what was sent.
 */
struct tcpwhy_interval {
    uint64_t frames; /**< all frames for the whole capture; TCP frames for a listener. */
    uint64_t bytes;  /**< bytes on the wire, link headers included; whole capture only, 0 for a
                        listener. */
    uint64_t payload_bytes[2]; /**< TCP payload seen for the first time, by enum tcpwhy_side. */
    uint64_t retransmissions;  /**< retransmitted data frames. */
    uint64_t syns;             /**< SYNs from clients, repeats included. */
    uint64_t syn_repeats;      /**< SYNs that repeat an earlier one. */
    uint64_t unanswered;       /**< SYNs that nobody answered. */
    uint64_t refused;          /**< refused connections. */
    uint64_t opened;           /**< completed handshakes. */
};

/** Consecutive intervals of equal width; the first begins at first_ns. */
struct tcpwhy_traffic {
    tcpwhy_ns interval_ns; /**< width: as requested, or doubled until the capture fits. */
    tcpwhy_ns first_ns; /**< start of the first interval since the capture's first frame; a multiple
                           of interval_ns. */
    const struct tcpwhy_interval *const *intervals; /**< the intervals, in order. */
    size_t n_intervals;                             /**< number of intervals. */
};

/** Why SYNs were not answered; tcpwhy_silence_name() names it. */
enum tcpwhy_silence {
    TCPWHY_SILENCE_NONE = 0,      /**< every SYN was answered. */
    TCPWHY_SILENCE_UNDECIDED = 1, /**< the capture cannot tell. */
    TCPWHY_SILENCE_BACKLOG = 2, /**< the listener's queue was full: no other listener was affected,
                                   and not every client. */
    TCPWHY_SILENCE_FILTER = 3,  /**< a firewall or connection tracking: several ports or hosts, or a
                                   port that never answers, while other connections work. */
    TCPWHY_SILENCE_DEAD_HOST = 4, /**< the capture holds no frame from that host. */
    TCPWHY_SILENCE_LOSS = 5,      /**< SYNs or their answers were lost on the path. */
    TCPWHY_SILENCE_ECN = 6,       /**< something on the path drops SYNs that ask for ECN. */
    TCPWHY_SILENCE_LIMIT = 7, /**< a limit in front of the listener that counts connections: a full
                                 conntrack table, connlimit. */
    TCPWHY_SILENCE_OLD_CONNECTION =
        8, /**< the server answered with an ACK of an older connection with the same ports. */
    TCPWHY_SILENCE_TIMESTAMPS = 9, /**< the server drops SYNs with a timestamp older than that of
                                      another connection from the same address. */
    TCPWHY_SILENCE_PORTS = 10,     /**< SYNs are answered or not by their port: a NAT without free
                                      ports, one bad link of several. */
    TCPWHY_SILENCE_FAST_OPEN = 11, /**< something on the path drops SYNs that carry data. */
};

/** Number of values; they are numbered from 0. Threads: any. */
TCPWHY_API size_t tcpwhy_silence_count(void);

/** "none", "undecided", "listen backlog", "firewall or conntrack", "dead host", "lost packets",
 * "ECN dropped", "connection limit", "old connection", "timestamps behind", "by ports" or
 * "Fast Open dropped". */
TCPWHY_API const char *tcpwhy_silence_name(enum tcpwhy_silence silence);

/** The beginnings and ends of the connections to a listener. */
struct tcpwhy_openings {
    uint64_t syns;            /**< SYNs from clients, repeats included. */
    uint64_t syn_repeats;     /**< SYNs that repeat an earlier one. */
    uint64_t unanswered_syns; /**< SYNs without an answer that the capture had at least a second to
                                 see. */
    double unanswered_share;  /**< share of syns, 0 to 1. */
    uint64_t waited;          /**< connections with an unanswered SYN. */
    uint64_t opened;          /**< completed handshakes. */
    uint64_t half_open;       /**< SYN/ACKs that no ACK followed. */
    uint64_t refused;         /**< connections refused by a RST or an ICMP error. */
    uint64_t rejected;        /**< connections refused by the ICMP error of a filter. */
    uint64_t unreachable; /**< connections refused by the ICMP error of a router that finds no such
                             host. */
    uint64_t
        accept_overflows;      /**< connections whose SYN/ACK was repeated after its ACK, or, at the
                                  server, of which it sent nothing more: the accept queue was full. */
    uint64_t answers_lost;     /**< connections whose SYN was repeated after its answer. */
    uint64_t resets_by_client; /**< connections that the client reset first. */
    uint64_t resets_by_server; /**< connections that the server reset first, after the handshake. */
    double peak_opened_per_s;  /**< completed handshakes per second in the busiest interval. */
    double peak_syns_per_s;    /**< SYNs per second in the busiest interval. */
    enum tcpwhy_silence silence;               /**< why SYNs were not answered. */
    enum tcpwhy_confidence silence_confidence; /**< confidence of that. */
    enum tcpwhy_silence silence_rival; /**< the next most likely reason; NONE when certain. */
};

/** The ports that a client host used for one listener. */
struct tcpwhy_ports {
    struct tcpwhy_endpoint client;   /**< the client host; its port is 0. */
    struct tcpwhy_endpoint listener; /**< the listener. */
    uint64_t connections;            /**< number of connections. */
    uint32_t ports; /**< distinct client ports. Beyond 131,072 connections: the most among any
                       65,536 that ended one after the other; so is in_use. */
    uint32_t
        in_use; /**< the most ports in use at once. A port is in use until its connection ends, and
                   for 60 s more if the client closed first (TIME-WAIT) or the end was not seen. */
    uint32_t range;  /**< ports that the client can have, by the range that the seen ones lie in. */
    uint16_t lowest; /**< lowest port seen. */
    uint16_t highest;      /**< highest port seen. */
    uint64_t reused;       /**< five-tuples opened again within 60 s of their last frame. */
    uint64_t reuse_failed; /**< of reused, those refused, challenged or not answered. */
    bool exhausted;        /**< the client probably ran out of ports; at most likely. */
    bool used_up; /**< the ports form a block that was in use to its last port while the client had
                     more to ask; at most likely. */
    uint32_t full_stream;   /**< with used_up: the stream that took the last free port. */
    tcpwhy_ns full_from_ns; /**< when it took that port; unknown: there was always a free one. */
    tcpwhy_ns full_ns;      /**< total time without a free port. */
    tcpwhy_ns asked_ns;     /**< time between the first and the last connection. */
    uint64_t errors;        /**< 5xx answers of the client's own listeners, as a proxy has them. */
    uint64_t errors_while_full; /**< of errors, those sent while no port was free. */
    tcpwhy_ns
        errors_median_ns; /**< median response time of errors_while_full; unknown without any. */
    uint32_t time_wait_client; /**< most sockets in TIME-WAIT at once at the client, which closed
                                  these connections first. Each keeps a port for 60 s. */
    uint32_t time_wait_server; /**< most sockets in TIME-WAIT at once at the server. They keep no
                                  port of the client. */
};

/** A client's wait before it could send the SYN of a connection. The connection's ledger
 * begins with the SYN, and holds none of it. */
struct tcpwhy_before_syn {
    uint32_t stream;                 /**< the connection. */
    struct tcpwhy_endpoint client;   /**< the client. */
    struct tcpwhy_endpoint server;   /**< the server. */
    tcpwhy_ns start_ns;              /**< start of the first of these waits. */
    tcpwhy_ns syn_ns;                /**< time of the SYN. */
    const char *name;                /**< the name that was looked up, from the wire; NULL: none. */
    struct tcpwhy_endpoint resolver; /**< the resolver that answered. */
    tcpwhy_ns lookup_ns;             /**< time from the first query to the last answer; 0: none. */
    struct tcpwhy_endpoint next_hop; /**< the next hop that ARP or NDP resolved. */
    tcpwhy_ns next_hop_ns; /**< time from the first request to the answer, which may precede the
                              lookup; 0: none. */
};

/** A fact about the capture, or about one stream, that a reader should know beside the findings. */
struct tcpwhy_fact {
    const char *fact; /**< stable word: "error_answers", "unanswered_syns", "half_open",
                         "port_exhaustion", "syn_probes", "tcp_route", "udp_flows", "name_lookups",
                         "address_claimed_twice", "client_before_asking", "address_named"; of a
                         stream
                         "icmp_unreachable", "icmp_too_big", "icmp_time_exceeded", "icmp_redirect",
                         "icmp_other", "ttl_changes", "backscatter", "window_scale_missing",
                         "mss_rewritten", "checksums_wrong", "ended_nearby". */
    const char *text; /**< a sentence with the numbers. */
    enum tcpwhy_confidence confidence; /**< confidence. */
    struct tcpwhy_endpoint
        endpoint;   /**< the endpoint that it is about; version 0: the whole capture. */
    uint64_t count; /**< number of answers, SYNs, connections or ports that it is about. */
    uint64_t of;    /**< the total that count is part of. */
    uint32_t frame; /**< the first frame that shows it, for facts of a stream; else 0. */
};

#ifdef __cplusplus
}
#endif

#endif
