/* SPDX-License-Identifier: MIT */
#include "app/pending.h"

#include "base/hash.h"
#include "base/hash_table.h"

/* SMB grants at most 8192 credits (MS-SMB2, appendix A); others need fewer. */
#define MAX_PENDING 16384

/* Estimated heap usage of an entry. */
#define ENTRY_BYTES 32

/* An odd factor makes no two numbers one, and the author of a capture does not know which collide.
 */
static gpointer key_of(const struct tw_pending *pending, uint32_t id)
{
    return GUINT_TO_POINTER(id * pending->factor);
}

bool tw_pending_add(struct tw_pending *pending, uint32_t id, uint32_t exchange)
{
    if (!pending->exchange) {
        pending->exchange = tw_hash_table_new(NULL, NULL);
        pending->factor = (uint32_t)tw_hash_seed() | 1;
    }
    if (tw_hash_table_size(pending->exchange) >= MAX_PENDING)
        return false;
    tw_hash_table_insert(pending->exchange, key_of(pending, id), GUINT_TO_POINTER(exchange + 1));
    pending->bytes = tw_hash_table_size(pending->exchange) * (size_t)ENTRY_BYTES;
    return true;
}

uint32_t tw_pending_find(const struct tw_pending *pending, uint32_t id)
{
    guint found = 0;

    if (pending->exchange)
        found = GPOINTER_TO_UINT(tw_hash_table_lookup(pending->exchange, key_of(pending, id)));
    return found ? found - 1 : TW_NO_EXCHANGE;
}

void tw_pending_remove(struct tw_pending *pending, uint32_t id)
{
    if (!pending->exchange)
        return;
    tw_hash_table_remove(pending->exchange, key_of(pending, id));
    pending->bytes = tw_hash_table_size(pending->exchange) * (size_t)ENTRY_BYTES;
}

uint32_t tw_pending_count(const struct tw_pending *pending)
{
    return pending->exchange ? tw_hash_table_size(pending->exchange) : 0;
}

void tw_pending_clear(struct tw_pending *pending)
{
    if (pending->exchange)
        tw_hash_table_unref(pending->exchange);
    pending->exchange = NULL;
    pending->bytes = 0;
}
