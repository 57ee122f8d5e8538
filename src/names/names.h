/* SPDX-License-Identifier: MIT */
/*
 * The door of src/names: what a host waits for before it can send a SYN, which are the answers of
 * a resolver (DNS) and of the next hop (ARP, NDP); joined to the connection that they were for.
 */
#ifndef TW_NAMES_H
#define TW_NAMES_H

#include "base/array.h"
#include "names/lookups.h"
#include "names/neighbours.h"

/* The wait before the SYN of a connection. */
struct tw_before_syn {
    uint32_t stream, syn_frame;
    struct tcpwhy_endpoint client, server;
    tcpwhy_ns syn_ns;
    uint32_t lookup;      /* number of the last lookup; TW_NO_LOOKUP: no name */
    tcpwhy_ns lookup_ns;  /* from the first query to the last answer; 0: none */
    uint32_t hop;         /* number of the neighbour; TW_NO_NEIGHBOUR: none */
    tcpwhy_ns hop_ns;     /* from the first request to the answer; 0: none */
    tcpwhy_ns from_ns;    /* when the first of these waits began */
    uint32_t first_frame; /* of the lookup */
    bool half_lost;       /* one of the queries for both families was lost, and not the other */
    uint32_t searched;    /* names that do not exist, by other domains of the search list */
};

struct tw_names {
    struct tw_lookups *lookups;
    struct tw_neighbours *neighbours;
    tw_array *before;      /* struct tw_before_syn, in the order of their SYNs */
    tw_ptr_array *partial; /* what TCP has of a message (dns_stream.c) */
    guint most;
};

/* bytes: about as much memory as it may take. */
struct tw_names *tw_names_new(uint64_t bytes);
void tw_names_free(struct tw_names *names);

/* Take a datagram. */
void tw_names_take(struct tw_names *names, const struct tw_segment *datagram, tcpwhy_ns at_ns,
                   uint32_t frame);
/* Take an ICMP error that quotes a datagram. */
void tw_names_take_icmp(struct tw_names *names, const struct tw_dissection *error, tcpwhy_ns at_ns,
                        uint32_t frame);
/* Take a segment to or from port 53, of that connection and sender. */
void tw_names_take_stream(struct tw_names *names, const struct tw_segment *segment, uint32_t stream,
                          unsigned from, tcpwhy_ns at_ns, uint32_t frame);
void tw_names_take_neighbour(struct tw_names *names, const struct tw_dissection *message,
                             tcpwhy_ns at_ns, uint32_t frame);

/* A SYN begins a connection: join what came before it; kept where the connection is wanted. */
void tw_names_join(struct tw_names *names, const struct tw_tuple *tuple, uint32_t stream,
                   tcpwhy_ns syn_ns, uint32_t frame, bool wanted);

/* Release a message's part (dns_stream.c). */
void tw_partial_free(gpointer partial);

#endif
