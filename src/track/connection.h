/* SPDX-License-Identifier: MIT */
/*
 * Opens connections: which end is the client, and what is unknown of either.
 */
#ifndef TW_TRACK_CONNECTION_H
#define TW_TRACK_CONNECTION_H

#include "track/track.h"

/* Open the connection of a first segment, with room for that many bytes behind it. Freed by
 * tw_connection_free(). */
struct tw_connection *tw_connection_open(const struct tw_segment *segment, tcpwhy_ns now,
                                         uint32_t frame, size_t room);

/* Another segment becomes its first. */
void tw_connection_begin(struct tw_connection *connection, const struct tw_segment *segment,
                         tcpwhy_ns now, uint32_t frame);

#endif
