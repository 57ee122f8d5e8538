/* SPDX-License-Identifier: MIT */
/*
 * Exchanges of a protocol that nobody knows, by who sends when: the client asks until the server
 * answers; new bytes of the client after that are the next request.
 */
#ifndef TW_APP_REQUEST_RESPONSE_H
#define TW_APP_REQUEST_RESPONSE_H

#include "app/app.h"
#include "app/byte_to_frame.h"

struct tw_request_response {
    const struct tw_log *log;
    struct tw_exchanges *all;
    const char *protocol;
    enum tcpwhy_side asker;
    uint32_t first;           /* of ours */
    struct tw_exchange *open; /* the last of ours; NULL before the first */
    int64_t reached[2];       /* end of each side's bytes so far */
    int64_t acked[2];         /* of each side's bytes, by the other, ... */
    uint32_t n_acks;          /* ... in so many records */
    bool at_once;             /* both talk */
};

/*
 * Exchanges of the bytes from the two offsets on will be appended.
 * @param asker     who asks.
 * @param protocol  static: what to call them.
 */
void tw_request_response_begin(struct tw_request_response *turns, const struct tw_log *log,
                               const int64_t from[2], enum tcpwhy_side asker, const char *protocol,
                               struct tw_exchanges *exchanges);

/* A record delivered bytes up to an offset ahead of all before, in the order of the log. */
void tw_request_response_take(struct tw_request_response *turns, const struct tw_record *r,
                              int64_t to, uint32_t record);

/*
 * The records behind r that only go on with what it did: bytes right behind its own, while the
 * other side brings none. @return the last record that has been dealt with; r when there is none to
 * go on.
 */
const struct tw_record *tw_request_response_go_on(struct tw_request_response *turns,
                                                  struct tw_byte_to_frame *bytes,
                                                  const struct tw_record *r,
                                                  const struct tw_record *end);

/* The log is at its end: is the last response whole? */
void tw_request_response_end(struct tw_request_response *turns);

#endif
