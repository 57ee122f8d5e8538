/* SPDX-License-Identifier: MIT */
/*
 * IP reassembly. A bitmap in units of 8 bytes records which parts have arrived, so that order and
 * overlaps cost no more than the bytes; the first copy of a byte wins.
 */
#include "dissect/defrag.h"

#include <string.h>

#include <glib.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hash_table.h"

#define PROTO_TCP 6

#define UNIT          8u
#define DATAGRAM_MAX  65535u
#define UNITS_MAX     (DATAGRAM_MAX / UNIT + 1)
#define CAPACITY_MIN  2048u
#define CAPACITY_MAX  (UNITS_MAX * UNIT)
#define BITS_PER_WORD 64

/* RFC 8200 section 4.5: a datagram is discarded 60 seconds after its first fragment. */
#define WAIT_MAX TCPWHY_S(60)

/* 500 datagrams of maximum size; Linux grants 4 MiB (ip_frag_high_thresh). */
#define BYTES_MAX (32u << 20)

struct key {
    uint8_t address[2][16];
    uint32_t id;
    uint16_t vlan;
    uint8_t version;
    uint8_t protocol; /* 0 in IPv6, which does not use it as key */
};

struct datagram {
    struct key key;
    struct datagram *older, *newer; /* by arrival of their first fragment */
    tcpwhy_ns first_ns;
    uint32_t first_frame;
    uint32_t n_fragments;
    uint32_t n_units; /* received */
    uint32_t total;   /* bytes; 0 until the last fragment has arrived */
    uint32_t end;     /* end of the furthest fragment, bytes */
    uint32_t capacity;
    uint8_t *bytes;
    uint8_t protocol; /* of the first fragment, or of any until it has arrived */
    uint64_t come[UNITS_MAX / BITS_PER_WORD];
};

struct tw_defrag {
    tw_hash_table *waiting; /* struct key within struct datagram to that datagram */
    struct datagram *oldest, *newest;
    size_t charged;     /* memory of pending datagrams, bytes */
    tw_ptr_array *done; /* datagrams completed by this frame */
    struct tw_defrag_facts facts;
    tcpwhy_ns now;
    uint32_t frame;
};

/* ---- lookup -------------------------------------------------------------------------------- */

static struct key key_of(const struct tw_fragment *f)
{
    struct key key = { .id = f->id,
                       .vlan = f->vlan,
                       .version = f->version,
                       .protocol = f->version == 4 ? f->protocol : 0 };

    memcpy(key.address, f->address, sizeof key.address);
    return key;
}

static uint64_t hash_key(gconstpointer key, uint64_t seed)
{
    const struct key *k = key;
    const uint64_t rest =
        (uint64_t)k->id << 32 | (uint32_t)k->vlan << 16 | (uint32_t)k->version << 8 | k->protocol;

    return tw_hash_bytes(k->address, sizeof k->address, seed ^ rest);
}

static gboolean same_key(gconstpointer a, gconstpointer b)
{
    const struct key *one = a, *other = b;

    return one->id == other->id && one->vlan == other->vlan && one->version == other->version &&
           one->protocol == other->protocol &&
           memcmp(one->address, other->address, sizeof one->address) == 0;
}

struct tw_defrag *tw_defrag_new(void)
{
    struct tw_defrag *defrag = tw_new0(struct tw_defrag, 1);

    defrag->waiting = tw_hash_table_new(hash_key, same_key);
    defrag->done = tw_ptr_array_new_with_free_func(tw_free);
    return defrag;
}

/* ---- creation and removal ------------------------------------------------------------------ */

static struct datagram *begin_datagram(struct tw_defrag *defrag, const struct key *key)
{
    struct datagram *d = tw_new0(struct datagram, 1);

    d->key = *key;
    d->first_ns = defrag->now;
    d->first_frame = defrag->frame;
    d->older = defrag->newest;
    if (d->older)
        d->older->newer = d;
    else
        defrag->oldest = d;
    defrag->newest = d;
    defrag->charged += sizeof *d;
    tw_hash_table_add(defrag->waiting, d);
    return d;
}

/* Unlink it; its bytes pass to the caller. */
static uint8_t *end_datagram(struct tw_defrag *defrag, struct datagram *d)
{
    uint8_t *bytes = d->bytes;

    tw_hash_table_remove(defrag->waiting, d);
    if (d->older)
        d->older->newer = d->newer;
    else
        defrag->oldest = d->newer;
    if (d->newer)
        d->newer->older = d->older;
    else
        defrag->newest = d->older;
    defrag->charged -= sizeof *d + d->capacity;
    tw_free(d);
    return bytes;
}

static void count(uint64_t *n, uint32_t *first, uint64_t more, uint32_t frame)
{
    if (more > 0 && (*n == 0 || frame < *first))
        *first = frame;
    *n += more;
}

static void count_incomplete(struct tw_defrag_facts *facts, const struct datagram *d)
{
    if (d->protocol == PROTO_TCP)
        count(&facts->incomplete, &facts->first_incomplete, d->n_fragments, d->first_frame);
}

