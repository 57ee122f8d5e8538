/* SPDX-License-Identifier: MIT */
/*
 * The lines of HTTP/1 (RFC 9112): first lines, the header fields that frame a message, chunk sizes.
 */
#ifndef TW_APP_HTTP_HEAD_H
#define TW_APP_HTTP_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "app/protocol.h"
#include "base/bytes.h"

/* What the header fields of one message say of its body. */
struct tw_http_fields {
    bool has_length, bad_length;
    bool has_coding, chunked; /* Transfer-Encoding; chunked is its last coding */
    bool websocket;           /* Upgrade names it */
    bool events;              /* Content-Type says that the body is events, as they happen */
    int64_t length;
};

struct tw_http_request_line {
    struct tw_bytes method, target;
    bool whole; /* ends in an HTTP version */
};

/* Does it begin like a request or a response? */
enum tw_guess tw_http_guess(struct tw_bytes first);

/* @return false when it is none. The target of a line cut short is what there is of it. */
bool tw_http_request_line(struct tw_bytes line, struct tw_http_request_line *out);

/* With what every status line begins. */
#define TW_HTTP_STATUS_FIRST 'H'

/* The status code, 0 when it is no status line (or cut before the code). */
uint16_t tw_http_status_line(struct tw_bytes line);

/* The letter with which a line begins, in lower case. */
static inline uint8_t tw_http_letter(struct tw_bytes line)
{
    return tw_u8(line, 0) | 0x20;
}

/* Does a field begin like one of those that count? Most do not. */
static inline bool tw_http_may_count(struct tw_bytes field)
{
    uint8_t letter = tw_http_letter(field);

    return letter == 'c' || letter == 't' || letter == 'u';
}

/* Take in one header field. */
void tw_http_field(struct tw_bytes line, struct tw_http_fields *fields);

/* The size on a chunk-size line, or -1 when there is none or none that can be. */
int64_t tw_http_chunk_size(struct tw_bytes line);

#endif
