/* SPDX-License-Identifier: MIT */
/*
 * Transactions of unknown protocols by turns: the client asks until the server answers; later bytes
 * of the client are the next request.
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
    uint32_t first;           /* index of our first transaction */
    struct tw_exchange *open; /* our last transaction, or NULL */
    int64_t reached[2];       /* end of each side's bytes so far */
    int64_t acked[2];         /* each side's bytes acknowledged by the other ... */
    uint32_t n_acks;          /* ... in this many records */
    bool at_once;             /* full duplex */
    int64_t session_to;       /* end of the asker's part of a handshake ... */
    int64_t tickets_to;       /* ... and of what the answerer says of the session behind it */
};

/*
 * Append transactions of the bytes from the two offsets on. @param protocol static name.
 */
void tw_request_response_begin(struct tw_request_response *turns, const struct tw_log *log,
                               const int64_t from[2], enum tcpwhy_side asker, const char *protocol,
                               struct tw_exchanges *exchanges);

/* A record delivered new bytes up to an offset, in log order. */
void tw_request_response_take(struct tw_request_response *turns, const struct tw_record *r,
                              int64_t to, uint32_t record);

/* A side's bytes up to an offset belong to no turn. */
void tw_request_response_pass(struct tw_request_response *turns, enum tcpwhy_side from, int64_t to);

/*
 * Process records after r that only continue it: contiguous bytes, while the other side sends none.
 * @return the last record processed, or r.
 */
const struct tw_record *tw_request_response_go_on(struct tw_request_response *turns,
                                                  struct tw_byte_to_frame *bytes,
                                                  const struct tw_record *r,
                                                  const struct tw_record *end);

/* End of the log: is the last response complete? */
void tw_request_response_end(struct tw_request_response *turns);

#endif