/* NOLINTBEGIN(clang-analyzer-unix.Malloc): end_datagram() takes it off the list, in a hash table
 * that the analyzer does not look into. */
static void give_up(struct tw_defrag *defrag, struct datagram *d)
{
    count_incomplete(&defrag->facts, d);
    tw_free(end_datagram(defrag, d));
}

void tw_defrag_free(struct tw_defrag *defrag)
{
    if (!defrag)
        return;
    while (defrag->oldest)
        give_up(defrag, defrag->oldest);
    tw_hash_table_destroy(defrag->waiting);
    tw_ptr_array_free(defrag->done, TRUE);
    tw_free(defrag);
}

void tw_defrag_begin(struct tw_defrag *defrag, tcpwhy_ns now, uint32_t frame)
{
    defrag->now = now;
    defrag->frame = frame;
    if (defrag->done->len > 0)
        tw_ptr_array_set_size(defrag->done, 0);
    while (defrag->oldest && now - defrag->oldest->first_ns > WAIT_MAX)
        give_up(defrag, defrag->oldest);
}

/* ---- bytes --------------------------------------------------------------------------------- */

static void make_room(struct tw_defrag *defrag, struct datagram *d, uint32_t end)
{
    uint32_t capacity = MAX(d->capacity, CAPACITY_MIN);

    while (capacity < end)
        capacity *= 2;
    capacity = MIN(capacity, CAPACITY_MAX);
    if (capacity == d->capacity)
        return;
    d->bytes = tw_realloc(d->bytes, capacity);
    defrag->charged += capacity - d->capacity;
    d->capacity = capacity;
    while (defrag->charged > BYTES_MAX && defrag->oldest != d)
        give_up(defrag, defrag->oldest);
}

/* NOLINTEND(clang-analyzer-unix.Malloc) */

/* Copy bytes that are new. @return false if they contradict earlier ones. */
static bool fill(struct datagram *d, uint32_t offset, struct tw_bytes bytes)
{
    bool agrees = true;

    for (uint32_t at = 0; at < bytes.len; at += UNIT) {
        uint32_t unit = (offset + at) / UNIT, n = MIN(UNIT, (uint32_t)bytes.len - at);
        uint64_t bit = UINT64_C(1) << unit % BITS_PER_WORD;
        uint64_t *word = &d->come[unit / BITS_PER_WORD];

        if (*word & bit) {
            agrees &= memcmp(d->bytes + offset + at, bytes.data + at, n) == 0;
            continue;
        }
        memcpy(d->bytes + offset + at, bytes.data + at, n);
        *word |= bit;
        d->n_units++;
    }
    return agrees;
}

/* Is the fragment's end consistent with what is known of the datagram's? */
static bool fits(const struct datagram *d, uint32_t end, bool more)
{
    if (d->total != 0)
        return more ? end <= d->total : end == d->total;
    return more || end >= d->end;
}

static bool is_whole(const struct datagram *d)
{
    return d->total != 0 && d->n_units == (d->total + UNIT - 1) / UNIT;
}

enum tw_defrag_result tw_defrag_add(struct tw_defrag *defrag, struct tw_fragment *f)
{
    struct key key = key_of(f);
    struct datagram *d = tw_hash_table_lookup(defrag->waiting, &key);
    /* Only the last fragment may end within a unit; excess bytes are dropped, as in Linux. */
    struct tw_bytes bytes =
        f->more ? tw_bytes_first(f->bytes, f->bytes.len / UNIT * UNIT) : f->bytes;
    uint32_t end;
    bool agrees;

    if (bytes.len == 0 || bytes.len > DATAGRAM_MAX - f->offset)
        return TW_DEFRAG_IMPOSSIBLE;
    end = f->offset + (uint32_t)bytes.len;
    if (!d)
        d = begin_datagram(defrag, &key);
    d->n_fragments++;
    if (f->offset == 0 || d->n_fragments == 1)
        d->protocol = f->protocol;
    agrees = fits(d, end, f->more);
    if (agrees) {
        make_room(defrag, d, end);
        agrees = fill(d, f->offset, bytes);
        d->end = MAX(d->end, end);
        d->total = f->more ? d->total : end;
    }
    if (!agrees)
        count(&defrag->facts.overlaps, &defrag->facts.first_overlap, 1, defrag->frame);
    if (!is_whole(d))
        return TW_DEFRAG_WAITS;
    f->offset = 0;
    f->more = false;
    f->protocol = d->protocol;
    f->bytes = tw_bytes(d->bytes, d->total);
    tw_ptr_array_add(defrag->done, end_datagram(defrag, d));
    return TW_DEFRAG_WHOLE;
}

void tw_defrag_miss(struct tw_defrag *defrag)
{
    count(&defrag->facts.incomplete, &defrag->facts.first_incomplete, 1, defrag->frame);
}

struct tw_defrag_facts tw_defrag_facts(const struct tw_defrag *defrag)
{
    struct tw_defrag_facts facts = defrag->facts;

    for (const struct datagram *d = defrag->oldest; d; d = d->newer)
        count_incomplete(&facts, d);
    return facts;
}
