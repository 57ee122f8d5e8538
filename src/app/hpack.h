/* SPDX-License-Identifier: MIT */
/*
 * Header fields of HTTP/2 (HPACK, RFC 7541) of one direction, by libnghttp2. If the start of the
 * connection or a header block is missing, later blocks are still read: references to fields set by
 * those give TW_HPACK_UNKNOWN.
 */
#ifndef TW_APP_HPACK_H
#define TW_APP_HPACK_H

#include <stdbool.h>

#include "base/bytes.h"

/* Name or value of a field that was set before the capture, or in a hole. */
#define TW_HPACK_UNKNOWN "?"

struct tw_hpack;

typedef void (*tw_hpack_fn)(void *user, struct tw_bytes name, struct tw_bytes value);

/* @param known the direction's header blocks are known from the first one on. NULL if there is no
 * memory. */
struct tw_hpack *tw_hpack_new(bool known);

/* A complete header block. @return false if it is none: then the state is that of a direction with
 * an unknown begin. */
bool tw_hpack_read(struct tw_hpack *hpack, struct tw_bytes block, tw_hpack_fn field, void *user);

/* Header blocks are missing. */
void tw_hpack_lose(struct tw_hpack *hpack);

void tw_hpack_free(struct tw_hpack *hpack);

#endif
