/* SPDX-License-Identifier: MIT */
#include "report/endpoints.h"

#include <string.h>

/* Odd constants of splitmix64: each step spreads every bit over all. */
static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

guint tw_endpoint_hash(gconstpointer key)
{
    const struct tcpwhy_endpoint *e = key;
    uint64_t half[2];

    memcpy(half, e->address, sizeof half);
    return (guint)mix(mix(half[0] + e->port) + half[1] + e->version);
}

bool tw_endpoint_same_host(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b)
{
    return a->version == b->version && memcmp(a->address, b->address, sizeof a->address) == 0;
}

gboolean tw_endpoint_equal(gconstpointer a, gconstpointer b)
{
    const struct tcpwhy_endpoint *x = a, *y = b;

    return x->port == y->port && tw_endpoint_same_host(x, y);
}
