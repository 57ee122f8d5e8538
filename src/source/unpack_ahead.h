/* SPDX-License-Identifier: MIT */
/* A thread that decompresses ahead of the one that reads, which then waits for the slower of both.
 */
#ifndef TW_SOURCE_UNPACK_AHEAD_H
#define TW_SOURCE_UNPACK_AHEAD_H

#include "source/unpack.h"

struct tw_unpack_ahead;

/* From now on the thread alone touches unpack, until tw_unpack_ahead_read() has come to the end or
 * the thread is freed. @return NULL when there is no thread to be had. */
struct tw_unpack_ahead *tw_unpack_ahead_new(struct tw_unpack *unpack);
void tw_unpack_ahead_free(struct tw_unpack_ahead *ahead);

/* As tw_unpack_read(). */
ssize_t tw_unpack_ahead_read(struct tw_unpack_ahead *ahead, uint8_t *to, size_t n);

/* As tw_unpack_taken(), of what was read. */
uint64_t tw_unpack_ahead_taken(const struct tw_unpack_ahead *ahead);

#endif
