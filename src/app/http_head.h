/* SPDX-License-Identifier: MIT */
/*
 * Lines of HTTP/1 (RFC 9112): first lines, header fields for message framing, chunk sizes.
 */
#ifndef TW_APP_HTTP_HEAD_H
#define TW_APP_HTTP_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "app/protocol.h"
#include "base/bytes.h"

/* Body framing of a message, from its header fields. */
struct tw_http_fields {
    bool has_length, bad_length;
    bool has_coding, chunked; /* Transfer-Encoding; chunked is its last coding */
    bool websocket;           /* Upgrade: websocket */
    bool http2;               /* Upgrade: h2c (RFC 7540, section 3.2) */
    bool events;              /* Content-Type is text/event-stream */
    bool live;                /* it is a picture after the other, or sound or film */
    bool expects;             /* Expect: 100-continue (RFC 9110, section 10.1.1) */
    int64_t length;
};

struct tw_http_request_line {
    struct tw_bytes method, target;
    bool whole; /* ends in an HTTP version */
};

/* Does the response go on as long as something happens: events, pictures of a camera, or sound and
 * film that only the connection's end limits? */
bool tw_http_is_live(const struct tw_http_fields *fields);

/* Does the request line ask a proxy, for a server elsewhere (RFC 9112, sections 3.2.2, 3.2.3)? */
bool tw_http_asks_proxy(const struct tw_http_request_line *request);

/* Does it look like the start of a request or a response? */
enum tw_guess tw_http_guess(struct tw_bytes first);

/* @return false if it is none. The target of a truncated line is truncated, too. */
bool tw_http_request_line(struct tw_bytes line, struct tw_http_request_line *out);

/* Common prefix of status lines. */
#define TW_HTTP_STATUS_FIRST 'H'

/* The status code; 0 if it is no status line, or truncated before the code. */
uint16_t tw_http_status_line(struct tw_bytes line);

/* First letter of a line, in lower case. */
static inline uint8_t tw_http_letter(struct tw_bytes line)
{
    return tw_u8(line, 0) | 0x20;
}

/* May this be a relevant header field? Most are not. */
static inline bool tw_http_may_count(struct tw_bytes field)
{
    uint8_t letter = tw_http_letter(field);

    return letter == 'c' || letter == 't' || letter == 'u' || letter == 'e' || letter == 'h';
}

/* The value of a Host field, else nothing. */
struct tw_bytes tw_http_host(struct tw_bytes line);

/* Process a header field. */
void tw_http_field(struct tw_bytes line, struct tw_http_fields *fields);

/* Size on a chunk-size line; -1 if missing or invalid. */
int64_t tw_http_chunk_size(struct tw_bytes line);

#endif
