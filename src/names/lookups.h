/* SPDX-License-Identifier: MIT */
/* Lookups: what a host asked resolvers for, how often, and what came of it. */
#ifndef TW_NAMES_LOOKUPS_H
#define TW_NAMES_LOOKUPS_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/tuple.h"
#include "names/dns.h"

#define TW_NO_LOOKUP UINT32_MAX

/* One name of one type, asked for by one host until it was answered or given up. */
struct tw_lookup {
    struct tcpwhy_endpoint client;   /* port 0 */
    struct tcpwhy_endpoint resolver; /* the one that answered, else the last that was asked */
    const char *name;                /* lives as long as the lookups */
    uint16_t type;
    uint16_t n_queries;   /* also to other resolvers */
    uint16_t n_addresses; /* in the answer */
    uint8_t code;         /* TW_DNS_*: of the answer */
    bool truncated, tcp;  /* an answer was; TCP was used */
    bool elsewhere;       /* the answer came from an address that was not asked ... */
    bool declined;        /* ... and the host asked again: it takes no such answer */
    uint32_t first_frame, last_query_frame, answer_frame; /* 0: none */
    tcpwhy_ns first_ns, last_query_ns;
    tcpwhy_ns query_ns;       /* when the query that was answered was first sent */
    tcpwhy_ns answered_ns;    /* or unknown */
    tcpwhy_ns unreachable_ns; /* when an ICMP error said that the last query cannot be delivered */
    uint32_t unreachable_frame; /* 0: none did */
    uint16_t unreachable_code;
    tcpwhy_ns hop_ns; /* waited for the next hop before the first query; 0: not */
    uint32_t hop;     /* that wait's neighbour */
    uint32_t stream;  /* the connection that it was for; UINT32_MAX: none, or not known */
};

struct tw_lookups;

struct tw_lookups *tw_lookups_new(guint most);
void tw_lookups_free(struct tw_lookups *lookups);

/* Take a message between two hosts. @return the number of the lookup that it began, or
 * TW_NO_LOOKUP. */
guint tw_lookups_take(struct tw_lookups *lookups, const struct tw_tuple *tuple,
                      const struct tw_dns_message *message, bool tcp, tcpwhy_ns at_ns,
                      uint32_t frame);

/* An ICMP error says that this query of a host cannot be delivered. */
void tw_lookups_take_unreachable(struct tw_lookups *lookups, const struct tw_tuple *tuple,
                                 const struct tw_dns_message *query, uint16_t code, tcpwhy_ns at_ns,
                                 uint32_t frame);

/* In the order in which they began. */
struct tw_lookup *tw_lookups_at(const struct tw_lookups *lookups, guint i);
guint tw_lookups_n(const struct tw_lookups *lookups);

/* Queries that were not kept for want of room. */
uint64_t tw_lookups_dropped(const struct tw_lookups *lookups);

/* The newest of a host for a name and type, or TW_NO_LOOKUP. */
guint tw_lookups_find(const struct tw_lookups *lookups, const struct tcpwhy_endpoint *client,
                      const char *name, uint16_t type);

/* The newest of a host whose answer held an address; or TW_NO_LOOKUP. */
guint tw_lookups_giving(const struct tw_lookups *lookups, const struct tcpwhy_endpoint *client,
                        const struct tcpwhy_endpoint *address);

/* Call with each address that an answer gave, port 0, and the name that was asked for. */
void tw_lookups_each_name(const struct tw_lookups *lookups,
                          void (*take)(void *user, const struct tcpwhy_endpoint *address,
                                       const char *name),
                          void *user);

#endif
