/* SPDX-License-Identifier: MIT */
/*
 * How long what a host sends is under way while it sends much: of one bulk transfer at a time the
 * newest segment is timed, which stands behind all the others, until it is acknowledged. What the
 * host asks at that moment by other connections stands in the same queue.
 */
#ifndef TW_TRACK_HOST_TX_DELAY_H
#define TW_TRACK_HOST_TX_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "track/host_rx_rate.h"
#include "track/track.h"

struct tw_host_tx {
    int64_t end;        /* of the segment that is timed, as an offset, ... */
    tcpwhy_ns at_ns;    /* ... which was sent at that time ... */
    uint32_t timed;     /* ... by this connection: its stream and 1; 0: none is */
    uint32_t told_by;   /* the one whose segment took so long ... */
    uint16_t peer;      /* ... to that host (tw_host_rx_number()) ... */
    uint16_t steps;     /* ... there and back ... */
    uint16_t beyond;    /* ... and beyond the handshake's round trip, in TW_HOST_TX_DELAY_STEP_NS */
    bool tells;         /* that is worth telling ... */
    bool over;          /* ... nothing more of it was under way ... */
    tcpwhy_ns until_ns; /* ... and from then on it is no news */
};

/* Begins as zeros. */
struct tw_host_tx_delay {
    struct tw_host_tx host[TW_HOST_RX_RATE_HOSTS];
    tcpwhy_ns until_ns; /* the last of theirs */
};

/* What is timed has so much under way, at least: no receiver lets that wait for a timer. */
#define TW_HOST_TX_DELAY_BULK 6000

/* What is not acknowledged by then was sent again, or never is. */
#define TW_HOST_TX_DELAY_LONGEST_NS TCPWHY_S(3)

/* Those parts of tw_host_tx_delay_take() that few frames need. */
void tw_host_tx_delay_take_ack(struct tw_host_tx_delay *tx_delay,
                               const struct tw_connection *connection,
                               const struct tw_tracked *tracked);
void tw_host_tx_delay_tell(struct tw_host_tx_delay *tx_delay,
                           const struct tw_connection *connection, struct tw_tracked *tracked);

/* A segment with data that is not new comes by: which copy is acknowledged is not known (Karn). */
void tw_host_tx_delay_repeat(struct tw_host_tx_delay *tx_delay,
                             const struct tw_connection *connection,
                             const struct tw_tracked *tracked);

/* May this pure ACK be the one of what is timed, or one behind which to begin? */
static inline bool tw_host_tx_delay_heeds(const struct tw_host_tx *h, const struct tw_connection *c,
                                          const struct tw_tracked *t)
{
    if (h->timed == c->stream + 1)
        return t->ack >= h->end || t->n_sack;
    return c->side[!t->from].next - t->ack >= TW_HOST_TX_DELAY_BULK &&
           (h->timed == 0 || t->time_ns - h->at_ns > TW_HOST_TX_DELAY_LONGEST_NS);
}

/* A frame comes by, classified: one with data that begins behind the other side's, or ends what was
 * written (PSH), brings into the log what is told of the queues. */
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
