/* SPDX-License-Identifier: MIT */
#include "app/ids.h"

#include "base/hash.h"
#include "base/hash_table.h"

/* The largest limit of the protocols here: MySQL's default of prepared statements
 * (max_prepared_stmt_count). No client has as many requests in flight (SMB grants at most 8192
 * credits: MS-SMB2, appendix A). */
#define MAX_IDS 16382

/* Size of a tw_hash_table's entry, about. */
#define ENTRY_BYTES 32

/* FNV-1a's prime. */
#define FNV_PRIME UINT64_C(0x100000001b3)

static gpointer key_of(uint64_t id)
{
    return (gpointer)(uintptr_t)id;
}

void tw_ids_put(struct tw_ids *ids, struct tw_transactions *transactions, uint64_t id,
                const void *what)
{
    if (!ids->known)
        ids->known = tw_hash_table_new(NULL, NULL);
    if (tw_hash_table_size(ids->known) < MAX_IDS || tw_hash_table_contains(ids->known, key_of(id)))
        tw_hash_table_insert(ids->known, key_of(id), (gpointer)(uintptr_t)what);
    transactions->state_bytes = tw_ids_bytes(ids);
}

size_t tw_ids_bytes(const struct tw_ids *ids)
{
    return ids->known ? tw_hash_table_size(ids->known) * (size_t)ENTRY_BYTES : 0;
}

const void *tw_ids_find(const struct tw_ids *ids, uint64_t id)
{
    return ids->known ? tw_hash_table_lookup(ids->known, key_of(id)) : NULL;
}

void tw_ids_forget(struct tw_ids *ids, uint64_t id)
{
    if (ids->known)
        tw_hash_table_remove(ids->known, key_of(id));
}

void tw_ids_clear(struct tw_ids *ids)
{
    if (ids->known)
        tw_hash_table_destroy(ids->known);
    ids->known = NULL;
}

uint64_t tw_ids_of(struct tw_bytes name)
{
    uint64_t id = name.len;

    for (size_t i = 0; i < name.len; i++)
        id = (id ^ name.data[i]) * FNV_PRIME;
    return id;
}

/* Kept as index + 1: NULL is an id that is not awaited. */
bool tw_ids_await(struct tw_ids *ids, struct tw_transactions *t, uint64_t id, uint32_t exchange)
{
    tw_ids_put(ids, t, id, GUINT_TO_POINTER(exchange + 1));
    return tw_ids_awaited(ids, id) == exchange;
}

uint32_t tw_ids_awaited(const struct tw_ids *ids, uint64_t id)
{
    const guint known = GPOINTER_TO_UINT(tw_ids_find(ids, id));

    return known > 0 ? known - 1 : TW_NO_EXCHANGE;
}

static uint32_t answer(struct tw_ids *ids, struct tw_transactions *t, uint32_t index, int64_t from,
                       int64_t to)
{
    struct tw_exchange *e = tw_transactions_at(t, index);

    e->response_from = from;
    e->response_to = to;
    ids->open = index + 1;
    return index;
}

uint32_t tw_ids_ask(struct tw_ids *ids, struct tw_transactions *t, uint64_t id, int64_t from,
                    int64_t to)
{
    uint32_t index = tw_ids_tell(ids, t, true, from, to);

    if (index != TW_NO_EXCHANGE)
        tw_ids_await(ids, t, id, index);
    return index;
}

uint32_t tw_ids_answer(struct tw_ids *ids, struct tw_transactions *t, uint64_t id, int64_t from,
                       int64_t to)
{
    const uint32_t index = tw_ids_awaited(ids, id);

    if (index == TW_NO_EXCHANGE)
        return tw_ids_tell(ids, t, false, from, to);
    tw_ids_forget(ids, id);
    return answer(ids, t, index, from, to);
}

void tw_ids_answered(struct tw_ids *ids, struct tw_transactions *t)
{
    if (ids->open > 0)
        tw_transactions_at(t, ids->open - 1)->complete = true;
    ids->open = 0;
}

uint32_t tw_ids_tell(struct tw_ids *ids, struct tw_transactions *t, bool asks, int64_t from,
                     int64_t to)
{
    int64_t asked = asks ? from : t->reached[t->asker], heard = t->reached[!t->asker];
    uint32_t index = tw_transactions_open(t, asked, asks ? to : asked);

    if (index == TW_NO_EXCHANGE)
        return index;
    answer(ids, t, index, asks ? heard : from, asks ? heard : to);
    if (asks)
        ids->open = 0;
    return index;
}
