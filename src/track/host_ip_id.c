/* SPDX-License-Identifier: MIT */
#include "track/host_ip_id.h"

/* Where one counter serves both flows, so many times as many steps go on as leap: frames are
 * captured out of order, and two counters of their own may stand near each other, where every
 * second step goes on. Unit: ratio. Source: judgement. */
#define MOSTLY 2

static void count(uint16_t *n)
{
    *n += *n < UINT16_MAX;
}

/* 0 is what hosts write that do not count (RFC 6864, section 4.1). */
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

/* Systems begin with these. Source: DefaultTTL (Windows), IPDEFTTL (include/uapi/linux/ip.h). */
#define WINDOWS_TTL 128
#define UNIX_TTL    64

/* Windows counts all packets of a host in one, or since version 8 those to the same host; Linux
 * those of a connection (inet_id of struct inet_sock). */
bool tw_ip_id_counts_flow(enum tw_ip_id_scope scope, uint8_t ttl)
{
    if (scope == TW_IP_ID_FLOW || scope == TW_IP_ID_HOST)
        return scope == TW_IP_ID_FLOW;
    return ttl <= UNIX_TTL || ttl > WINDOWS_TTL;
}
