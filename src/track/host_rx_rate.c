/* SPDX-License-Identifier: MIT */
#include "track/host_rx_rate.h"

#include <glib.h>

#include "base/bytes.h"
#include "base/hash.h"

/* Without a seed: the same host has the same number in each run, on each machine. */
uint16_t tw_host_rx_number(const uint8_t address[16])
{
    struct tw_bytes a = tw_bytes(address, 16);

    return tw_hash_mix(tw_be64(a, 0) ^ TW_HASH_ODD, tw_be64(a, 8) ^ TW_HASH_ODD) %
           TW_HOST_RX_RATE_HOSTS;
}

/* Bytes of a train, whose time shows a rate: three full segments after the first. */
#define TRAIN 4000

/* A busy host takes queued data at once, which makes a fast train or two. The sustained rate is
 * that of the slowest of this many. */
#define ROW 4

/* If more than one train in this many is this much faster (judgement), the rate is not the link's:
 * request-response traffic arrives at its own pace, each message at once. */
#define MUCH_FASTER  4
#define FASTER_SHARE 8

static void end_train(struct tw_host_rx *host, tcpwhy_ns now)
{
    tcpwhy_ns took_ns = MAX(now - host->from_ns, 1);
    float rate = (float)(host->bytes - host->since) * 1e9f / (float)took_ns;

    host->seen++;
    host->faster += rate > host->rate * MUCH_FASTER;
    host->slowest = host->trains ? MIN(host->slowest, rate) : rate;
    host->since = host->bytes;
    host->from_ns = now;
    if (++host->trains < ROW)
        return;
    host->trains = 0;
    if (host->slowest <= host->rate)
        return;
    host->rate = host->slowest;
    host->seen = host->faster = 0;
}

void tw_host_rx_rate_add(struct tw_host_rx *host, uint32_t len, tcpwhy_ns now)
{
    host->bytes += len;
    if (host->bytes - host->since >= TRAIN)
        end_train(host, now);
}

double tw_host_rx_rate_rate(const struct tw_host_rx *host)
{
    return host->faster <= host->seen / FASTER_SHARE ? (double)host->rate : 0;
}
