/* SPDX-License-Identifier: MIT */
/*
 * One side's messages that a dissector told of, on the way through the log: which records delivered
 * the first byte of each that is there, and which the last.
 */
#ifndef TW_APP_MESSAGES_H
#define TW_APP_MESSAGES_H

#include "app/app.h"
#include "app/byte_to_frame.h"

/* Messages stand in the order of their bytes, with empty ones in between. */
struct tw_messages {
    struct tw_exchanges *all;
    uint32_t n;        /* of all, told by the dissector: the first ones */
    bool requests;     /* and not responses */
    uint32_t at, then; /* the message at work, and the next that is not empty */
    int64_t from, to;  /* of the one at work; from: INT64_MAX behind the last */
    int64_t upto;      /* bytes behind it are of the next one, too */
    int64_t end;       /* of the side's bytes: responses that were never ended all end there ... */
    uint32_t last;     /* ... with this record */
};

/*
 * All that are there now are told of.
 * @param requests  the side's messages are the requests, and not the responses.
 * @param end       the side's bytes were handed on up to here.
 */
void tw_messages_begin(struct tw_messages *messages, struct tw_exchanges *all, bool requests,
                       int64_t end);

/* What a record of the side delivered ahead of all before, in the order of the log. */
void tw_messages_take(struct tw_messages *messages, int64_t from, int64_t to, uint32_t record);

/* At the log's end, for each message: its last record where nothing ended it, and what bytes that
 * came late change. Turns have noted their records themselves; for theirs late bytes count, too. */
void tw_messages_settle(const struct tw_messages *messages, struct tw_exchange *exchange,
                        const struct tw_log *log, struct tw_byte_to_frame *byte_to_frame);

#endif
