/* SPDX-License-Identifier: MIT */
/*
 * What a side adds after a pause to what it had said: the rest of that, held back by TCP or written
 * late, or something new that nobody waited for. It is a send of the side, by its index; the pause
 * begins where the walker stands.
 */
#ifndef TW_EXPLAIN_TIMELINE_MESSAGE_BOUNDARY_H
#define TW_EXPLAIN_TIMELINE_MESSAGE_BOUNDARY_H

#include "explain/timeline/cursor.h"

/* Did TCP hold it back, and not who writes? */
bool tw_message_boundary_was_held(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                                  uint32_t index);

/* Does it go on, up to the next pause and that record, for longer than what somebody says unasked?
 * An initial window of it is the rest of an answer that took long to make. */
bool tw_message_boundary_is_bulk(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                                 uint32_t index, uint32_t last);

/* Does its sender speak again by itself, after a while, and had said all before? */
bool tw_message_boundary_speaks(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                                uint32_t index);

/*
 * Did who asks pause because what he had said was all of it, and no question? Who says more than an
 * initial window writes something long. Where frames are missing nothing is known.
 */
bool tw_message_boundary_asks(const struct tw_cursor *cursor, enum tcpwhy_side sender,
                              uint32_t index);

#endif
