/* SPDX-License-Identifier: MIT */
/*
 * One side's messages from a dissector, during the pass over the log: the records that delivered
 * the first and the last byte of each.
 */
#ifndef TW_APP_MESSAGES_H
#define TW_APP_MESSAGES_H

#include "app/app.h"
#include "app/byte_to_frame.h"

/* Messages in stream order, possibly with empty ones in between. */
struct tw_messages {
    struct tw_exchanges *all;
    uint32_t n;        /* messages known from the dissector */
    bool requests;     /* requests, not responses */
    uint32_t at, then; /* current message, and the next non-empty one */
    int64_t from, to;  /* of the current message; from: INT64_MAX after the last */
    int64_t upto;      /* limit beyond which bytes belong to the next one, too */
    int64_t end;       /* end of the side's bytes, which ends unfinished responses ... */
    uint32_t last;     /* ... with this record */
};

/*
 * All messages must be known. @param requests the side's messages are requests. @param end end of
 * the side's delivered bytes.
 */
void tw_messages_begin(struct tw_messages *messages, struct tw_exchanges *all, bool requests,
                       int64_t end);

/* New bytes of a record of the side, in log order. */
void tw_messages_take(struct tw_messages *messages, int64_t from, int64_t to, uint32_t record);

/* At the end of the log: set the last record of unfinished messages, and account for late bytes.
 * Turns have set their records themselves, except for late bytes. */
void tw_messages_settle(const struct tw_messages *messages, struct tw_exchange *exchange,
                        const struct tw_log *log, struct tw_byte_to_frame *byte_to_frame);

#endif
