/* SPDX-License-Identifier: MIT */
/*
 * Things that a protocol refers to by a number or a name: prepared statements, and requests whose
 * responses carry an identifier. The table is bounded: new ones beyond that are not known.
 */
#ifndef TW_APP_IDS_H
#define TW_APP_IDS_H

#include "base/hash_table.h"
#include "app/transactions.h"

/* Zero-initialised. */
struct tw_ids {
    tw_hash_table *known;
    uint32_t open; /* the exchange that is being answered, plus one; 0: none */
};

/* @param what not NULL. */
void tw_ids_put(struct tw_ids *ids, struct tw_transactions *transactions, uint64_t id,
                const void *what);
/* NULL: unknown. */
const void *tw_ids_find(const struct tw_ids *ids, uint64_t id);
void tw_ids_forget(struct tw_ids *ids, uint64_t id);
void tw_ids_clear(struct tw_ids *ids);

size_t tw_ids_bytes(const struct tw_ids *ids);

/* An exchange whose response will tell the identifier; one in use is used anew. @return false if
 * there are too many. */
bool tw_ids_await(struct tw_ids *ids, struct tw_transactions *transactions, uint64_t id,
                  uint32_t exchange);
/* @return its index, or TW_NO_EXCHANGE. */
uint32_t tw_ids_awaited(const struct tw_ids *ids, uint64_t id);

/* The identifier of a name. */
uint64_t tw_ids_of(struct tw_bytes name);

/* The message [from, to) of the asker as an exchange whose response will tell the identifier.
 * @return its index, or TW_NO_EXCHANGE. */
uint32_t tw_ids_ask(struct tw_ids *ids, struct tw_transactions *transactions, uint64_t id,
                    int64_t from, int64_t to);
/* The message [from, to) of the answerer responds to it, or to nothing that is known. @return as
 * above. */
uint32_t tw_ids_answer(struct tw_ids *ids, struct tw_transactions *transactions, uint64_t id,
                       int64_t from, int64_t to);
/* The last byte of what is being answered came. */
void tw_ids_answered(struct tw_ids *ids, struct tw_transactions *transactions);
/* A message that belongs to no other one. @return as above. */
uint32_t tw_ids_tell(struct tw_ids *ids, struct tw_transactions *transactions, bool asks,
                     int64_t from, int64_t to);

#endif
