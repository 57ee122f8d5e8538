/* SPDX-License-Identifier: MIT */
/*
 * Requests without a final response, by the number that their response repeats (correlation id,
 * message id, transaction id).
 */
#ifndef TW_APP_PENDING_H
#define TW_APP_PENDING_H

#include <glib.h>

#include "base/hash_table.h"
#include "app/transactions.h"

/* Zero-initialised. */
struct tw_pending {
    tw_hash_table *exchange; /* by number; NULL until needed */
    uint32_t factor;         /* of the keys */
    size_t bytes;            /* estimated heap usage */
};

/* A number that is in use is used anew. @return false if there are too many. */
bool tw_pending_add(struct tw_pending *pending, uint32_t id, uint32_t exchange);

/* @return the index of the exchange, or TW_NO_EXCHANGE. */
uint32_t tw_pending_find(const struct tw_pending *pending, uint32_t id);

void tw_pending_remove(struct tw_pending *pending, uint32_t id);

uint32_t tw_pending_count(const struct tw_pending *pending);

void tw_pending_clear(struct tw_pending *pending);

#endif
