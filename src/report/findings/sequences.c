/* SPDX-License-Identifier: MIT */
#include "report/findings/sequences.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "explain/distance/window_kinds.h"
#include "explain/thresholds.h"
#include "report/endpoints.h"
#include "report/findings/finding_accumulator.h"
#include "report/findings/finding_merge.h"

struct sequence {
    struct tw_finding_row key;
    struct tw_finding_accumulator *accumulator; /* those that follow another one */
    tcpwhy_ns to_ns;                            /* the last one's end */
    uint32_t parallel;                          /* that began before */
};

struct tw_sequences {
    tw_hash_table *table; /* struct sequence, by its key */
};

static void free_sequence(gpointer data)
{
    struct sequence *s = data;

    if (s->accumulator)
        tw_finding_accumulator_free(s->accumulator);
    tw_free(s);
}

struct tw_sequences *tw_sequences_new(void)
{
    struct tw_sequences *all = tw_new0(struct tw_sequences, 1);

    all->table = tw_hash_table_new_full(tw_finding_hash, tw_finding_same, NULL, free_sequence);
    return all;
}

struct tw_sequences *tw_sequences_copy(const struct tw_sequences *from)
{
    struct tw_sequences *all = tw_sequences_new();
    tw_hash_table_iter iter;
    gpointer value;

    tw_hash_table_iter_init(&iter, from->table);
    while (tw_hash_table_iter_next(&iter, NULL, &value)) {
        struct sequence *s = tw_memdup2(value, sizeof *s);

        s->accumulator = tw_finding_accumulator_copy(s->accumulator);
        tw_hash_table_insert(all->table, &s->key, s);
    }
    return all;
}

void tw_sequences_free(struct tw_sequences *all)
{
    tw_hash_table_destroy(all->table);
    tw_free(all);
}

static struct sequence *find(struct tw_sequences *all, const struct tw_finding_row *key,
                             const struct tw_finding_row *full, guint most)
{
    struct sequence *s = tw_hash_table_lookup(all->table, key);

    if (s || tw_hash_table_size(all->table) >= most)
        return s;
    s = tw_new0(struct sequence, 1);
    s->key = *key;
    s->accumulator = tw_finding_accumulator_new(key, full, false);
    s->to_ns = INT64_MIN / 2; /* follows nothing */
    tw_hash_table_insert(all->table, &s->key, s);
    return s;
}

void tw_sequences_add(struct tw_sequences *all, const struct tw_stream_row *stream,
                      const struct tw_log *log, const struct tw_short_way *way, uint32_t keep,
                      guint most)
{
    tcpwhy_ns way_ns = way->span.to_ns - way->span.from_ns, since_ns;
    struct tw_finding_row key, full;
    struct sequence *s;

    if (way_ns == 0)
        return;
    tw_finding_accumulator_describe(stream, &way->span, &key, &full);
    s = find(all, &key, &full, most);
    if (!s)
        return;
    since_ns = way->span.from_ns - s->to_ns;
    s->parallel += since_ns < 0;
    if (since_ns >= 0 && since_ns <= MAX(TW_QUIET_NS, way_ns))
        tw_finding_accumulator_add(s->accumulator, &full,
                                   &(struct tw_finding_accumulator_wait) {
                                       stream, log, &way->span, way->index, way_ns, false },
                                   keep);
    s->to_ns = MAX(s->to_ns, way->to_ns);
}

/* Many, and no other connection of the two went on meanwhile. */
static bool matters(const struct sequence *s)
{
    const struct tw_finding_row *f = &s->accumulator->finding;

    return f->count > TW_MANY && f->cost_ns >= TW_FACTOR * TW_FLOW_OF_THOUGHT_NS &&
           s->parallel <= f->count / TW_EXCEPTIONS_SHARE;
}

void tw_sequences_close(struct tw_sequences *all, tw_ptr_array *groups)
{
    const struct tcpwhy_detail kind = { .name = "kind", .text = tw_window_kind_reconnects };
    tw_hash_table_iter iter;
    gpointer value;

    tw_hash_table_iter_init(&iter, all->table);
    while (tw_hash_table_iter_next(&iter, NULL, &value)) {
        struct sequence *s = value;

        if (!matters(s))
            continue;
        tw_array_append_val(s->accumulator->details, kind);
        tw_ptr_array_add(groups, s->accumulator);
        s->accumulator = NULL;
        tw_hash_table_iter_remove(&iter);
    }
}

size_t tw_sequences_bytes(const struct tw_sequences *all)
{
    return tw_hash_table_size(all->table) *
           (sizeof(struct sequence) + sizeof(struct tw_finding_accumulator) + TW_ENTRY_BYTES);
}
