/* SPDX-License-Identifier: MIT */
/** @file
 * What is true of a capture beside its waits: traffic over time, how connections were opened, who
 * ran short of ports, what the answers were. Views live as long as the report.
 */
#ifndef TCPWHY_FACTS_H
#define TCPWHY_FACTS_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One interval. Frames are counted where they stand in time; payload is counted once, with the
 * frame that brought it first, so that a sum over intervals is what was carried, not what was sent.
 */
struct tcpwhy_interval {
    uint64_t frames; /**< of the whole capture: all of them; of a listener: its TCP frames. */
    uint64_t bytes;  /**< all frames on the wire, link headers included; the whole capture
                          only: 0 in a listener's. */
    uint64_t payload_bytes[2]; /**< TCP payload seen for the first time, by enum tcpwhy_side. */
    uint64_t retransmissions;  /**< data frames that were sent again. */
    uint64_t syns;             /**< clients' SYNs, repeats included. */
    uint64_t syn_repeats;      /**< of these, repeats. */
    uint64_t unanswered;       /**< of the SYNs, those that nobody answered. */
    uint64_t refused;          /**< connections that were refused. */
    uint64_t opened;           /**< connections whose handshake was completed. */
};

/** A series of intervals of one width, without holes; the first begins at first_ns. */
struct tcpwhy_traffic {
    tcpwhy_ns interval_ns; /**< as asked for, or doubled until the capture fits. */
    tcpwhy_ns first_ns;    /**< a multiple of interval_ns, since the first frame of the capture. */
    const struct tcpwhy_interval *const *intervals; /**< one after the other. */
    size_t n_intervals;                             /**< how many. */
};

/** What became of SYNs that nobody answered; names by tcpwhy_silence_name(). */
enum tcpwhy_silence {
    TCPWHY_SILENCE_NONE = 0,      /**< every SYN was answered. */
    TCPWHY_SILENCE_UNDECIDED = 1, /**< the capture cannot tell. */
    TCPWHY_SILENCE_BACKLOG =
        2, /**< the listener's queue was full: it alone, and not for everybody. */
    TCPWHY_SILENCE_FILTER = 3, /**< a firewall or connection tracking: several ports or hosts, or a
                                port that never answers, while other connections go on. */
    TCPWHY_SILENCE_DEAD_HOST = 4, /**< not one frame of that host is in the capture. */
    TCPWHY_SILENCE_LOSS = 5,      /**< SYNs or their answers were lost on the way. */
    TCPWHY_SILENCE_ECN = 6,       /**< something on the path drops SYNs that ask for ECN. */
    TCPWHY_SILENCE_LIMIT = 7,     /**< a limit in front of the listener that counts connections: a
                                       full conntrack table, connlimit. */
    TCPWHY_SILENCE_OLD_CONNECTION = 8, /**< the server answered with an ACK of an older connection
                                            of the same ports. */
    TCPWHY_SILENCE_TIMESTAMPS = 9,     /**< the server drops SYNs whose timestamp is behind that of
                                            another connection of the same address. */
    TCPWHY_SILENCE_PORTS = 10,         /**< whether SYNs are answered depends on their ports: a NAT
                                            without free ports, one bad link of several. */
};

/** How many there are: they are numbered from 0 to one less. Threads: any. */
TCPWHY_API size_t tcpwhy_silence_count(void);

/** "none", "undecided", "listen backlog", "firewall or conntrack", "dead host", "lost packets",
 * "ECN dropped", "connection limit", "old connection", "timestamps behind" or "by ports". */
TCPWHY_API const char *tcpwhy_silence_name(enum tcpwhy_silence silence);

/** How connections to one listener were opened, and how they ended. */
struct tcpwhy_openings {
    uint64_t syns;             /**< clients' SYNs, repeats included. */
    uint64_t syn_repeats;      /**< of these, repeats. */
    uint64_t unanswered_syns;  /**< nobody answered, and there was a second's time for it. */
    double unanswered_share;   /**< of syns, 0 to 1. */
    uint64_t waited;           /**< connections with an unanswered SYN. */
    uint64_t opened;           /**< connections whose handshake was completed. */
    uint64_t half_open;        /**< SYN/ACK sent, and never an ACK for it. */
    uint64_t refused;          /**< connections that were refused, by RST or ICMP ... */
    uint64_t rejected;         /**< ... of these, by a filter's ICMP error ... */
    uint64_t unreachable;      /**< ... and by a router's, that finds no such host. */
    uint64_t accept_overflows; /**< connections whose SYN/ACK came again although it had been
                                    acknowledged, or, captured at the server, after whose SYN/ACK
                                    it sent nothing (SYN cookies): the accept queue had no place. */
    uint64_t answers_lost; /**< connections whose SYN came again although it had been answered. */
    uint64_t resets_by_client;                 /**< connections that the client reset first. */
    uint64_t resets_by_server;                 /**< likewise the server, after the handshake. */
    double peak_opened_per_s;                  /**< over the busiest interval. */
    double peak_syns_per_s;                    /**< likewise. */
    enum tcpwhy_silence silence;               /**< what the unanswered SYNs mean. */
    enum tcpwhy_confidence silence_confidence; /**< how sure that is. */
    enum tcpwhy_silence silence_rival;         /**< NONE when certain. */
};

