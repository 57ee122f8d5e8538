/* SPDX-License-Identifier: MIT */
/* The walk through one message: its sends, and the silences between them. */
#ifndef TW_EXPLAIN_TIMELINE_MESSAGE_WALK_H
#define TW_EXPLAIN_TIMELINE_MESSAGE_WALK_H

#include "explain/timeline/cursor.h"

/* The gaps within a message, up to its last frame; awaited: somebody surely waited for it. */
void tw_message_visit(struct tw_cursor *cursor, enum tcpwhy_side sender, uint32_t last,
                      bool awaited);

/* Is the sender silent for long between two records without being held? */
bool tw_message_pauses(struct tw_cursor *cursor, enum tcpwhy_side sender, uint32_t from,
                       uint32_t to);

#endif
