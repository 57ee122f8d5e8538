/* SPDX-License-Identifier: MIT */
#include "report/endpoints.h"

#include <string.h>

#include "base/hash.h"

uint64_t tw_endpoint_hash(gconstpointer key, uint64_t seed)
{
    const struct tcpwhy_endpoint *e = key;
    uint64_t h = tw_hash_mix(tw_hash_load(e->address) ^ seed, tw_hash_load(e->address + 8) ^ ~seed);

    return tw_hash_mix(h ^ e->port ^ (uint64_t)e->version << 16, seed | 1);
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

bool tw_endpoint_is_loopback(const struct tcpwhy_endpoint *e)
{
    static const uint8_t one[16] = { [15] = 1 };

    return e->version == 4 ? e->address[0] == 127
                           : e->version == 6 && memcmp(e->address, one, sizeof one) == 0;
}
