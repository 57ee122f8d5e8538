/* SPDX-License-Identifier: MIT */
#include "engine/rejected.h"

#include <glib.h>

#include "base/hash_table.h"
#include "dissect/dissect.h"
#include "dissect/fast.h"
#include "engine/life.h"

/* Of an entry, with the hash table's own share. */
#define ENTRY_BYTES 64

struct tw_rejected {
    struct tw_tracker *tracker;
    tw_hash_table *early; /* struct early of tuples without a connection, by hash */
    guint most;
};

struct early {
    uint64_t hash;
    uint32_t count, first_frame;
};

struct tw_rejected *tw_rejected_new(struct tw_tracker *tracker, uint64_t bytes)
{
    struct tw_rejected *rejected = tw_new0(struct tw_rejected, 1);

    rejected->tracker = tracker;
    rejected->early = tw_hash_table_new_full(tw_hash_int64, g_int64_equal, NULL, tw_free);
    rejected->most = (guint)MIN(bytes / ENTRY_BYTES, UINT32_MAX / 2);
    return rejected;
}

void tw_rejected_free(struct tw_rejected *rejected)
{
    if (!rejected)
        return;
    tw_hash_table_destroy(rejected->early);
    tw_free(rejected);
}

static void add(struct tw_log *log, uint32_t count, uint32_t first_frame)
{
    if (!log)
        return;
    if (log->n_filtered == 0)
        log->first_filtered = first_frame;
    log->n_filtered += MIN(count, UINT32_MAX - log->n_filtered);
}

static void note_early(struct tw_rejected *rejected, const struct tw_tuple *tuple, uint32_t frame)
{
    uint64_t hash = tw_tracker_hash(rejected->tracker, tuple);
    struct early *early = tw_hash_table_lookup(rejected->early, &hash);

    if (early) {
        early->count += early->count < UINT32_MAX;
        return;
    }
    if (tw_hash_table_size(rejected->early) >= rejected->most)
        return;
    early = tw_new(struct early, 1);
    *early = (struct early) { hash, 1, frame };
    tw_hash_table_insert(rejected->early, &early->hash, early);
}

void tw_rejected_take(struct tw_rejected *rejected, const struct tw_frame *frame)
{
    struct tw_dissection d;
    const struct tw_connection *c;
    const struct tw_life *life;

    if (!tw_dissect_fast(frame->link_type, frame->bytes, frame->original_len, &d.segment) &&
        tw_dissect(NULL, frame->link_type, frame->bytes, frame->original_len, &d) != TW_FRAME_TCP)
        return;
    c = tw_tracker_find(rejected->tracker, &d.segment.tuple);
    life = c ? c->log : NULL;
    if (life)
        add(life->log, 1, frame->number);
    else
        note_early(rejected, &d.segment.tuple, frame->number);
}

void tw_rejected_begin(struct tw_rejected *rejected, const struct tw_connection *c)
{
    const struct tw_life *life = c->log;
    const struct early *early = rejected ? tw_hash_table_lookup(rejected->early, &c->hash) : NULL;

    if (!early)
        return;
    add(life->log, early->count, early->first_frame);
    tw_hash_table_remove(rejected->early, &c->hash);
}
