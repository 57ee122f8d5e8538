/* SPDX-License-Identifier: MIT */
/*
 * The transit time of what a host sends while it sends or receives much. Of one bulk transfer at a
 * time, the newest segment, which is behind all others, is timed until it is acknowledged; of one
 * bulk reception at a time, an ACK until data echoes its timestamp (RFC 7323, 4.1, at the receiver:
 * tcp_rcv_rtt_measure_ts()), since ACKs fill a thin uplink too. Requests that the host sends on
 * other connections then share that queue.
 */
#ifndef TW_TRACK_HOST_TX_DELAY_H
#define TW_TRACK_HOST_TX_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "track/host_rx_rate.h"
#include "track/track.h"

/* An ACK of a host that receives much. */
struct tw_host_tx_echo {
    uint64_t bytes;       /* how much its connection had received */
    tcpwhy_ns at_ns;      /* its time */
    tcpwhy_ns data_ns;    /* when data passed last since then ... */
    tcpwhy_ns longest_ns; /* ... and the longest that none did */
    uint32_t stream;      /* stream + 1 of its connection; 0: none */
    uint32_t tsval;
};

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
    struct tw_host_tx_echo echo;
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
void tw_host_tx_delay_take_echo(struct tw_host_tx_delay *tx_delay,
                                const struct tw_connection *connection,
                                const struct tw_tracked *tracked);
void tw_host_tx_delay_await_echo(struct tw_host_tx_delay *tx_delay,
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

/* May data echo this pure ACK of the host that receives most? */
static inline bool tw_host_tx_delay_may_echo(const struct tw_host_tx *h,
                                             const struct tw_connection *c,
                                             const struct tw_tracked *t)
{
    const struct tw_host_tx_echo *e = &h->echo;

    return c->side[!t->from].bytes >= TW_HOST_TX_DELAY_BULK && e->stream != c->stream + 1 &&
           (e->stream == 0 || c->side[!t->from].bytes > e->bytes ||
            t->time_ns - e->at_ns > TW_HOST_TX_DELAY_LONGEST_NS);
}

/* A classified frame passes: if its data follows the other side's, or ends a write (PSH), it gets
 * the known queueing delay for the log. */
static inline void tw_host_tx_delay_take(struct tw_host_tx_delay *out, struct tw_connection *c,
                                         struct tw_tracked *t)
{
    t->tx_delay[0] = t->tx_delay[1] = 0;
    if (t->segment->len > 0) {
        if (out->host[c->host[!t->from]].echo.stream == c->stream + 1)
            tw_host_tx_delay_take_echo(out, c, t);
        if ((c->said_by != t->from + 1 || t->segment->flags & TW_PSH) &&
            (t->time_ns < out->until_ns || out->host[c->host[!t->from]].timed == c->stream + 1))
            tw_host_tx_delay_tell(out, c, t);
        c->said_by = t->from + 1;
    } else if (tw_host_tx_delay_heeds(&out->host[c->host[!t->from]], c, t)) {
        tw_host_tx_delay_take_ack(out, c, t);
    } else if (tw_host_tx_delay_may_echo(&out->host[c->host[t->from]], c, t)) {
        tw_host_tx_delay_await_echo(out, c, t);
    }
}

#endif
