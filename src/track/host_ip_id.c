/* SPDX-License-Identifier: MIT */
#include "track/host_ip_id.h"

/* If one counter serves both flows, consecutive IDs outnumber leaps by this factor: frames may be
 * captured out of order, and two separate counters may be close, so that every second step is
 * consecutive. Unit: ratio. Source: judgement. */
#define MOSTLY 2

static void count(uint16_t *n)
{
    *n += *n < UINT16_MAX;
}

/* Hosts that do not count write 0 (RFC 6864, 4.1). */
void tw_host_ip_id_switch(struct tw_host_ip_id *h, uint32_t flow, uint16_t peer, uint16_t id)
{
    uint16_t step = (uint16_t)(id - h->id);

    if (h->flow && id && h->id && step)
        count(step < TW_ID_STEP ? &h->goes_on[h->peer == peer] : &h->leaps[h->peer == peer]);
    h->flow = flow;
    h->peer = peer;
}

static bool is_one_counter(const struct tw_host_ip_id *h, int same)
{
    return h->goes_on[same] > MOSTLY * h->leaps[same];
}

enum tw_ip_id_scope tw_host_ip_id_scope(const struct tw_host_ip_id *h)
{
    if (is_one_counter(h, false) || is_one_counter(h, true))
        return TW_IP_ID_HOST;
    if (h->leaps[true] > MOSTLY * h->goes_on[true])
        return TW_IP_ID_FLOW;
    return h->leaps[false] > MOSTLY * h->goes_on[false] ? TW_IP_ID_PEER : TW_IP_ID_UNTOLD;
}

/* Initial TTLs. Source: DefaultTTL (Windows), IPDEFTTL (include/uapi/linux/ip.h). */
#define WINDOWS_TTL 128
#define UNIX_TTL    64

/* Windows counts all packets of a host, or since version 8 those to one peer; Linux those of a
 * connection (inet_id of struct inet_sock). */
bool tw_ip_id_counts_flow(enum tw_ip_id_scope scope, uint8_t ttl)
{
    if (scope == TW_IP_ID_FLOW || scope == TW_IP_ID_HOST)
        return scope == TW_IP_ID_FLOW;
    return ttl <= UNIX_TTL || ttl > WINDOWS_TTL;
}
