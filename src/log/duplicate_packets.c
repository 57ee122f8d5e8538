/* SPDX-License-Identifier: MIT */
#include "log/duplicate_packets.h"

#include <string.h>

#include <glib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/select.h"

/* Of several identical packets (retransmitted without an IP ID), two belong together if their
 * distance is that of nearly all other pairs, within this factor ... */
#define WAY_VARIES 2
#define OUTLIERS   20
/* ... and if they reach the second point in about the order of the first. */

/* Limit of identical packets that wait for duplicates: duplicate ACKs in flight, or packets that
 * differ only in fields outside the hash. */
#define LOOK_AT 256

#define NONE UINT32_MAX

/* Chains of identical records. */
struct chains {
    const struct tw_log *log;
    uint32_t *newest; /* by hash */
    uint64_t mask, seed;
    uint32_t *below;         /* per record: the previous one with that hash, or NONE */
    uint32_t *older, *newer; /* per record: previous and next identical record */
    uint32_t *after,
        *before; /* per record: expected position of its duplicate, by its neighbours */
    tcpwhy_ns from_ns[2], to_ns[2]; /* between two sightings, by sender */
};

static bool is_alike(const struct tw_log *log, const struct tw_record *a, const struct tw_record *b)
{
    if (a->seq != b->seq || a->ack != b->ack || a->len != b->len || a->ip_id != b->ip_id ||
        a->from != b->from || a->flags != b->flags || a->options != b->options ||
        a->window_bytes != b->window_bytes || a->n_sack != b->n_sack)
        return false;
    if ((a->options & TW_OPT_TIMESTAMP) && (a->tsval != b->tsval || a->tsecr != b->tsecr))
        return false;
    return a->n_sack == 0 ||
           memcmp(log->sack + a->sack, log->sack + b->sack, a->n_sack * sizeof *log->sack) == 0;
}

static uint64_t hash_of(const struct chains *c, const struct tw_record *r)
{
    uint64_t stamp = r->options & TW_OPT_TIMESTAMP ? r->tsval : 0;
    uint64_t h = tw_hash_mix(c->seed ^ (uint64_t)r->seq, (uint64_t)r->ack ^ c->seed >> 7 ^ 1);

    return tw_hash_mix(h ^ (stamp << 32 | r->len << 1 | r->from), c->seed + r->ip_id) & c->mask;
}

static void chain_up(struct chains *c)
{
    for (uint32_t i = 0; i < c->log->n; i++) {
        const struct tw_record *r = &c->log->record[i];
        uint32_t *newest = &c->newest[hash_of(c, r)], like = *newest, looks = LOOK_AT;

        while (like != NONE && !is_alike(c->log, &c->log->record[like], r))
            like = looks-- > 0 ? c->below[like] : NONE;
        c->below[i] = *newest;
        c->older[i] = like;
        c->newer[i] = NONE;
        if (like != NONE)
            c->newer[like] = i;
        *newest = i;
    }
}

static tcpwhy_ns apart(const struct tw_log *log, uint32_t a, uint32_t b)
{
    return log->record[b].time_ns - log->record[a].time_ns;
}

/* Is the record the first of exactly two identical ones? */
static bool begins_pair(const struct chains *c, uint32_t i)
{
    return c->older[i] == NONE && c->newer[i] != NONE && c->newer[c->newer[i]] == NONE;
}

/* Distance between the two sightings of a side's packets, from unambiguous pairs. */
static void measure(struct chains *c, enum tcpwhy_side side, struct tw_duplicate_packets *out)
{
    tcpwhy_ns *value = tw_new(tcpwhy_ns, c->log->n);
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->log->n; i++)
        if (c->log->record[i].from == (uint8_t)side && begins_pair(c, i))
            value[n++] = apart(c->log, i, c->newer[i]);
    if (n > 0) {
        out->least[side] = tw_select_ns(value, n, n / OUTLIERS);
        c->from_ns[side] = out->least[side] / WAY_VARIES;
        c->to_ns[side] = tw_select_ns(value, n, n - 1 - n / OUTLIERS) * WAY_VARIES;
    }
    tw_free(value);
}

