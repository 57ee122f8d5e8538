/* SPDX-License-Identifier: MIT */
/* A thread that reads a slow source ahead of its reader. */
#ifndef TW_SOURCE_UNPACK_AHEAD_H
#define TW_SOURCE_UNPACK_AHEAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/window.h"

struct tw_unpack_ahead;

/* Until tw_unpack_ahead_read() reaches the end or the thread is freed, only the thread uses
 * unpack, by these functions. @return NULL if no thread could be started. */
struct tw_unpack_ahead *tw_unpack_ahead_new(const struct tw_feed *feed, struct tw_unpack *unpack);
void tw_unpack_ahead_free(struct tw_unpack_ahead *ahead);

/* Like feed->read(). */
ssize_t tw_unpack_ahead_read(struct tw_unpack_ahead *ahead, uint8_t *to, size_t n);

/* Like feed->taken(), for what was read. */
uint64_t tw_unpack_ahead_taken(const struct tw_unpack_ahead *ahead);

#endif