/** The ports that one client host used towards one listener. */
struct tcpwhy_ports {
    struct tcpwhy_endpoint client;   /**< port 0. */
    struct tcpwhy_endpoint listener; /**< whom it opened connections to. */
    uint64_t connections;            /**< how many. */
    uint32_t ports;   /**< distinct client ports over the whole capture; beyond 131,072 connections
                         the most of any 65,536 that ended one after the other, as in_use. */
    uint32_t in_use;  /**< the most at once, each until its connection is over; for 60 s more where
                         the client closed first (TIME-WAIT) or nobody saw the end. */
    uint32_t range;   /**< as many as the client can have, by the range they lie in. */
    uint16_t lowest;  /**< the lowest port seen. */
    uint16_t highest; /**< the highest. */
    uint64_t reused;  /**< five-tuples opened again within 60 s of their last frame. */
    uint64_t reuse_failed; /**< of these, refused, challenged or not answered. */
    bool exhausted;        /**< the numbers speak for it; a guess, never more than likely. */
    bool used_up; /**< the ports are a block that was in use to its last port while the client had
                       more to ask: a guess, never more than likely. */
    uint32_t full_stream;   /**< with used_up: the connection that took the last free port ... */
    tcpwhy_ns full_from_ns; /**< ... when it did so; unknown: it was never so ... */
    tcpwhy_ns full_ns;      /**< ... how long none was free ... */
    tcpwhy_ns asked_ns;     /**< ... of this time from the first connection to the last. */
    uint64_t errors;        /**< answers 5xx of the client's own listeners, as a proxy has ... */
    uint64_t errors_while_full; /**< ... of these, while no port was free ... */
    tcpwhy_ns errors_median_ns; /**< ... and the median time that those took; unknown: none. */
    uint32_t time_wait_client;  /**< the most sockets in TIME-WAIT at once at the client, which
                                   closed  these connections first: each keeps a port for 60 s ... */
    uint32_t time_wait_server;  /**< ... and at the server: they keep none of the client's ports. */
};

/** What a client waited for before it could send the SYN of a connection: beside the connection's
 * ledger, which begins with the SYN. */
struct tcpwhy_before_syn {
    uint32_t stream;                 /**< the connection. */
    struct tcpwhy_endpoint client;   /**< its ends. */
    struct tcpwhy_endpoint server;   /**< likewise. */
    tcpwhy_ns start_ns;              /**< when the first of the waits began. */
    tcpwhy_ns syn_ns;                /**< when the SYN was sent. */
    const char *name;                /**< that was looked up; off the wire; NULL: none. */
    struct tcpwhy_endpoint resolver; /**< who answered. */
    tcpwhy_ns lookup_ns;             /**< from the first query to the last answer; 0: none. */
    struct tcpwhy_endpoint next_hop; /**< who was asked for by ARP or NDP. */
    tcpwhy_ns next_hop_ns;           /**< from the first request to the answer, which may be before
                                          the lookup; 0: none. */
};

/** Something about the whole capture, or about one stream, that a reader should know beside the
 * findings. */
struct tcpwhy_fact {
    const char *fact; /**< stable word: "error_answers", "unanswered_syns", "half_open",
                           "port_exhaustion", "syn_probes", "tcp_route", "udp_flows",
                           "name_lookups"; of a stream "icmp_unreachable", "icmp_too_big",
                           "icmp_time_exceeded", "icmp_redirect", "icmp_other", "ttl_changes",
                           "backscatter", "window_scale_missing", "mss_rewritten",
                           "checksums_wrong", "ended_nearby". */
    const char *text; /**< a sentence with the numbers. */
    enum tcpwhy_confidence confidence; /**< how sure. */
    struct tcpwhy_endpoint endpoint;   /**< of whom it is true; version 0: of the whole capture. */
    uint64_t count; /**< how many answers, SYNs, connections or ports it speaks of ... */
    uint64_t of;    /**< ... out of so many. */
    uint32_t frame; /**< the first that shows it; of a stream's facts only, else 0. */
};

#ifdef __cplusplus
}
#endif

#endif
