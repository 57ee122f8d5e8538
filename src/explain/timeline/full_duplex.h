/* SPDX-License-Identifier: MIT */
/*
 * An exchange in which both sides talk at once: requests go out while others are answered, as in
 * HTTP/2, and nothing that we see tells which answer belongs to which.
 */
#ifndef TW_EXPLAIN_TIMELINE_FULL_DUPLEX_H
#define TW_EXPLAIN_TIMELINE_FULL_DUPLEX_H

#include "explain/timeline/cursor.h"

/* Is it one, of a protocol that does not tell its messages apart? */
static inline bool tw_full_duplex_is(const struct tw_exchange *e)
{
    return !e->framed && e->request_last != TW_NO_RECORD && e->response_first < e->request_last;
}

/* Tell the waits of both sides, from the first record of the request on; where they do not overlap,
 * those of the request alone. */
void tw_full_duplex_visit(struct tw_cursor *cursor, const struct tw_exchange *exchange);

#endif
