/* SPDX-License-Identifier: MIT */
/*
 * The bytes of both directions of one connection in the order in which tshark's "follow" shows
 * them. What still waits for a hole at the end of the capture is not shown, as there.
 */
#ifndef TW_APP_FOLLOW_H
#define TW_APP_FOLLOW_H

#include "track/track.h"

/*
 * frame is the one that brought the bytes; of a hole's text, the one that acknowledged past it. The
 * first call has no bytes: it names the side that tshark calls "Node 0". Return false to stop.
 */
typedef bool (*tw_follow_fn)(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                             const uint8_t *bytes, size_t len);

struct tw_follow;

struct tw_follow *tw_follow_new(tw_follow_fn sink, void *user);
/* @return false when the sink asked to stop. */
bool tw_follow_push(struct tw_follow *follow, const struct tw_tracked *tracked);
void tw_follow_free(struct tw_follow *follow);

#endif
