/* SPDX-License-Identifier: MIT */
/* Neighbours: who was asked for by ARP (RFC 826) and NDP (RFC 4861), and when they answered. */
#ifndef TW_NAMES_NEIGHBOURS_H
#define TW_NAMES_NEIGHBOURS_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "dissect/segment.h"

#define TW_NO_NEIGHBOUR UINT32_MAX

/* One host that was asked for by another until it answered, or was given up. */
struct tw_neighbour {
    struct tcpwhy_endpoint asker, target; /* port 0 */
    uint32_t n_requests;
    uint32_t first_frame, last_frame, answer_frame; /* of the requests; 0: none */
    tcpwhy_ns first_ns, last_ns;
    tcpwhy_ns answered_ns;  /* or unknown */
    bool taken;             /* a wait for it was told */
    uint8_t hardware[2][6]; /* who answered, and who else did; 0: not known, nobody */
};

struct tw_neighbours;

struct tw_neighbours *tw_neighbours_new(guint most);
void tw_neighbours_free(struct tw_neighbours *neighbours);

/* Take an ARP or NDP message. */
void tw_neighbours_take(struct tw_neighbours *neighbours, const struct tw_dissection *message,
                        tcpwhy_ns at_ns, uint32_t frame);

struct tw_neighbour *tw_neighbours_at(const struct tw_neighbours *neighbours, guint i);
guint tw_neighbours_n(const struct tw_neighbours *neighbours);

/* The one whose answer let a packet of that host go at that time: it came just before. to: whom
 * the packet is for. @return its number, or TW_NO_NEIGHBOUR. */
guint tw_neighbours_before(const struct tw_neighbours *neighbours,
                           const struct tcpwhy_endpoint *host, tcpwhy_ns at_ns);

/* Has the host answered, or asked for others, at any time? */
bool tw_neighbours_speaks(const struct tw_neighbours *neighbours,
                          const struct tcpwhy_endpoint *host);

#endif
