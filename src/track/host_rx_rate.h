/* SPDX-License-Identifier: MIT */
/*
 * Data arriving at each host on its connections without TCP timestamps, and the rate of its link:
 * an answer may queue behind other connections' data. With timestamps, senders' clocks show more.
 */
#ifndef TW_TRACK_HOST_RX_RATE_H
#define TW_TRACK_HOST_RX_RATE_H

#include <stdint.h>

#include <tcpwhy/types.h>

/* Hosts that share a number count as one: the link seems fuller, and nothing is certain then. */
#define TW_HOST_RX_RATE_HOSTS 1024

struct tw_host_rx {
    uint32_t bytes;    /* modulo 2^32 */
    uint32_t since;    /* bytes when the train began ... */
    tcpwhy_ns from_ns; /* ... at that time */
    float slowest;     /* of this many consecutive trains ... */
    uint32_t trains;
    float rate;      /* ... bytes per second, the fastest such */
    uint32_t seen;   /* trains since that was found ... */
    uint32_t faster; /* ... and those that came much faster */
};

/* Begins as zeros. */
struct tw_host_rx_rate {
    struct tw_host_rx host[TW_HOST_RX_RATE_HOSTS];
};

/* The number of a 16-byte address; the same in every run, since results depend on it. */
uint16_t tw_host_rx_number(const uint8_t address[16]);

/* A segment of len bytes arrives at a host. */
void tw_host_rx_rate_add(struct tw_host_rx *host, uint32_t len, tcpwhy_ns now);

/* Bytes per second of the host's link when full; 0: never seen full. */
double tw_host_rx_rate_rate(const struct tw_host_rx *host);

#endif
