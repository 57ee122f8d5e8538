/* SPDX-License-Identifier: MIT */
/*
 * Splits a direction into messages that begin with their length. The start of each message is
 * delivered, the rest is counted: it may be missing from the capture, and is not copied. dialogue.h
 * splits both directions at once, by any rule.
 */
#ifndef TW_APP_LENGTH_PREFIX_H
#define TW_APP_LENGTH_PREFIX_H

#include <glib.h>

#include "base/array.h"
#include "app/stream.h"

/* A header's length is not known yet. */
#define TW_LENGTH_PREFIX_MORE (-1)

struct tw_length_prefix_rules {
    size_t head; /* bytes of a message to deliver, if it is that long */
    /*
     * Length of the message that begins with these bytes, including its header;
     * TW_LENGTH_PREFIX_MORE if they are too few; 0: they begin none. Of further bytes the answer
     * must be the same.
     */
    int64_t (*length)(void *user, struct tw_bytes first);
    /* A message [from, to). Its start may be shorter than head where the capture lacks more. */
    void (*message)(void *user, struct tw_bytes start, int64_t from, int64_t to);
};

/* One direction. Zero-initialised. */
struct tw_length_prefix {
    tw_byte_array *kept; /* start of the next message, from earlier pieces; NULL until needed */
    int64_t from;        /* offset of the start; kept is contiguous from here */
    int64_t to;          /* end of the current message: bytes before it belong to it */
    bool lost;           /* a gap hides the boundaries */
};

/*
 * The next piece of the direction. After a gap that hides the boundaries, a piece that begins a
 * message finds the way back.
 * @return false if what should begin a message does not: the protocol is another.
 */
bool tw_length_prefix_take(struct tw_length_prefix *prefix,
                           const struct tw_length_prefix_rules *rules, void *user,
                           const struct tw_piece *piece);

void tw_length_prefix_clear(struct tw_length_prefix *prefix);

#endif
