/* SPDX-License-Identifier: MIT */
/*
 * Whether a host counts all that it sends in one IP identification, or each connection by itself:
 * where frames of two flows follow each other, the number goes on or it leaps.
 */
#ifndef TW_TRACK_HOST_IP_ID_H
#define TW_TRACK_HOST_IP_ID_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/tuple.h"
#include "track/host_rx_rate.h"

/* An IP identification may run this far ahead of what we saw of one connection's counter. */
#define TW_ID_STEP 1000

/* A flow that is no TCP connection. */
#define TW_OTHER_FLOW UINT32_MAX

struct tw_host_ip_id {
    uint32_t flow;                 /* of its newest frame: the stream and 1; 0: none was seen */
    uint16_t id;                   /* of that frame */
    uint16_t peer;                 /* where that went (tw_host_rx_number()) */
    uint16_t goes_on[2], leaps[2]; /* from flow to flow: to another host, to the same one */
};

struct tw_host_ip_ids {
    struct tw_host_ip_id host[TW_HOST_RX_RATE_HOSTS]; /* begins as zeros */
};

/* The part that frames of another flow than the one before them need. */
void tw_host_ip_id_switch(struct tw_host_ip_id *host, uint32_t flow, uint16_t peer, uint16_t id);

/* A frame of the host with that identification passes. */
static inline void tw_host_ip_id_take(struct tw_host_ip_id *host, uint32_t flow, uint16_t peer,
                                      uint16_t id)
{
    if (G_UNLIKELY(host->flow != flow))
        tw_host_ip_id_switch(host, flow, peer, id);
    host->id = id;
}

/* A host's frames tell this of its counter. */
enum tw_ip_id_scope {
    TW_IP_ID_UNTOLD, /* there are no other frames of it */
    TW_IP_ID_HOST,   /* it counts frames of several flows in one */
    TW_IP_ID_PEER,   /* or at most those to the same host */
    TW_IP_ID_FLOW,   /* each flow has its own */
};

/* May a host's identification count what one connection sends, and no more? */
bool tw_ip_id_counts_flow(enum tw_ip_id_scope scope, uint8_t ttl);

enum tw_ip_id_scope tw_host_ip_id_scope(const struct tw_host_ip_id *host);

#endif
