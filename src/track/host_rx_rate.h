/* SPDX-License-Identifier: MIT */
/*
 * What comes to each host by its connections without TCP timestamps, and how fast its link carries
 * that: who waits for an answer may wait for what others asked for. With timestamps the clocks of
 * senders tell more.
 */
#ifndef TW_TRACK_HOST_RX_RATE_H
#define TW_TRACK_HOST_RX_RATE_H

#include <stdint.h>

#include <tcpwhy/types.h>

/* Hosts of one number count as one: that makes a link seem fuller, and nothing certain. */
#define TW_HOST_RX_RATE_HOSTS 1024

struct tw_host_rx {
    uint32_t bytes;    /* modulo 2^32 */
    uint32_t since;    /* bytes when the train began ... */
    tcpwhy_ns from_ns; /* ... at that time */
    float slowest;     /* of so many trains in a row ... */
    uint32_t trains;
    float rate;      /* ... bytes a second, the fastest such */
    uint32_t seen;   /* trains since that was found ... */
    uint32_t faster; /* ... and those that came much faster */
};

/* Begins as zeros. */
struct tw_host_rx_rate {
    struct tw_host_rx host[TW_HOST_RX_RATE_HOSTS];
};

/* The number of an address of 16 bytes: the same in each run, as what is told depends on it. */
uint16_t tw_host_rx_number(const uint8_t address[16]);

/* A segment of so many bytes comes to a host. */
void tw_host_rx_rate_add(struct tw_host_rx *host, uint32_t len, tcpwhy_ns now);

/* Bytes a second that the host's link carries when it is full; 0 where it was not seen to be. */
double tw_host_rx_rate_rate(const struct tw_host_rx *host);

#endif
