/* SPDX-License-Identifier: MIT */
/*
 * Data that a side sends after a pause within its message: the rest of it, held by TCP or written
 * late, or something new that nobody waited for. send_index is the side's send; the pause begins at
 * the cursor.
 */
#ifndef TW_EXPLAIN_TIMELINE_MESSAGE_BOUNDARY_H
#define TW_EXPLAIN_TIMELINE_MESSAGE_BOUNDARY_H

#include "explain/timeline/cursor.h"

/* Did TCP hold it, and not the writer? */
bool tw_message_boundary_was_held(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                                  uint32_t index);

/* Does it continue, up to the next pause and that record, for longer than an unsolicited message
 * does? An initial window is the rest of an answer that took long. */
bool tw_message_boundary_is_bulk(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                                 uint32_t index, uint32_t last);

/* Does the sender send again by itself after a while, with the earlier message complete? */
bool tw_message_boundary_speaks(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                                uint32_t index);

/*
 * Did the client pause because its message was complete and no request? More than an initial window
 * is something long. Unknown if frames are missing.
 */
bool tw_message_boundary_asks(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                              uint32_t index);

#endif
