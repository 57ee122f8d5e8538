/* SPDX-License-Identifier: MIT */
/*
 * Does a host's IP ID count all its packets, or each connection's separately? Where frames of two
 * flows follow each other, the ID continues or leaps.
 */
#ifndef TW_TRACK_HOST_IP_ID_H
#define TW_TRACK_HOST_IP_ID_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/tuple.h"
#include "track/host_rx_rate.h"

/* An ID may advance this far ahead of the packets seen of one connection. */
#define TW_ID_STEP 1000

/* A flow that is no TCP connection. */
#define TW_OTHER_FLOW UINT32_MAX

struct tw_host_ip_id {
    uint32_t flow;                 /* stream + 1 of its newest frame; 0: none */
    uint16_t id;                   /* of that frame */
    uint16_t peer;                 /* its destination (tw_host_rx_number()) */
    uint16_t goes_on[2], leaps[2]; /* between flows: to another peer, to the same */
};

struct tw_host_ip_ids {
    struct tw_host_ip_id host[TW_HOST_RX_RATE_HOSTS]; /* begins as zeros */
};

/* The part for frames of another flow than the previous one's. */
void tw_host_ip_id_switch(struct tw_host_ip_id *host, uint32_t flow, uint16_t peer, uint16_t id);

/* A frame of the host with this ID passes. */
static inline void tw_host_ip_id_take(struct tw_host_ip_id *host, uint32_t flow, uint16_t peer,
                                      uint16_t id)
{
    if (G_UNLIKELY(host->flow != flow))
        tw_host_ip_id_switch(host, flow, peer, id);
    host->id = id;
}

/* A host's counter, as its frames show it. */
enum tw_ip_id_scope {
    TW_IP_ID_UNTOLD, /* unknown: no other frames */
    TW_IP_ID_HOST,   /* it counts frames of several flows in one */
    TW_IP_ID_PEER,   /* or at most those to the same host */
    TW_IP_ID_FLOW,   /* each flow has its own */
};

/* May a host's ID count exactly one connection's packets? */
bool tw_ip_id_counts_flow(enum tw_ip_id_scope scope, uint8_t ttl);

enum tw_ip_id_scope tw_host_ip_id_scope(const struct tw_host_ip_id *host);

#endif
