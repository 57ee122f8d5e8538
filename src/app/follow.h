/* SPDX-License-Identifier: MIT */
/*
 * The bytes of both directions in the order in which tshark's "follow" shows them.
 */
#ifndef TW_APP_FOLLOW_H
#define TW_APP_FOLLOW_H

#include "track/track.h"

/* Return false to stop. */
typedef bool (*tw_follow_fn)(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                             const uint8_t *bytes, size_t len);

struct tw_follow;

struct tw_follow *tw_follow_new(tw_follow_fn sink, void *user);
bool tw_follow_push(struct tw_follow *follow, const struct tw_tracked *tracked);
/* Give out what still waits for a hole that never filled, as tshark does at the end. */
bool tw_follow_finish(struct tw_follow *follow);
void tw_follow_free(struct tw_follow *follow);

#endif
