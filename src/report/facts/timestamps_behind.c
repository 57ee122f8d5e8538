/* SPDX-License-Identifier: MIT */
#include "report/facts/timestamps_behind.h"

#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "report/facts/connection_attempts.h"
#include "report/facts/setup.h"

/* An address's timestamp was remembered for as long (TCP_PAWS_MSL, include/net/tcp.h). */
#define REMEMBERED_NS TCPWHY_S(60)

static uint64_t hash_client(gconstpointer opening, uint64_t seed)
{
    const struct tw_opening *o = opening;

    return tw_hash_bytes(o->client, sizeof o->client, seed ^ o->version);
}

static gboolean same_client(gconstpointer a, gconstpointer b)
{
    const struct tw_opening *x = a, *y = b;

    return x->version == y->version && memcmp(x->client, y->client, sizeof x->client) == 0;
}

static int by_syn(const void *a, const void *b)
{
    const struct tw_opening *x = *(const struct tw_opening *const *)a;
    const struct tw_opening *y = *(const struct tw_opening *const *)b;

    return (x->syn_ns > y->syn_ns) - (x->syn_ns < y->syn_ns);
}

/* before: the newest of that address that was opened, or NULL. */
static void count(const struct tw_opening *o, const struct tw_opening *before,
                  struct tw_retransmit_evidence *e)
{
    bool behind;

    if (!before || o->syn_ns - before->syn_ns > REMEMBERED_NS)
        return;
    behind = (int32_t)(o->syn_tsval - before->syn_tsval) < 0;
    e->behind += behind;
    e->behind_unanswered += behind && o->unanswered > 0;
    e->not_behind += !behind && o->unanswered == 0;
}

void tw_timestamps_behind(struct tw_opening *const *attempts, guint n,
                          struct tw_retransmit_evidence *e)
{
    tw_ptr_array *all = tw_ptr_array_new();
    tw_hash_table *newest = tw_hash_table_new(hash_client, same_client);

    for (guint i = 0; i < n; i++)
        if (attempts[i]->stamped && attempts[i]->outcome != TW_SETUP_UNSEEN)
            tw_ptr_array_add(all, attempts[i]);
    tw_ptr_array_sort(all, by_syn);
    for (guint i = 0; i < all->len; i++) {
        struct tw_opening *o = tw_ptr_array_index(all, i);

        count(o, tw_hash_table_lookup(newest, o), e);
        if (o->outcome == TW_SETUP_OPEN)
            tw_hash_table_replace(newest, o, o);
    }
    tw_hash_table_destroy(newest);
    tw_ptr_array_free(all, TRUE);
}
