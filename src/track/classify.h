/* SPDX-License-Identifier: MIT */
/*
 * Classifies frames by the state of their connection: our own classes, not Wireshark's.
 */
#ifndef TW_TRACK_CLASSIFY_H
#define TW_TRACK_CLASSIFY_H

#include "track/track.h"

/*
 * Fill in class, facts, offsets and window of *out, whose connection, segment, from, time and frame
 * are set, and update both sides of the connection.
 */
void tw_classify(struct tw_tracked *out);

/* The same for the usual frames of a settled connection, with from not set yet. @return false if it
 * is another kind of frame: then nothing was done. */
bool tw_classify_fast(struct tw_tracked *out, enum tcpwhy_side from);

bool tw_connection_is_settled(const struct tw_connection *connection);

#endif
