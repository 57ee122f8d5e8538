/* SPDX-License-Identifier: MIT */
/*
 * Payload of both directions of a connection in the order of tshark's "follow". Data still behind a
 * hole at the end of the capture is not shown, as there.
 */
#ifndef TW_APP_FOLLOW_H
#define TW_APP_FOLLOW_H

#include "track/track.h"

/*
 * frame is the one that delivered the bytes; for a hole's text, the one that acknowledged past it.
 * The first call has no bytes: it names the side that tshark calls "Node 0". Return false to stop.
 */
typedef bool (*tw_follow_fn)(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                             const uint8_t *bytes, size_t len);

struct tw_follow;

struct tw_follow *tw_follow_new(tw_follow_fn sink, void *user);
/* @return false if the sink stopped it. */
bool tw_follow_push(struct tw_follow *follow, const struct tw_tracked *tracked);
void tw_follow_free(struct tw_follow *follow);

#endif
