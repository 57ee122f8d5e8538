/* SPDX-License-Identifier: MIT */
#include "report/facts/port_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static uint64_t hash_pair(const struct tw_opening *o, uint64_t seed)
{
    uint64_t low = tw_hash_load(o->client), high = tw_hash_load(o->client + 8);

    return tw_hash_mix(tw_hash_mix(low ^ seed, high + seed),
                       ((uint64_t)o->listener << 8 | o->version) ^ ~seed);
}

static bool same_pair(const struct tw_opening *a, const struct tw_opening *b)
{
    return a->listener == b->listener && a->version == b->version &&
           memcmp(a->client, b->client, sizeof a->client) == 0;
}

static int by_time(const struct tw_opening *x, const struct tw_opening *y)
{
    if (x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

static int by_begin(const void *a, const void *b)
{
    return by_time(*(const struct tw_opening *const *)a, *(const struct tw_opening *const *)b);
}

/* Say by opening which pair it is of; pair begins as zeros. @return how many pairs there are. */
static guint tell_apart(const struct tw_opening *all, guint n_all, guint *pair_of,
                        struct tw_port_pair *pair)
{
    size_t mask = 15, at;
    uint64_t seed = tw_hash_seed();
    guint *last, *slot, n_pairs = 0;

    while (mask < 2 * (size_t)n_all)
        mask = mask * 2 + 1;
    slot = tw_new0(guint, mask + 1);  /* 1 + a pair; 0: free */
    last = tw_new0(guint, n_all + 1); /* by pair, an opening */
    for (guint i = 0; i < n_all; i++) {
        at = hash_pair(&all[i], seed) & mask;
        while (slot[at] && !same_pair(&all[last[slot[at] - 1]], &all[i]))
            at = (at + 1) & mask;
        if (!slot[at])
            slot[at] = ++n_pairs;

        guint own = pair_of[i] = slot[at] - 1;

        pair[own].mixed |= pair[own].n > 0 && by_time(&all[last[own]], &all[i]) > 0;
        pair[own].n++;
        last[own] = i;
    }
    tw_free(slot);
    tw_free(last);
    return n_pairs;
}

/* The openings, pair by pair. */
static const struct tw_opening **put_together(const struct tw_opening *all, guint n_all,
                                              const guint *pair_of, const struct tw_port_pair *pair,
                                              guint n_pairs)
{
    const struct tw_opening **opening = tw_new(const struct tw_opening *, n_all + 1);
    guint *next = tw_new(guint, n_pairs + 1), begin = 0;

    for (guint i = 0; i < n_pairs; begin += pair[i++].n)
        next[i] = begin;
    for (guint i = 0; i < n_all; i++)
        opening[next[pair_of[i]]++] = &all[i];
    tw_free(next);
    return opening;
}

void tw_port_pairs_find(const struct tw_opening *all, guint n_all, struct tw_port_pairs *out)
{
    guint *pair_of = tw_new(guint, n_all + 1), at = 0;

    out->pair = tw_new0(struct tw_port_pair, n_all + 1);
    out->n = tell_apart(all, n_all, pair_of, out->pair);
    out->opening = put_together(all, n_all, pair_of, out->pair, out->n);
    tw_free(pair_of);
    for (guint i = 0; i < out->n; at += out->pair[i++].n)
        if (out->pair[i].mixed)
            qsort(&out->opening[at], out->pair[i].n, sizeof(void *), by_begin);
}

void tw_port_pairs_clear(struct tw_port_pairs *pairs)
{
    tw_free(pairs->opening);
    tw_free(pairs->pair);
}
