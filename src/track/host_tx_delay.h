/* SPDX-License-Identifier: MIT */
/*
 * The transit time of a host's data while it sends much: of one bulk transfer at a time, the newest
 * segment, which is behind all others, is timed until it is acknowledged. Requests that the host
 * sends on other connections then share that queue.
 */
#ifndef TW_TRACK_HOST_TX_DELAY_H
#define TW_TRACK_HOST_TX_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "track/host_rx_rate.h"
#include "track/track.h"

struct tw_host_tx {
    int64_t end;      /* end of the timed segment, as an offset, ... */
    tcpwhy_ns at_ns;  /* ... its send time ... */
    uint32_t timed;   /* ... stream + 1 of its connection; 0: none */
    uint32_t told_by; /* the connection whose segment took this long ... */
    uint16_t peer;    /* ... to that host (tw_host_rx_number()) ... */
    uint16_t steps;   /* ... RTT ... */
    uint16_t beyond;  /* ... and its excess over the handshake's RTT, in TW_HOST_TX_DELAY_STEP_NS */
    bool tells;       /* it is worth reporting ... */
    bool over;        /* ... nothing more of it was in transit ... */
    tcpwhy_ns until_ns; /* ... and after this time it is outdated */
};

/* Begins as zeros. */
struct tw_host_tx_delay {
    struct tw_host_tx host[TW_HOST_RX_RATE_HOSTS];
    tcpwhy_ns until_ns; /* the last of theirs */
};

/* Minimum data in flight to be timed: no receiver delays the ACK of that much. */
#define TW_HOST_TX_DELAY_BULK 6000

/* Data not acknowledged by then was retransmitted, or never is. */
#define TW_HOST_TX_DELAY_LONGEST_NS TCPWHY_S(3)

/* Rare parts of tw_host_tx_delay_take(). */
void tw_host_tx_delay_take_ack(struct tw_host_tx_delay *tx_delay,
                               const struct tw_connection *connection,
                               const struct tw_tracked *tracked);
void tw_host_tx_delay_tell(struct tw_host_tx_delay *tx_delay,
                           const struct tw_connection *connection, struct tw_tracked *tracked);

/* A retransmission passes: it is unknown which copy is acknowledged (Karn). */
void tw_host_tx_delay_repeat(struct tw_host_tx_delay *tx_delay,
                             const struct tw_connection *connection,
                             const struct tw_tracked *tracked);

/* May this pure ACK cover the timed segment, or start the next? */
static inline bool tw_host_tx_delay_heeds(const struct tw_host_tx *h, const struct tw_connection *c,
                                          const struct tw_tracked *t)
{
    if (h->timed == c->stream + 1)
        return t->ack >= h->end || t->n_sack;
    return c->side[!t->from].next - t->ack >= TW_HOST_TX_DELAY_BULK &&
           (h->timed == 0 || t->time_ns - h->at_ns > TW_HOST_TX_DELAY_LONGEST_NS);
}

/* A classified frame passes: if its data follows the other side's, or ends a write (PSH), it gets
 * the known queueing delay for the log. */
static inline void tw_host_tx_delay_take(struct tw_host_tx_delay *out, struct tw_connection *c,
                                         struct tw_tracked *t)
{
    t->tx_delay[0] = t->tx_delay[1] = 0;
    if (t->segment->len > 0) {
        if ((c->said_by != t->from + 1 || t->segment->flags & TW_PSH) &&
            (t->time_ns < out->until_ns || out->host[c->host[!t->from]].timed == c->stream + 1))
            tw_host_tx_delay_tell(out, c, t);
        c->said_by = t->from + 1;
    } else if (tw_host_tx_delay_heeds(&out->host[c->host[!t->from]], c, t)) {
        tw_host_tx_delay_take_ack(out, c, t);
    }
}

#endif
