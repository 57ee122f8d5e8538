/* SPDX-License-Identifier: MIT */
/*
 * What a frame is, decided from the state of its connection: our own class, not Wireshark's.
 */
#ifndef TW_TRACK_CLASSIFY_H
#define TW_TRACK_CLASSIFY_H

#include "track/track.h"

/*
 * Fill class, facts, offsets and window of *out, whose connection, segment, from, time and frame
 * are set, and bring both sides of the connection up to date.
 */
void tw_classify(struct tw_tracked *out);

/* The same for what most frames of a settled connection are, with from not set yet. @return false
 * when it is something else: then nothing was done. */
bool tw_classify_fast(struct tw_tracked *out, enum tcpwhy_side from);

bool tw_connection_is_settled(const struct tw_connection *connection);

#endif
