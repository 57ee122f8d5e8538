/* SPDX-License-Identifier: MIT */
/*
 * How a connection begins: which end is its client, and what is not known of either.
 */
#ifndef TW_TRACK_CONNECTION_H
#define TW_TRACK_CONNECTION_H

#include "track/track.h"

/* The connection of that first segment, with so much room behind it. Freed by
 * tw_connection_free(). */
struct tw_connection *tw_connection_open(const struct tw_segment *segment, tcpwhy_ns now,
                                         uint32_t frame, size_t room);

/* Another segment than the one that opened it is its first. */
void tw_connection_begin(struct tw_connection *connection, const struct tw_segment *segment,
                         tcpwhy_ns now, uint32_t frame);

#endif
