/* SPDX-License-Identifier: MIT */
/* Facts met while a file is read, one per kind, with counts. */
#include "base/array.h"
#include "source/internal.h"
#include "source/source.h"

static struct tw_source_fact *find_fact(const struct tw_source *source,
                                        enum tw_source_fact_kind kind)
{
    for (guint i = 0; i < source->facts->len; i++) {
        struct tw_source_fact *fact = &tw_array_index(source->facts, struct tw_source_fact, i);

        if (fact->kind == kind)
            return fact;
    }
    return NULL;
}

bool tw_source_has_fact(const struct tw_source *source, enum tw_source_fact_kind kind)
{
    return find_fact(source, kind) != NULL;
}

void tw_source_merge_fact(struct tw_source *source, const struct tw_source_fact *fact)
{
    struct tw_source_fact *known = find_fact(source, fact->kind);

    if (!known)
        tw_array_append_val(source->facts, *fact);
    else if (__builtin_add_overflow(known->count, fact->count, &known->count))
        known->count = UINT64_MAX;
}

void tw_source_add_fact(struct tw_source *source, enum tw_source_fact_kind kind, uint64_t count)
{
    struct tw_source_fact fact = { kind, source->n_frames, count };

    tw_source_merge_fact(source, &fact);
}

const struct tw_source_fact *tw_source_facts(const struct tw_source *source, size_t *n)
{
    *n = source->facts->len;
    return (const struct tw_source_fact *)(const void *)source->facts->data;
}
