/* SPDX-License-Identifier: MIT */
/*
 * Records that delivered the first and the last byte of each message of a side, where messages
 * interleave: their ends are sorted by offset in advance.
 */
#ifndef TW_APP_MESSAGE_ENDS_H
#define TW_APP_MESSAGE_ENDS_H

#include "app/app.h"

struct tw_message_end {
    int64_t offset; /* of the byte */
    uint32_t exchange;
    bool last;
};

struct tw_message_ends {
    struct tw_message_end *end;
    uint32_t n, at;
};

void tw_message_ends_begin(struct tw_message_ends *ends, const struct tw_exchanges *all,
                           enum tcpwhy_side side);

/* New bytes of a record of the side, in log order. */
void tw_message_ends_take(struct tw_message_ends *ends, struct tw_exchanges *all,
                          enum tcpwhy_side side, int64_t from, int64_t to, uint32_t record);

void tw_message_ends_clear(struct tw_message_ends *ends);

#endif
