/* SPDX-License-Identifier: MIT */
/* A thread that decompresses ahead of the reader. */
#ifndef TW_SOURCE_UNPACK_AHEAD_H
#define TW_SOURCE_UNPACK_AHEAD_H

#include "source/unpack.h"

struct tw_unpack_ahead;

/* Until tw_unpack_ahead_read() reaches the end or the thread is freed, only the thread uses
 * unpack. @return NULL if no thread could be started. */
struct tw_unpack_ahead *tw_unpack_ahead_new(struct tw_unpack *unpack);
void tw_unpack_ahead_free(struct tw_unpack_ahead *ahead);

/* Like tw_unpack_read(). */
ssize_t tw_unpack_ahead_read(struct tw_unpack_ahead *ahead, uint8_t *to, size_t n);

/* Like tw_unpack_taken(), for what was read. */
uint64_t tw_unpack_ahead_taken(const struct tw_unpack_ahead *ahead);

#endif
