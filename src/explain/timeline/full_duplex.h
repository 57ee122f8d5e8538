/* SPDX-License-Identifier: MIT */
/*
 * An exchange in which both sides talk at once: requests are sent while others are answered, as in
 * HTTP/2, and nothing visible matches answers to requests.
 */
#ifndef TW_EXPLAIN_TIMELINE_FULL_DUPLEX_H
#define TW_EXPLAIN_TIMELINE_FULL_DUPLEX_H

#include "explain/timeline/cursor.h"

/* Is it one, in a protocol without message boundaries? */
static inline bool tw_full_duplex_is(const struct tw_exchange *e)
{
    return !e->framed && e->request_last != TW_NO_RECORD && e->response_first < e->request_last;
}

/* Visit the gaps of both sides from the first record of the request on; where they do not overlap,
 * those of the request alone. */
void tw_full_duplex_visit(struct tw_cursor *cursor, const struct tw_exchange *exchange);

#endif
