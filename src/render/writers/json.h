/* SPDX-License-Identifier: MIT */
/*
 * A small streaming JSON writer (RFC 8259): commas and nesting are its business, so that what it
 * writes always parses. Numbers are finite and locale-free; a value that is not known is null.
 */
#ifndef TW_RENDER_WRITERS_JSON_H
#define TW_RENDER_WRITERS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "render/writers/writer.h"

#define TW_JSON_MAX_DEPTH 16

struct tw_json {
    struct tw_writer *out;
    unsigned depth;
    unsigned break_depth; /* members down to this depth stand on lines of their own */
    bool embedded;        /* in a page, for its script: no blanks, and no text ends a <script> */
    char closing[TW_JSON_MAX_DEPTH];
    bool empty[TW_JSON_MAX_DEPTH];
};

/* break_depth 0 gives everything in one line. */
void tw_json_init(struct tw_json *json, struct tw_writer *out, unsigned break_depth);

/* key is NULL inside an array and for the outermost value. */
void tw_json_object(struct tw_json *json, const char *key);
void tw_json_array(struct tw_json *json, const char *key);
/* Close the innermost object or array; the outermost ends its line. */
void tw_json_end(struct tw_json *json);

/* Any bytes: what is not UTF-8 becomes U+FFFD. NULL is null. */
void tw_json_string(struct tw_json *json, const char *key, const char *text);
void tw_json_int(struct tw_json *json, const char *key, int64_t value);
void tw_json_uint(struct tw_json *json, const char *key, uint64_t value);
/* null unless it is known */
void tw_json_known(struct tw_json *json, const char *key, bool known, int64_t value);
void tw_json_bool(struct tw_json *json, const char *key, bool value);
void tw_json_null(struct tw_json *json, const char *key);
/* NaN and infinity become null. */
void tw_json_real(struct tw_json *json, const char *key, double value);
/* Nanoseconds in milliseconds with six decimals, in microseconds with three; exact. */
void tw_json_ms(struct tw_json *json, const char *key, tcpwhy_ns ns);
void tw_json_us(struct tw_json *json, const char *key, tcpwhy_ns ns);
/* 0: null. Frame numbers begin at 1. */
void tw_json_frame(struct tw_json *json, const char *key, uint32_t frame);
/* "10.9.0.2:8080"; null when there is no endpoint. */
void tw_json_endpoint(struct tw_json *json, const char *key,
                      const struct tcpwhy_endpoint *endpoint);

#endif