/* After the duplicates of earlier records, and before those of later ones. */
static void bracket(struct chains *c)
{
    uint32_t after[2] = { 0, 0 }, before[2] = { NONE, NONE };

    for (uint32_t i = 0; i < c->log->n; i++) {
        uint32_t *own = &after[c->log->record[i].from];

        c->after[i] = *own;
        if (begins_pair(c, i))
            *own = MAX(*own, c->newer[i]);
    }
    for (uint32_t i = c->log->n; i-- > 0;) {
        uint32_t *own = &before[c->log->record[i].from];

        c->before[i] = *own;
        if (begins_pair(c, i))
            *own = MIN(*own, c->newer[i]);
    }
}

static bool may_be_twins(const struct chains *c, uint32_t first, uint32_t second)
{
    return apart(c->log, first, second) >= c->from_ns[c->log->record[first].from] &&
           second >= MIN(c->after[first], c->before[first]) &&
           second <= MAX(c->after[first], c->before[first]);
}

/* Might another record than the nearest be the duplicate of a segment? */
static bool is_open(const struct chains *c, uint32_t first)
{
    uint32_t looks = LOOK_AT, may = 0;

    for (uint32_t j = c->newer[first]; j != NONE && looks-- > 0 && may < 2; j = c->newer[j])
        may += may_be_twins(c, first, j);
    return may > 1 && c->log->record[first].len > 0;
}

/* The first identical record that waits for its duplicate; or NONE. */
static uint32_t waits_for(const struct chains *c, const struct tw_duplicate_packets *duplicates,
                          uint32_t i)
{
    uint32_t found = NONE, looks = LOOK_AT;

    for (uint32_t j = c->older[i]; j != NONE && looks-- > 0; j = c->older[j])
        if (duplicates->twin[j] == TW_NO_TWIN && may_be_twins(c, j, i) &&
            apart(c->log, j, i) <= c->to_ns[c->log->record[j].from])
            found = j;
    return found;
}

static void pair(const struct chains *c, struct tw_duplicate_packets *out)
{
    for (uint32_t i = 0; i < c->log->n; i++) {
        uint32_t twin = c->older[i];

        out->unsure |= is_open(c, i);
        out->n[c->log->record[i].from]++;
        out->twin[i] = TW_NO_TWIN;
        if (twin != NONE && !begins_pair(c, twin))
            twin = waits_for(c, out, i);
        if (twin == NONE)
            continue;
        out->twin[i] = twin;
        out->twin[twin] = i;
        out->pairs[c->log->record[i].from]++;
    }
}

void tw_duplicate_packets_find(const struct tw_log *log, uint64_t seed,
                               struct tw_duplicate_packets *out)
{
    struct chains c = { .log = log, .mask = 1, .seed = seed };

    *out = (struct tw_duplicate_packets) { .least = { TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN } };
    while (c.mask < log->n)
        c.mask = c.mask << 1 | 1;
    c.newest = tw_new(uint32_t, c.mask + 1);
    memset(c.newest, 0xff, (c.mask + 1) * sizeof *c.newest);
    c.below = tw_new(uint32_t, log->n);
    c.older = tw_new(uint32_t, log->n);
    c.newer = tw_new(uint32_t, log->n);
    c.after = tw_new(uint32_t, log->n);
    c.before = tw_new(uint32_t, log->n);
    out->twin = tw_new(uint32_t, log->n);
    chain_up(&c);
    for (int i = 0; i < 2; i++)
        measure(&c, (enum tcpwhy_side)i, out);
    bracket(&c);
    pair(&c, out);
    tw_free(c.newest);
    tw_free(c.below);
    tw_free(c.older);
    tw_free(c.newer);
    tw_free(c.after);
    tw_free(c.before);
}

void tw_duplicate_packets_clear(struct tw_duplicate_packets *duplicates)
{
    tw_free(duplicates->twin);
    duplicates->twin = NULL;
}
