/* SPDX-License-Identifier: MIT */
#include "report/endpoints.h"

#include <string.h>

#include "base/hash.h"

guint tw_endpoint_hash(gconstpointer endpoint)
{
    return (guint)tw_hash_endpoint(endpoint, 0);
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
